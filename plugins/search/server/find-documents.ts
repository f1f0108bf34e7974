import type { Dialect, FullText, NewestQuery, NewestTexts, TextQuery } from '@stoa/sdk/server'
import { plannedEachTime, statement } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SearchHits, SearchQuery } from '../shared/api.ts'
import { COUNTED, DEEPEST } from '../shared/counted.ts'
import type { TextMatch } from './conditions.ts'
import { conditionsOf, textOf } from './conditions.ts'
import type { RankedFacts, TermHits } from './rank.ts'
import { byScore, textScores, withVotes } from './rank.ts'
import type { SearchTables } from './tables.ts'

/** Where one query is looked for. */
interface Search {
  db: Kysely<SearchTables>
  dialect: Dialect
  index: FullText
  query: SearchQuery
  text: TextMatch | null
  where: RawBuilder<unknown>[]
  offset: number
}
type Hit = { id: number; kind: string; n: number }

/** Candidates per term: the newest ones. A word that stands in half of all posts is ranked among these. */
const CANDIDATES = 200
/** Best by text whose votes are looked at. */
const VOTED_CANDIDATES = 150

export interface Asked {
  db: Kysely<SearchTables>
  dialect: Dialect
  index: FullText
  query: SearchQuery
  /** Kinds that have a source now, or null when that is all kinds of the index. */
  kinds: readonly string[] | null
}

/** The built-in engine's search. */
export async function findDocuments({ db, dialect, index, query, kinds }: Asked): Promise<SearchHits> {
  const search: Search = {
    db,
    dialect,
    index,
    query,
    text: textOf(query),
    where: conditionsOf(query, kinds),
    offset: (query.page - 1) * query.size,
  }
  const { text } = search
  const ranked = text && query.order === 'relevance' && text.every.length + text.any.length > 0 ? { ...search, text } : undefined
  const early = ranked && (await rank(ranked))
  const most = search.offset < COUNTED / 2 ? COUNTED : DEEPEST
  const isCounted = early && (early.isAll || early.matching >= most)
  const total = isCounted ? Math.min(early.matching, most) : await countOf(search, most)
  if (search.offset >= total) return { total, hits: [] }
  const hits = ranked && early ? await mostRelevant(ranked, early) : await ordered(search, query.order, total)
  return { total, hits: hits.map(({ kind, n }) => ({ kind, n })) }
}

