import type { ReadContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { postStatusWord } from '../shared/api.ts'
import { publicIds } from './public-id.ts'
import { postColumns, postRows } from './rows.ts'
import type { Tables } from './tables.ts'
import { isLive } from './visibility.ts'

const most = 10

/**
 * `experience/similar`: listed posts whose title contains the words (among the newest 20,000), then those that search found.
 * @param ns running numbers of the hits of search, best first
 */
export async function similarTitles(ctx: ReadContext<Tables>, { title, ns }: { title: string; ns: number[] }) {
  const words = title
    .trim()
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')
  if (words === '') return []
  const recent = ctx.db
    .selectFrom('experiences__post')
    .select('id')
    .where('tier', '>=', 1)
    .orderBy('tier', 'desc')
    .orderBy('created_at', 'desc')
    .limit(20_000)
  const matching = await ctx.db
    .selectFrom('experiences__post')
    .select(postColumns)
    .where('id', 'in', recent)
    .where(sql<boolean>`lower(title) like ${`%${words}%`} escape '\\'`)
    .limit(most)
    .execute()
  const others = (
    await postRows(
      ctx.db,
      ns.filter((n) => matching.every((row) => row.id !== n)),
    )
  ).filter((row) => isLive(row.status) && row.show === 1)
  const found = [...matching, ...others].slice(0, most)
  const toId = await publicIds(ctx)
  return found.map((row) => ({
    id: toId(row.id),
    title: row.title,
    url_title: row.url_title,
    view_count: row.view_count,
    answer_count: row.answer_count,
    collection_count: row.collection_count,
    follow_count: row.follow_count,
    status: postStatusWord[row.status],
    accepted_answer: row.accepted_answer > 0,
  }))
}
