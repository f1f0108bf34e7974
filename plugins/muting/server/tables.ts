import type { Generated } from 'kysely'

export interface Tables {
  muting__mute: {
    id: Generated<number>
    /** Who has muted somebody. */
    person_id: number
    /** Who is muted. */
    muted_id: number
    created_at: number
  }
}
