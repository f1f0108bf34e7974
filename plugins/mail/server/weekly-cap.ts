import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { ChannelItem, NoticeKind } from '../../notifications/shared/api.ts'
import { kindPoint } from '../../notifications/shared/api.ts'
import type { Tables } from './tables.ts'

/** New posts that somebody who wants to hear of all of them is mailed in a week. Source: specification, section 9. */
const MOST_POSTS = 50
const WEEK = 7 * 86_400
const CAPPED = 'all_new_experience'

/** What the cap leaves, in its order, in the caller's transaction. A week begins with the first post that is mailed in it. */
export async function underCap(
  ctx: ServerContext,
  tx: Kysely<Tables>,
  personId: number,
  items: readonly ChannelItem[],
): Promise<ChannelItem[]> {
  const kinds = ctx.host
    .contributions<NoticeKind | NoticeKind[]>(kindPoint)
    .flatMap(({ value }) => value)
    .flatMap(({ source, name }) => (source === CAPPED ? [name] : []))
  const capped = items.filter(({ kind }) => kinds.includes(kind))
  if (capped.length === 0) return [...items]
  const now = ctx.now()
  // Written first: two messages at once count one after the other.
  await tx
    .insertInto('mail__week')
    .values({ person_id: personId, began_at: now, posts: 0 })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ person_id: personId }))
    .execute()
  await tx
    .updateTable('mail__week')
    .set({ began_at: now, posts: 0 })
    .where('person_id', '=', personId)
    .where('began_at', '<=', now - WEEK)
    .execute()
  const { posts } = await tx.selectFrom('mail__week').select('posts').where('person_id', '=', personId).executeTakeFirstOrThrow()
  const fitting = new Set(capped.slice(0, Math.max(0, MOST_POSTS - posts)))
  await tx
    .updateTable('mail__week')
    .set({ posts: posts + fitting.size })
    .where('person_id', '=', personId)
    .execute()
  return items.filter((item) => fitting.has(item) || !capped.includes(item))
}
