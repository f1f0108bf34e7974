import { plannedEachTime } from '@stoa/sdk/server'
import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Search, TextSearch } from './matches.ts'
import { countOf, countOfText, isOfText, matches } from './matches.ts'

export interface Hit {
  id: number
  kind: string
  n: number
}

export interface Found {
  /** How many match, as far as they were counted. */
  total: number
  /** One page of them. */
  hits: Hit[]
}

const orders = {
  newest: sql`id desc`,
  active: sql`active_at desc, id desc`,
  score: sql`votes desc, id desc`,
}

type Order = keyof typeof orders

/** Documents that are looked at for each one that is wanted, and in all, before those that match are put in order. SQLite always looks at so many. */
const LOOKED_AT = { sqlite: 50, postgres: 150 }
const MOST_LOOKED_AT = 20_000

/**
 * One page in an order that the full text does not know. Where few have the text these are put in order one and all, which takes 1 µs each on SQLite and
 * 6 µs on PostgreSQL. Where many do, the first in that order are looked at, 10 µs each, until there are enough; where too few of them match (answers with
 * a word have fewer votes than posts), all are put in order after all.
 * @param most is counted at most
 */
export async function inOrderOf(search: Search, order: Order, most: number): Promise<Found> {
  const { query, offset } = search
  if (!isOfText(search)) {
    const total = await countOf(search, most)
    return { total, hits: offset < total ? await page(search, order, sql`select d.* ${matches(search, null)}`) : [] }
  }
  const having = await countOfText(search, Math.max(most, search.many))
  if (having < search.many) return allInOrder(search, order, most)
  const total = search.where.length === 0 ? Math.min(having, most) : await countOf(search, most)
  if (offset >= total) return { total, hits: [] }
  const first = await firstInOrder(search, order)
  const isWhole = first.length === Math.min(query.size, total - offset)
  return { total, hits: isWhole ? first : (await allInOrder(search, order, most)).hits }
}

/** One page of what a statement finds. */
async function page({ db, query, offset }: Search, order: Order, found: RawBuilder<unknown>): Promise<Hit[]> {
  const { rows } = await sql<Hit>`${plannedEachTime}select id, kind, n from (${found}) as found
    order by ${orders[order]} limit ${query.size} offset ${offset}`.execute(db)
  return rows
}

/** All that match are found first, and counted with that. */
async function allInOrder(search: TextSearch, order: Order, most: number): Promise<Found> {
  const { db, query, text, offset } = search
  const { rows } = await sql<Hit & { total: number }>`${plannedEachTime}with f as materialized (
      select d.id, d.kind, d.n, d.votes, d.active_at ${matches(search, text)})
    select id, kind, n, (select count(*) from f) as total from f
    order by ${orders[order]} limit ${query.size} offset ${offset}`.execute(db)
  return { total: rows[0] ? Math.min(Number(rows[0].total), most) : await countOf(search, most), hits: rows }
}

/** What matches of the first in that order. */
function firstInOrder(search: TextSearch, order: Order): Promise<Hit[]> {
  const { dialect, index, query, text, where, offset } = search
  const looked = Math.min(MOST_LOOKED_AT, LOOKED_AT[dialect] * (offset + query.size))
  const first = sql`select * from search__document where visible = 1 order by ${orders[order]} limit ${sql.lit(looked)}`
  // Looked up one by one: with all that have the text, PostgreSQL would find them first.
  const oneByOne = sql.raw(dialect === 'postgres' ? 'offset 0' : '')
  const hasText = sql`exists (select 1 from (${index.matching(text)}) as m where m.id = d.id ${oneByOne})`
  return page(search, order, sql`select d.* from (${first}) as d where ${sql.join([hasText, ...where], sql` and `)}`)
}
