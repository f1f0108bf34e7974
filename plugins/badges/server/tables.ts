import type { Dialect } from '@stoa/sdk/server'
import { forUpdate } from '@stoa/sdk/server'
import type { Generated, Kysely } from 'kysely'

export interface Tables {
  badges__badge: {
    id: Generated<number>
    name: string
    /** JSON of a `BadgeDefinition`: as it was contributed last. */
    definition: string
    /** JSON, language → name and description: what awards show when the plugin of the badge is gone. */
    texts: string
    /** Of `badgeStatus`. */
    status: number
    award_count: Generated<number>
    /** Up to where the past was looked through; null when there is nothing left of it. */
    past_after: number | null
    /** 0 while its plugin is off or gone. */
    is_contributed: number
  }
  badges__award: {
    id: Generated<number>
    badge_id: number
    person_id: number
    /** Empty for what one has once, else the object: one award for each. */
    award_key: string
    /** Empty where the award names nothing. */
    object_kind: Generated<string>
    object_n: Generated<number>
    created_at: number
    /** 0 until its owner was shown it. */
    is_seen: number
  }
}

/** All badges, held until the transaction ends. Whoever changes several begins here: while it waits for one of them it holds none that another has to wait for. */
export const heldBadges = (tx: Kysely<Tables>, dialect: Dialect) =>
  tx.selectFrom('badges__badge').select(['name', 'is_contributed']).orderBy('id').$call(forUpdate(dialect)).execute()

/** Numbers of the protocol. */
export const badgeStatus = { active: 1, inactive: 11 } as const