/** How many match, up to a limit: beyond it, to count would cost more than to find. */
async function countOf({ db, dialect, index, text, where }: Search, most: number): Promise<number> {
  const isText = text !== null && where.length === 0
  const found = isText ? index.matching(text) : sql`select 1 from ${source(index, text)} where ${all(where, text !== null)}`
  // PostgreSQL takes a limit for a reason to look into one text after another until there are so many, which it believes to be quick (263 ms for a
  // word in 19,000 of 280,000 texts; asking the index first takes 10). What is materialized is planned without it, and still ends with it.
  const how = sql.raw(isText && dialect === 'postgres' ? 'materialized' : 'not materialized')
  const { rows } = await sql<{ total: number }>`${plannedEachTime}with f as ${how} (${found})
    select count(*) as total from (select 1 from f limit ${sql.lit(most)}) as c`.execute(db)
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

/** The newest that match a text and the search's other conditions, newest first; without some. */
function newest(search: Search, text: TextQuery, limit: number, offset = 0, without: number[] = []): RawBuilder<{ id: number }> {
  const { index, where } = search
  const others = without.length > 0 ? [sql`m.id not in (${sql.join(without)})`] : []
  const from = where.length === 0 ? sql`(${index.matching(text)}) as m` : source(index, text)
  const conditions = [...others, ...(where.length === 0 ? [] : [all(where, true)])]
  const which = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  return sql`select m.id from ${from} ${which} order by m.id desc limit ${sql.lit(limit)} offset ${sql.lit(offset)}`
}

/** The newest of each text, in one statement. */
async function candidatesOf(search: Search, texts: readonly NewestQuery[]): Promise<NewestTexts[]> {
  const { db, index, where } = search
  const different = [...new Set(texts)]
  const found = where.length === 0 ? await index.newestOfEach(db, different, CANDIDATES) : await narrowed(search, different)
  return texts.map((text) => found[different.indexOf(text)] as NewestTexts)
}

/** The same among what meets other conditions too. */
async function narrowed(search: Search, texts: readonly TextQuery[]): Promise<NewestTexts[]> {
  const collect = sql.raw(search.dialect === 'sqlite' ? 'json_group_array' : 'json_agg')
  const lists = texts.map(
    (text, i) => sql`(select ${collect}(n.id) from (${newest(search, text, CANDIDATES)}) as n) as ${sql.ref(`l${i}`)}`,
  )
  const { rows } = await sql<Record<string, string | number[] | null>>`${plannedEachTime}select ${sql.join(lists)}`.execute(search.db)
  return texts.map((_, i) => {
    const list = rows[0]?.[`l${i}`] ?? []
    const ids = typeof list === 'string' ? (JSON.parse(list) as number[]) : list
    return { ids, isAll: ids.length < CANDIDATES }
  })
}

const orders = {
  relevance: sql`d.id desc`,
  newest: sql`d.id desc`,
  active: sql`d.active_at desc, d.id desc`,
  score: sql`d.votes desc, d.id desc`,
}

async function ordered(search: Search, order: SearchQuery['order'], total: number): Promise<Hit[]> {
  const { db, index, query, text, where, offset } = search
  if (text && (order === 'newest' || order === 'relevance')) return inOrder(db, await newestIds(search, text, query.size, offset))
  const isSorted = text !== null && (total < COUNTED || (await countOf(search, DEEPEST)) < DEEPEST)
  const matches = text && !isSorted ? [sql`exists (select 1 from (${index.matching(text)}) as m where m.id = d.id)`] : []
  const { rows } = await sql<Hit>`${plannedEachTime}select d.id, d.kind, d.n from ${source(index, isSorted ? text : null)}
    where ${all([...where, ...matches], isSorted)} order by ${orders[order]} limit ${query.size} offset ${offset}`.execute(db)
  return rows
}

async function newestIds(search: Search, text: TextQuery, limit: number, offset: number, without: number[] = []): Promise<number[]> {
  if (search.where.length === 0 && without.length === 0 && offset + limit <= COUNTED)
    return search.index.newest(search.db, text, limit, offset)
  const { rows } = await sql<{ id: number }>`${plannedEachTime}${newest(search, text, limit, offset, without)}`.execute(search.db)
  return rows.map(({ id }) => id)
}

/** Ranked candidates, then all others that match, the newest first: over all pages each match comes once. */
async function mostRelevant(search: Search & { text: TextMatch }, { ids: ranked, hits }: Ranked): Promise<Hit[]> {
  const { db, query, text, offset } = search
  const ids = ranked.slice(offset, offset + query.size)
  const missing = query.size - ids.length
  if (missing > 0 && ranked.length >= CANDIDATES)
    ids.push(...(await newestIds(search, text, missing, Math.max(0, offset - ranked.length), ranked)))
  return inOrder(db, ids, hits)
}

interface Ranked {
  /** The best candidates, best first. */
  ids: number[]
  /** Those of them whose votes were looked at. */
  hits: Map<number, Hit>
  /** No others match. */
  isAll: boolean
  /** How many are known to match. */
  matching: number
}

async function rank(search: Search & { text: TextMatch }): Promise<Ranked> {
  const { every, any, marks } = search.text
  const words = [...new Set([...every, ...any])]
  const phrases = { every, any, marks, most: COUNTED }
  const each = words.map((word) => (every.includes(word) ? phrases : { every: [...every, word], marks, most: COUNTED }))
  const found = await candidatesOf(search, [...each, ...words.map((word) => ({ inTitle: [word], marks }))])
  const [lists, inTitles] = [found.slice(0, words.length), found.slice(words.length).map(firstOf)]
  const together = await inAll(search, lists, { every: words, marks })
  // Where more have all words than are ranked, those with some of them come behind, unless they have them in the title.
  const anywhere = together.length < CANDIDATES ? lists.map(firstOf) : words.map(() => together)
  const terms = words.map((_, i): TermHits => {
    const found = anywhere[i] as number[]
    return { anywhere: found, inTitle: inTitles[i] as number[], weight: 1 + Math.log10(CANDIDATES / Math.max(1, found.length)) }
  })
  // A title alone does not say whether the other things that must be there are.
  const scores = textScores(terms, words.length > 1 ? together : [], { titlesMatch: every.length === 0 || words.length === 1 })
  const candidates = byScore(scores)
  const voted = await factsOf(search.db, candidates.slice(0, VOTED_CANDIDATES))
  const best = byScore(new Map(voted.map((facts) => [facts.id, withVotes(scores.get(facts.id) as number, facts)])))
  // A document whose facts are not shown any more is no result, and is not counted either.
  const ids = [...best, ...candidates.slice(VOTED_CANDIDATES)]
  return {
    ids,
    hits: new Map(voted.map((hit) => [hit.id, hit])),
    isAll: lists.every(({ isAll }) => isAll),
    matching: new Set(lists.flatMap((list) => list.ids)).size - (candidates.length - ids.length),
  }
}

const firstOf = ({ ids }: NewestTexts): number[] => ids.slice(0, CANDIDATES)

/** The newest that have all words. Where each list is whole nothing else has to be asked: two rare phrases take as long together as apart. */
async function inAll(search: Search, lists: readonly NewestTexts[], all: TextQuery): Promise<number[]> {
  const [first, ...others] = lists
  if (others.length > 0 && lists.some(({ isAll }) => !isAll)) return (await candidatesOf(search, [all])).flatMap(firstOf)
  const sets = others.map(({ ids }) => new Set(ids))
  return (first?.ids ?? []).filter((id) => sets.every((set) => set.has(id))).slice(0, CANDIDATES)
}

async function inOrder(db: Kysely<SearchTables>, ids: number[], known: ReadonlyMap<number, Hit> = new Map()): Promise<Hit[]> {
  const others = await factsOf(
    db,
    ids.filter((id) => !known.has(id)),
  )
  const found = new Map([...known, ...others.map((hit) => [hit.id, hit] as const)])
  return ids.flatMap((id) => found.get(id) ?? [])
}

const factsStatement = statement((db: Kysely<SearchTables>, { ids }: { ids: number[] }) =>
  db.selectFrom('search__document').select(['id', 'kind', 'n', 'votes', 'accepted']).where('id', 'in', ids).where('visible', '=', 1),
)

async function factsOf(db: Kysely<SearchTables>, ids: number[]): Promise<(Hit & RankedFacts)[]> {
  return ids.length === 0 ? [] : await factsStatement(db, { ids })
}
