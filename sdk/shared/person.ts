/** Role numbers of the protocol. */
export const roles = { user: 1, admin: 2, moderator: 3 } as const
export type RoleId = (typeof roles)[keyof typeof roles]

export type PersonState = 'normal' | 'inactive' | 'suspended' | 'deleted'

/** Who is asking. */
export interface Person {
  /** Whole number, 1 or more; on the wire it is its decimal text. */
  id: number
  role: RoleId
  state: PersonState
  /** Staff of whom more is demanded than a password, until they have set it up: so long `role` is a user's, wherever it is asked for. */
  isHeldBack?: true
}

export const isAdmin = (person: Person | null): boolean => person?.role === roles.admin && person.state === 'normal'
export const isStaff = (person: Person | null): boolean =>
  (person?.role === roles.admin || person?.role === roles.moderator) && person.state === 'normal'
