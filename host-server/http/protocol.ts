/** Where the calls of the protocol live. */
export const PROTOCOL = { public: '/answer/api/v1', admin: '/answer/admin/api' } as const
