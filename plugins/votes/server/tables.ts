import type { Generated } from 'kysely'

export interface Tables {
  votes__ballot: {
    id: Generated<number>
    object_kind: string
    object_n: number
    voter_id: number
    /** 1 up, -1 down. A vote taken back has no row. */
    direction: number
    /** When the direction was chosen. */
    created_at: number
  }
}

export type Direction = 1 | -1

/** Word of the protocol for what a person voted; empty for nothing. */
export const statusWord = (direction: number): string => (direction === 0 ? '' : direction > 0 ? 'vote_up' : 'vote_down')
