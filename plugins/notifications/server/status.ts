import type { ServerContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely, Selectable } from 'kysely'
import { LRUCache } from 'lru-cache'
import { noticeLive } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export type StatusRow = Pick<Selectable<Tables['notifications__status']>, 'inbox' | 'achievement' | 'award_id' | 'award'>

const own = statement((db: Kysely<Tables>, { personId }: { personId: number }) =>
  db.selectFrom('notifications__status').select(['inbox', 'achievement', 'award_id', 'award']).where('person_id', '=', personId),
)

/** People whose status is kept in memory; each takes some hundred bytes. */
const MOST_KEPT = 20_000
/** What another node has changed is seen after this long even when its push is lost. */
const KEPT_MS = 30_000
const nothing: StatusRow = { inbox: 0, achievement: 0, award_id: 0, award: null }

/**
 * Status rows, kept until they change: clients ask every three seconds, and to look into the database costs more than all the rest of the call.
 * @returns the row of somebody
 */
export function keepStatuses(ctx: ServerContext<Tables>): (personId: number) => Promise<StatusRow> {
  // Otherwise each look sets a timer, to ask for the time once in a millisecond: that wakes the process a second time for each call.
  const kept = new LRUCache<number, StatusRow>({ max: MOST_KEPT, ttl: KEPT_MS, ttlResolution: 0 })
  let changes = 0
  ctx.live.heard(noticeLive.status, (topic) => {
    changes++
    kept.delete(Number(topic))
  })
  return async (personId) => {
    const known = kept.get(personId)
    if (known) return known
    const before = changes
    const [row = nothing] = await own(ctx.db.query, { personId })
    // What has changed meanwhile may be later than what was read.
    if (before === changes) kept.set(personId, row)
    return row
  }
}

/** Keeps in somebody's status the oldest award that they have not read. */
export async function refreshAward(tx: Kysely<Tables>, personId: number): Promise<void> {
  const waiting = await tx
    .selectFrom('notifications__notice')
    .select(['id', 'award'])
    .where('person_id', '=', personId)
    .where('list', '=', 'achievement')
    .where('is_read', '=', 0)
    .where('award', 'is not', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  await tx
    .updateTable('notifications__status')
    .set({ award_id: waiting?.id ?? 0, award: waiting?.award ?? null })
    .where('person_id', '=', personId)
    .execute()
}
