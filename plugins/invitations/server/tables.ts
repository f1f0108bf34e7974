import type { Generated } from 'kysely'

export interface Tables {
  invitations__invitation: {
    id: Generated<number>
    /** Running number of the post. */
    experience: number
    person_id: number
    /** Who invited them. */
    by_id: number
    created_at: number
    /** 1: taken back. The row stays, so that nobody is told twice. */
    withdrawn: Generated<number>
  }
}
