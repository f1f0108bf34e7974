import type { Dialect, FullText, NewestQuery, NewestTexts, TextQuery } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SearchHits, SearchQuery } from '../shared/api.ts'
import { COUNTED, DEEPEST } from '../shared/counted.ts'
import { conditionsOf, textOf } from './conditions.ts'
import type { Found, Hit } from './in-order.ts'
import { inOrderOf } from './in-order.ts'
import type { Search, TextSearch } from './matches.ts'
import { countOf, isOfText, newestIds, newestOfEach } from './matches.ts'
import type { RankedFacts, TermHits } from './rank.ts'
import { byScore, textScores, withVotes } from './rank.ts'
import type { SearchTables } from './tables.ts'

/** Candidates per term: the newest ones. A word that stands in half of all posts is ranked among these. */
const CANDIDATES = 200
/** Best by text whose votes are looked at. */
const VOTED_CANDIDATES = 150

/** {@link Search.many}: what putting all in order costs then is what looking at the first in that order does. */
const MANY = { sqlite: 10_000, postgres: 4000 }

export interface Asked {
  db: Kysely<SearchTables>
  dialect: Dialect
  index: FullText
  query: SearchQuery
  /** Kinds that have a source now, or null when that is all kinds of the index. */
  kinds: readonly string[] | null
  /** For tests: {@link Search.many}. */
  many?: number
}

/** The built-in engine's search. */
export async function findDocuments({ db, dialect, index, query, kinds, many = MANY[dialect] }: Asked): Promise<SearchHits> {
  const offset = (query.page - 1) * query.size
  const search: Search = { db, dialect, index, query, text: textOf(query), where: conditionsOf(query, kinds), offset, many }
  const { total, hits } = await pageOf(search, offset < COUNTED / 2 ? COUNTED : DEEPEST)
  return { total, hits: hits.map(({ kind, n }) => ({ kind, n })) }
}

/** @param most is counted at most */
async function pageOf(search: Search, most: number): Promise<Found> {
  const { db, query, offset } = search
  const { order } = query
  if (order === 'active' || order === 'score') return inOrderOf(search, order, most)
  if (!isOfText(search)) return inOrderOf(search, 'newest', most)
  const { text } = search
  if (order === 'newest' || text.every.length + text.any.length === 0) {
    const total = await countOf(search, most)
    return { total, hits: offset < total ? await byIds(db, await newestIds(search, query.size, offset)) : [] }
  }
  const ranked = await rank(search)
  const total = ranked.isAll || ranked.matching >= most ? Math.min(ranked.matching, most) : await countOf(search, most)
  return { total, hits: offset < total ? await mostRelevant(search, ranked) : [] }
}

/** Ranked candidates, then all others that match, the newest first: over all pages each match comes once. */
async function mostRelevant(search: TextSearch, { ids: ranked, hits }: Ranked): Promise<Hit[]> {
  const { db, query, offset } = search
  const ids = ranked.slice(offset, offset + query.size)
  const missing = query.size - ids.length
  if (missing > 0 && ranked.length >= CANDIDATES)
    ids.push(...(await newestIds(search, missing, Math.max(0, offset - ranked.length), ranked)))
  return byIds(db, ids, hits)
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

async function rank(search: TextSearch): Promise<Ranked> {
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

/** The newest of each text. */
async function candidatesOf(search: Search, texts: readonly NewestQuery[]): Promise<NewestTexts[]> {
  const different = [...new Set(texts)]
  const found = await newestOfEach(search, different, CANDIDATES)
  return texts.map((text) => found[different.indexOf(text)] as NewestTexts)
}

const firstOf = ({ ids }: NewestTexts): number[] => ids.slice(0, CANDIDATES)

/** The newest that have all words. Where each list is whole nothing else has to be asked: two rare phrases take as long together as apart. */
async function inAll(search: Search, lists: readonly NewestTexts[], all: TextQuery): Promise<number[]> {
  const [first, ...others] = lists
  if (others.length > 0 && lists.some(({ isAll }) => !isAll)) return (await candidatesOf(search, [all])).flatMap(firstOf)
  const sets = others.map(({ ids }) => new Set(ids))
  return (first?.ids ?? []).filter((id) => sets.every((set) => set.has(id))).slice(0, CANDIDATES)
}

async function byIds(db: Kysely<SearchTables>, ids: number[], known: ReadonlyMap<number, Hit> = new Map()): Promise<Hit[]> {
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
