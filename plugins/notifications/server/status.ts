import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

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
