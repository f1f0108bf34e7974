import type { Generated } from 'kysely'

export interface Tables {
  two_factor__secret: {
    person_id: number
    /** Base 32. A hash would not do: each code is computed from it. */
    secret: string
    /** 0: shown, and not confirmed by a code yet. */
    enabled_at: Generated<number>
    /** Of 30 s, since 1970: codes up to this one are used up. */
    last_step: Generated<number>
  }
  /** Codes that were not used; only their hashes. */
  two_factor__recovery: { person_id: number; code_hash: string }
}
