import type { SearchDocument, SearchQuery } from '@stoa/plugin-search/api'

type Facts = Omit<SearchDocument, 'title' | 'text' | 'visible'>

/** Whether a document is what the conditions of a query ask for, apart from its text. */
export function meets(facts: Facts, query: SearchQuery): boolean {
  return (
    (query.kind === undefined || facts.kind === query.kind) &&
    (query.authorId === undefined || facts.authorId === query.authorId) &&
    (query.experience === undefined || facts.experience === query.experience) &&
    (query.accepted === undefined || facts.accepted === query.accepted) &&
    (query.minVotes === undefined || facts.votes >= query.minVotes) &&
    (query.minAnswers === undefined || facts.answers >= query.minAnswers) &&
    (query.minViews === undefined || facts.views >= query.minViews) &&
    !(query.noVotes && facts.votes !== 0) &&
    !(query.noAnswers && facts.answers !== 0) &&
    query.tags.every((tag) => facts.tags.includes(tag))
  )
}

const keys = { relevance: 'createdAt', newest: 'createdAt', active: 'activeAt', score: 'votes' } as const

/** Highest first, in the order that was asked for. */
export const inOrder = (all: Facts[], order: SearchQuery['order']): Facts[] =>
  all.sort((a, b) => b[keys[order]] - a[keys[order]] || b.createdAt - a.createdAt || b.n - a.n)

/** Pattern of SQL's `like` for a text anywhere; `\\` escapes. */
export const anywhere = (text: string): string => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
