import type { ServerContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely, Selectable } from 'kysely'
import type { Tables } from './tables.ts'

export type StatusRow = Pick<Selectable<Tables['notifications__status']>, 'inbox' | 'achievement' | 'award_id' | 'award'>

const own = statement((db: Kysely<Tables>, { personId }: { personId: number }) =>
  db.selectFrom('notifications__status').select(['inbox', 'achievement', 'award_id', 'award']).where('person_id', '=', personId),
)

const nothing: StatusRow = { inbox: 0, achievement: 0, award_id: 0, award: null }

export async function statusOf(ctx: ServerContext<Tables>, personId: number): Promise<StatusRow> {
  const [row = nothing] = await own(ctx.db.query, { personId })
  return row
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
