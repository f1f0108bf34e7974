export interface SearchQuery {
  /** Free words, at most 5, lower case. */
  words: string[]
  /** Quoted phrases, lower case. */
  phrases: string[]
  /** Tag names, at most 5, lower case. */
  tags: string[]
  authorId?: number
  kind?: string
  minVotes?: number
  noVotes?: boolean
  minAnswers?: number
  noAnswers?: boolean
  minViews?: number
  accepted?: boolean
  /** Only its parts. */
  parent?: { kind: string; n: number }
  /** Number of a parent that is an experience: what 1.0 had. Engines are still given it. */
  experience?: number
  /** Only these, at most some thousands: what `searchMarks` gave. An engine that does not know it is not asked. */
  among?: readonly SearchedObject[]
  order: 'relevance' | 'newest' | 'active' | 'score'
  page: number
  size: number
}
export interface SearchedObject {
  kind: string
  n: number
}
