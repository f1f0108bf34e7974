import type { ReadContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SettingsGroups } from '../../../site/shared/api.ts'
import { siteGroup } from '../../../site/shared/api.ts'
import type { PostText } from '../../shared/api.ts'
import { experiencePath } from '../../shared/api.ts'
import { postNumber } from '../store/public-id.ts'
import type { Tables } from '../store/tables.ts'
import { itemsOf, listPage } from './read-lists.ts'

/** What one reply may hold: texts are long. */
const MOST = 50

const bodies = statement((db: Kysely<Tables>, { ns }: { ns: readonly number[] }) =>
  db
    .selectFrom('experiences__post')
    .innerJoin('experiences__body', 'post_id', 'id')
    .select(['id', 'created_at', 'edited_at', 'content', 'html'])
    .where('id', 'in', ns)
    .where('tier', '>=', 1),
)

/** Listed posts with their texts, for feeds and the like. */
export async function textsOf(
  ctx: ReadContext<Tables>,
  { tag, username, ns, limit }: { tag?: string | undefined; username?: string | undefined; ns?: number[] | undefined; limit: number },
): Promise<PostText[]> {
  const size = Math.min(limit, MOST)
  const items = ns
    ? await itemsOf(ctx, { ns: ns.slice(0, size) })
    : (await listPage(ctx, { order: 'newest', page: 1, page_size: size, tag, username })).list
  const numbered = items.flatMap((item) => ({ item, n: postNumber(ctx.ids, item.id) ?? 0 }))
  if (numbered.length === 0) return []
  const rows = new Map((await bodies(ctx.db, { ns: numbered.map(({ n }) => n) })).map((row) => [row.id, row]))
  const { permalink } = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  return numbered.flatMap(({ item, n }) => {
    const row = rows.get(n)
    if (!row) return []
    const { content, html } = row
    return { item, path: experiencePath(permalink, item), content, html, changedAt: Math.max(row.created_at, row.edited_at) }
  })
}
