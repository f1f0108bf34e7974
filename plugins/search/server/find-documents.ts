import type { FullText, TextQuery } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SearchHits, SearchQuery } from '../shared/api.ts'
import type { TextMatch } from './conditions.ts'
import { conditionsOf, textOf } from './conditions.ts'
import type { RankedFacts, TermHits } from './rank.ts'
import { byScore, textScores, withVotes } from './rank.ts'
import type { SearchTables } from './tables.ts'

/** Where one query is looked for. */
interface Search {
  db: Kysely<SearchTables>
  index: FullText
  query: SearchQuery
  text: TextMatch | null
  where: RawBuilder<unknown>[]
  offset: number
}
type Hit = { id: number; kind: string; n: number }

/** Candidates per term: the newest ones. A word that stands in half of all posts is ranked among these. */
const CANDIDATES = 1000
/** Best by text whose votes are looked at. */
const VOTED_CANDIDATES = 150
/** Up to so many matches are sorted; beyond, the order's own index is walked until the page is full. */
const SORTABLE = 20_000
const DEEPEST = 10_000

export interface Asked {
  db: Kysely<SearchTables>
  index: FullText
  query: SearchQuery
  /** Kinds that have a source now, or null when that is all kinds of the index. */
  kinds: readonly string[] | null
}

/**
 * The built-in engine's search.
 * @param counted may answer from memory how many match, since that can cost more than to find the first
 */
export async function findDocuments(
  { db, index, query, kinds }: Asked,
  counted: (count: () => Promise<number>) => Promise<number>,
): Promise<SearchHits> {
  const search = { db, index, query, text: textOf(query), where: conditionsOf(query, kinds), offset: (query.page - 1) * query.size }
  const total = await counted(() => countOf(search))
  if (total === 0 || search.offset >= total || search.offset > DEEPEST) return { total, hits: [] }
  const { text } = search
  const isRanked = text && query.order === 'relevance' && text.every.length + text.any.length > 0
  const hits = isRanked ? await mostRelevant({ ...search, text }) : await ordered(search, query.order, total)
  return { total, hits: hits.map(({ kind, n }) => ({ kind, n })) }
}

async function countOf({ db, index, text, where }: Search): Promise<number> {
  const from =
    text && where.length === 0 ? sql`(${index.matching(text)}) as m` : sql`${source(index, text)} where ${all(where, text !== null)}`
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${from}`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Documents, joined to what matches the text; `cross join` keeps SQLite from turning the join around. */
function source(index: FullText, text: TextQuery | null): RawBuilder<unknown> {
  return text ? sql`(${index.matching(text)}) as m cross join search__document as d` : sql`search__document as d`
}

function all(where: RawBuilder<unknown>[], isJoined: boolean): RawBuilder<unknown> {
  const conditions = [sql`d.visible = 1`, ...where]
  if (isJoined) conditions.unshift(sql`d.id = m.id`)
  return sql.join(conditions, sql` and `)
}

/** The newest that match a text and the search's other conditions. */
async function newest({ db, index, where }: Search, text: TextQuery, limit: number, offset = 0): Promise<number[]> {
  if (where.length === 0) return index.newest(db, text, limit, offset)
  const { rows } = await sql<{ id: number }>`select d.id from ${source(index, text)} where ${all(where, true)}
    order by m.id desc limit ${limit} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

const orders = {
  relevance: sql`d.id desc`,
  newest: sql`d.id desc`,
  active: sql`d.active_at desc, d.id desc`,
  score: sql`d.votes desc, d.id desc`,
}

async function ordered(search: Search, order: SearchQuery['order'], total: number): Promise<Hit[]> {
  const { db, index, query, text, where, offset } = search
  if (text && (order === 'newest' || order === 'relevance')) {
    const hits = await factsOf(db, await newest(search, text, query.size, offset))
    return hits.sort((a, b) => b.id - a.id)
  }
  const isSorted = text !== null && total <= SORTABLE
  const matches = text && !isSorted ? [sql`exists (select 1 from (${index.matching(text)}) as m where m.id = d.id)`] : []
  const { rows } = await sql<Hit>`select d.id, d.kind, d.n from ${source(index, isSorted ? text : null)}
    where ${all([...where, ...matches], isSorted)} order by ${orders[order]} limit ${query.size} offset ${offset}`.execute(db)
  return rows
}

async function mostRelevant(search: Search & { text: TextMatch }): Promise<Hit[]> {
  const { db, query, text, offset } = search
  const { every, any, marks } = text
  const words = [...new Set([...every, ...any])]
  const terms: TermHits[] = []
  for (const word of words) {
    const anywhere = await newest(search, { every: [...new Set([...every, word])], marks }, CANDIDATES)
    const inTitle = await newest(search, { inTitle: [word], marks }, CANDIDATES)
    terms.push({ anywhere, inTitle, weight: 1 + Math.log10(CANDIDATES / Math.max(1, anywhere.length)) })
  }
  const together = words.length > 1 ? await newest(search, { every: words, marks }, CANDIDATES) : []
  // A title alone does not say whether the other things that must be there are.
  const scores = textScores(terms, together, { titlesMatch: every.length === 0 || words.length === 1 })
  const candidates = byScore(scores)
  if (offset >= candidates.length) return ordered(search, 'newest', offset + 1)
  const voted = await factsOf(db, candidates.slice(0, Math.max(VOTED_CANDIDATES, offset + query.size)))
  for (const facts of voted) scores.set(facts.id, withVotes(scores.get(facts.id) as number, facts))
  const best = voted.sort((a, b) => (scores.get(b.id) as number) - (scores.get(a.id) as number) || b.id - a.id)
  return best.slice(offset, offset + query.size)
}

async function factsOf(db: Kysely<SearchTables>, ids: number[]): Promise<(Hit & RankedFacts)[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('search__document')
    .select(['id', 'kind', 'n', 'votes', 'accepted'])
    .where('id', 'in', ids)
    .where('visible', '=', 1)
    .execute()
}
