import { service } from '@stoa/sdk'

/** What we keep of a post; the whole shape stands in `sdk/docs/reference.md`. */
export interface Document {
  kind: string
  n: number
  experience: number
  authorId: number
  title: string
  text: string
  tags: string[]
  votes: number
  answers: number
  views: number
  accepted: boolean
  createdAt: number
  activeAt: number
  visible: boolean
}

export interface Query {
  words: string[]
  phrases: string[]
  tags: string[]
  authorId?: number
  kind?: string
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

/** The contract `search.engine` of the plugin `search`. One plugin may provide it; while none does, `search` uses its own index. */
export interface Engine {
  search(query: Query): Promise<{ total: number; hits: { kind: string; n: number }[] }>
  store(documents: Document[]): Promise<void>
  clear(): Promise<void>
  describe?(): { name: string; icon: string; link: string }
}

export const searchEngine = service<Engine>('search.engine')
