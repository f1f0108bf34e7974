import type { ReadContext } from '@stoa/sdk/server'
import { tokensOfText } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { isListed, postStatusWord } from '../../shared/api.ts'
import { postIds } from '../store/public-id.ts'
import { postColumns, postRows } from '../store/rows.ts'
import type { Tables } from '../store/tables.ts'
import { titleWords } from './title-words.ts'

const most = 10

/**
 * `experience/similar`: listed posts whose title contains this one (among the newest 20,000), then those that search found whose title
 * shares two of its words, most of them first.
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
  const rest = await postRows(
    ctx.db,
    ns.filter((n) => matching.every((row) => row.id !== n)),
  )
  const others = likeliest(title, rest.filter(isListed))
  const found = [...matching, ...others].slice(0, most)
  const toId = await postIds(ctx)
  return found.map((row) => ({
    id: toId(row.id),
    title: row.title,
    url_title: row.url_title,
    view_count: row.view_count,
    answer_count: row.answer_count,
    collection_count: row.collection_count,
    follow_count: row.follow_count,
    status: postStatusWord[row.status] ?? '',
    accepted_answer: row.accepted_answer > 0,
  }))
}

/** Those that share enough words with a title, most first. */
export function likeliest<P extends { title: string }>(title: string, rows: P[]): P[] {
  const words = titleWords(title)
  const shared = new Map(
    rows.map((row) => {
      const there = new Set(tokensOfText(row.title))
      return [row, words.filter((word) => there.has(word)).length]
    }),
  )
  const enough = words.length > 2 ? 2 : 1
  const count = (row: P) => shared.get(row) as number
  return rows.filter((row) => count(row) >= enough).sort((a, b) => count(b) - count(a))
}
