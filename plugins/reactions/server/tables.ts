import type { Generated } from 'kysely'

export interface Tables {
  /** Who gave what to what; one taken back has no row. */
  reactions__reaction: {
    id: Generated<number>
    object_kind: string
    object_n: number
    emoji: string
    person_id: number
    created_at: number
  }
  /** Sums of the above, so that lists cost the same however many people reacted. */
  reactions__summary: {
    object_kind: string
    object_n: number
    emoji: string
    count: number
    /** JSON: ids of the first people, at most {@link NAMED}. */
    first_people: Generated<string>
  }
}

/** So many people are named; the others are counted. Source: behaviour reference 6.3. */
export const NAMED = 5
