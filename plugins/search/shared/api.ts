import { call, decorator, event, service, services } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { SearchedObject, SearchQuery } from './query.ts'
import type * as schemas from './schemas.ts'

export type * from './query.ts'

/** What an index keeps of an object. */
export interface SearchDocument {
  kind: string
  n: number
  /**
   * What it is a part of, as an answer is of a post: found by `in…:<id>`, shown under that title but not found by it, and indexed again when that
   * changes. None for what stands for itself.
   */
  parent?: { kind: string; n: number } | undefined
  /** Number of the experience it belongs to, its own for an experience: what 1.0 had for `parent`. Engines are still given it. */
  experience?: number
  authorId: number
  title: string
  /** Plain text. */
  text: string
  /** Slugs of main tags. Whoever keeps tags adds those of posts and of their parts, see {@link searchDocuments}. */
  tags: string[]
  votes: number
  /** -1 where answers do not apply. */
  answers: number
  views: number
  accepted: boolean
  createdAt: number
  activeAt: number
  /** False: taken out of the index. */
  visible: boolean
}

/** Supplies documents of one kind; each owner of something searchable provides one, and emits {@link touched}. */
export interface SearchSource {
  kind: string
  /** Ids above `after`, ascending, at most `limit`; for a rebuild. */
  page(after: number, limit: number): Promise<number[]>
  /** In any order; unknown ids are left out. */
  documents(ns: number[]): Promise<SearchDocument[]>
}
export const searchSource = services<SearchSource>('search.source')

/** An object came, or something an index or a reader of results could see has changed. Emitted by the owner of the kind, in the transaction of the change. */
export const touched = event<{ kind: string; n: number }>('search.touched')

/** Documents on their way into the index, for what their owners do not know: their tags. Runs in the transaction that stores them. */
export const searchDocuments = decorator<SearchDocument>('search.documents')

/** A word behind `is:` that search does not know itself. */
export interface SearchMark {
  /** Lower-case letters. */
  word: string
  /** What it means for the person who asks, at most some thousands; null while no plugin knows it: then it is searched for as text. */
  objects: readonly SearchedObject[] | null
}
/** Whoever knows a word behind `is:` fills what it stands for; several words in one search narrow it together. */
export const searchMarks = decorator<SearchMark>('search.marks')
/** Names in a query that are still as somebody typed them, in lower case. */
export interface SearchNames {
  tags: string[]
  /** One of them is unknown, so there is nothing to find. */
  matchesNothing: boolean
}
/** Whoever keeps tags replaces synonyms by main tags. While nobody does, documents are looked for by the names themselves. */
export const searchNames = decorator<SearchNames>('search.query')

/** What somebody types, before it is a query: whoever keeps things with names adds those that it may mean, a few of each. */
export interface SearchCompletion {
  /** Trimmed, not empty. */
  text: string
  options: CompletionOption[]
}
export type CompletionOption = Static<typeof schemas.option>
export const searchCompletion = decorator<SearchCompletion>('search.completion')

export interface SearchHits {
  total: number
  hits: { kind: string; n: number }[]
}
/** The engine; search has one built in, a plugin of this contract replaces it. */
export interface SearchEngine {
  search(query: SearchQuery): Promise<SearchHits>
  store(documents: SearchDocument[]): Promise<void>
  clear(): Promise<void>
  /** Shown beside results; `icon` is base64 SVG. */
  describe?(): { name: string; icon: string; link: string }
}
export const searchEngine = service<SearchEngine>('search.engine')

/** What is shown of a result. */
export type FoundView = Static<typeof schemas.found>

/** A result under decoration: the owner of the kind fills `view`. See `search` in the API reference. */
export interface SearchResult {
  kind: string
  n: number
  words: string[]
  view: { object_type: string; object: FoundView | null }
}
export const searchResults = decorator<SearchResult>('search.results')
/** The results that their owners have filled, for what is not the owners': the tags of posts, whatever part of them was found. */
export const searchFound = decorator<SearchResult>('search.found')

/** Asks whichever engine is in use; for other plugins that look for similar posts. */
export interface SearchFinder {
  search(query: SearchQuery): Promise<SearchHits>
}
export const searchFinder = service<SearchFinder>('search.finder')

export const searchCalls = {
  search: call.get<typeof schemas.search>('search'),
  describe: call.get<typeof schemas.describe>('search/desc'),
  description: call.get<typeof schemas.description>('/opensearch.xml'),
  complete: call.get<typeof schemas.complete>('search/completion'),
}
