import { decorator, service, services } from '@stoa/sdk'

/** What an index keeps of a post or an answer. */
export interface SearchDocument {
  kind: string
  n: number
  /** The experience it belongs to (itself for an experience). */
  experience: number
  authorId: number
  title: string
  /** Plain text. */
  text: string
  /** Slugs of main tags. */
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

/** Supplies documents of one kind; each owner of searchable posts provides one. */
export interface SearchSource {
  kind: string
  /** Ids above `after`, ascending, at most `limit`; for a rebuild. */
  page(after: number, limit: number): Promise<number[]>
  /** In any order; unknown ids are left out. */
  documents(ns: number[]): Promise<SearchDocument[]>
}
export const searchSource = services<SearchSource>('search.source')

export interface SearchQuery {
  /** Free words, at most 5, lower case. */
  words: string[]
  /** Quoted phrases, lower case. */
  phrases: string[]
  /** Tag names, at most 5, lower case. */
  tags: string[]
  authorId?: number
  kind?: 'experience' | 'answer'
  minVotes?: number
  noVotes?: boolean
  minAnswers?: number
  noAnswers?: boolean
  minViews?: number
  accepted?: boolean
  experience?: number
  order: 'relevance' | 'newest' | 'active' | 'score'
  page: number
  size: number
}
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

/** A result under decoration: the owner of the kind fills `view`. See `search` in the API reference. */
export interface SearchResult {
  kind: string
  n: number
  words: string[]
  view: { object_type: string; object: Record<string, unknown> | null }
}
export const searchResults = decorator<SearchResult>('search.results')

/** Asks whichever engine is in use; for other plugins that look for similar posts. */
export interface SearchFinder {
  search(query: SearchQuery): Promise<SearchHits>
}
export const searchFinder = service<SearchFinder>('search.finder')
