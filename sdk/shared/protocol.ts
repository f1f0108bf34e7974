/** Where the calls of the protocol live: those of everybody and those of the admin, both below `root`. */
export const protocol = { root: '/answer/', public: '/answer/api/v1', admin: '/answer/admin/api' } as const
