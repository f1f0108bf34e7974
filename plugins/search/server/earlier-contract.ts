import type { SearchDocument, SearchQuery } from '../shared/api.ts'

/** Version 1.0 of the contract knew one kind that others belong to, and gave its number alone. */
const PARENT = 'experience'

/** What a document belongs to, also when its source says so in the words of 1.0. */
export function withParent(document: SearchDocument): SearchDocument {
  const { kind, parent, experience } = document
  return parent || kind === PARENT || !experience ? document : { ...document, parent: { kind: PARENT, n: experience } }
}

/** The same for a query. */
export function withParentAsked(query: SearchQuery): SearchQuery {
  const { parent, experience } = query
  return parent || experience === undefined ? query : { ...query, parent: { kind: PARENT, n: experience } }
}

/** What engines of 1.0 read as well. */
export const documentForEngines = (document: SearchDocument): SearchDocument => ({
  ...document,
  experience: (document.parent ?? document).n,
})
export const queryForEngines = (query: SearchQuery): SearchQuery => (query.parent ? { ...query, experience: query.parent.n } : query)
