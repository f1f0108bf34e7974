import type { Dialect, FullText, NewestQuery, NewestTexts, TextQuery } from '@stoa/sdk/server'
import { plannedEachTime } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SearchQuery } from '../shared/api.ts'
import { COUNTED } from '../shared/counted.ts'
import type { TextMatch } from './conditions.ts'
import type { SearchTables } from './tables.ts'

/** Where one query is looked for. */
export interface Search<T extends TextMatch | null = TextMatch | null> {
  db: Kysely<SearchTables>
  dialect: Dialect
  index: FullText
  query: SearchQuery
  text: T
  /** Conditions beyond the text, on `d`. */
  where: RawBuilder<unknown>[]
  offset: number
  /** A text that so many documents have is not looked for in all of them, to put them in order. */
  many: number
}

export type TextSearch = Search<TextMatch>

export const isOfText = (search: Search): search is TextSearch => search.text !== null

/** Documents that match, as `d`, and where there is a text its ids as `m`. */
export function matches({ index, where }: Search, text: TextQuery | null): RawBuilder<unknown> {
  if (text) return joined(sql`(${index.matching(text)}) as m`, where)
  return sql`from search__document as d where ${all(where)}`
}

/** `cross join` keeps SQLite from turning the join around. */
const joined = (m: RawBuilder<unknown>, where: RawBuilder<unknown>[]) =>
  sql`from ${m} cross join search__document as d where d.id = m.id and ${all(where)}`

const all = (where: RawBuilder<unknown>[]) => sql.join([sql`d.visible = 1`, ...where], sql` and `)

/** How many match, up to a limit: beyond it, to count would cost more than to find. */
export async function countOf(search: Search, most: number): Promise<number> {
  if (isOfText(search)) return countOfText(search, most, search.where)
  return count(search, plannedEachTime, sql`select 1 ${matches(search, null)}`, most)
}

/** How many have the text and meet some conditions, up to a limit. */
export function countOfText(search: TextSearch, most: number, where: RawBuilder<unknown>[] = []): Promise<number> {
  const { index, dialect, text } = search
  // With a limit PostgreSQL believes it to be quick to look into one document after another, until there are so many (263 ms for a word in 19,000 of 280,000
  // texts; asking the index of words first takes 10). What is materialized is planned without it, and still ends with it.
  const m = sql`with m as ${sql.raw(dialect === 'postgres' ? 'materialized' : 'not materialized')} (${index.matching(text)})`
  // Of a text the planner knows nothing: one plan does for all of them.
  if (where.length === 0) return count(search, m, sql`select 1 from m`, most)
  return count(search, sql`${plannedEachTime}${m}`, sql`select 1 ${joined(sql`m`, where)}`, most)
}

async function count({ db }: Search, beginning: RawBuilder<unknown>, found: RawBuilder<unknown>, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`${beginning}
    select count(*) as total from (${found} limit ${sql.lit(most)}) as c`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** The newest that match each of some texts and the search's other conditions. @param limit how many of each are wanted */
export async function newestOfEach(search: Search, texts: readonly NewestQuery[], limit: number): Promise<NewestTexts[]> {
  const { db, index, where, dialect } = search
  if (where.length === 0) return index.newestOfEach(db, texts, limit)
  // SQLite goes through what has the text, the newest first, until there are enough.
  if (dialect === 'sqlite') return narrowed(search, texts, limit)
  const some = await index.newestOfEach(
    db,
    texts.map((text) => ({ ...text, most: COUNTED })),
    limit,
  )
  const matching = await matchingOf(search, [...new Set(some.flatMap(({ ids }) => ids))])
  const found = some.map(({ ids, isAll }): NewestTexts => ({ ids: ids.filter((id) => matching.has(id)), isAll }))
  const short = [...found.entries()].filter(([, { ids, isAll }]) => !isAll && ids.length < limit)
  const others = await narrowed(
    search,
    short.map(([at]) => texts[at] as NewestQuery),
    limit,
  )
  for (const [i, [at]] of short.entries()) found[at] = others[i] as NewestTexts
  return found
}

/** Those of some documents that meet the search's other conditions. */
async function matchingOf(search: Search, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const { rows } = await sql<{ id: number }>`${plannedEachTime}select d.id ${matches(search, null)} and d.id in (${sql.join(ids)})`.execute(
    search.db,
  )
  return new Set(rows.map(({ id }) => id))
}

/** All that have each text are asked for the other conditions, on SQLite until there are enough. */
async function narrowed(search: Search, texts: readonly TextQuery[], limit: number): Promise<NewestTexts[]> {
  if (texts.length === 0) return []
  const collect = sql.raw(search.dialect === 'sqlite' ? 'json_group_array' : 'json_agg')
  const lists = texts.map((text, i) => sql`(select ${collect}(n.id) from (${newest(search, text, limit)}) as n) as ${sql.ref(`l${i}`)}`)
  const { rows } = await sql<Record<string, string | number[] | null>>`${plannedEachTime}select ${sql.join(lists)}`.execute(search.db)
  return texts.map((_, i) => {
    const list = rows[0]?.[`l${i}`] ?? []
    const ids = typeof list === 'string' ? (JSON.parse(list) as number[]) : list
    return { ids, isAll: ids.length < limit }
  })
}

/** The newest that match a text and the search's other conditions, newest first; without some. */
function newest(search: Search, text: TextQuery, limit: number, offset = 0, without: readonly number[] = []): RawBuilder<{ id: number }> {
  const { index, where, dialect } = search
  const found = where.length === 0 ? index.matching(text) : sql`select m.id ${matches(search, text)}`
  const others = without.length > 0 ? sql`where id not in (${sql.join(without)})` : sql``
  // By a sum, which is in no index, or PostgreSQL looks into one document after another for a rare word too.
  const newestFirst = sql.raw(where.length > 0 && dialect === 'postgres' ? 'id + 0 desc' : 'id desc')
  return sql`select id from (${found}) as m ${others} order by ${newestFirst} limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
}

/** The newest that match the search, newest first; without some. */
export async function newestIds(search: TextSearch, limit: number, offset: number, without: readonly number[] = []): Promise<number[]> {
  const { db, index, text, where } = search
  const isNear = without.length === 0 && offset + limit <= COUNTED
  if (isNear && where.length === 0) return index.newest(db, text, limit, offset)
  if (isNear) return (await newestOfEach(search, [text], offset + limit)).flatMap(({ ids }) => ids.slice(offset, offset + limit))
  const { rows } = await sql<{ id: number }>`${plannedEachTime}${newest(search, text, limit, offset, without)}`.execute(db)
  return rows.map(({ id }) => id)
}
