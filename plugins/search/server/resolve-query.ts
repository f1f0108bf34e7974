import type { ReadContext } from '@stoa/sdk/server'
import { personByUsername } from '../../accounts/shared/api.ts'
import type { SearchMark, SearchQuery } from '../shared/api.ts'
import { searchMarks, searchNames } from '../shared/api.ts'
import { MAX_WORDS, parseQuery } from '../shared/query-syntax.ts'

export interface PageOf {
  q: string
  order: SearchQuery['order']
  page: number
  size: number
}

/**
 * The query with names and ids looked up.
 * @returns null when nothing can match: an unknown tag, person or id, or `user:me` of a visitor
 */
export async function resolveQuery(ctx: ReadContext, { q, order, page, size }: PageOf): Promise<SearchQuery | null> {
  const { user, experience: parent, marks: words = [], ...rest } = parseQuery(q)
  const query: SearchQuery = { ...rest, order, page, size }
  if (user !== undefined) {
    const authorId = user === 'me' ? ctx.person?.id : await personId(ctx, user)
    if (authorId === undefined) return null
    query.authorId = authorId
  }
  if (parent !== undefined) {
    const id = ctx.ids.decode(parent)
    if (!id) return null
    query.parent = { kind: id.kind, n: id.n }
  }
  if (words.length > 0) {
    const marks = words.map((word): SearchMark => ({ word, objects: null }))
    await ctx.decorate(searchMarks, marks)
    narrow(query, marks)
    if (query.among?.length === 0) return null
  }
  const names = { tags: query.tags, matchesNothing: false }
  if (names.tags.length > 0) await ctx.decorate(searchNames, [names])
  return names.matchesNothing ? null : { ...query, tags: names.tags }
}

/** Narrows a query to what all of its marks stand for. What nobody knows is text after all. */
function narrow(query: SearchQuery, marks: SearchMark[]): void {
  for (const { word, objects } of marks) {
    if (objects === null) {
      query.words = [...new Set([...query.words, 'is', word])].slice(0, MAX_WORDS)
      continue
    }
    const { among } = query
    const keys = among && new Set(among.map(({ kind, n }) => `${kind}:${n}`))
    query.among = keys ? objects.filter(({ kind, n }) => keys.has(`${kind}:${n}`)) : objects
  }
}

async function personId(ctx: ReadContext, username: string): Promise<number | undefined> {
  return (await ctx.read(personByUsername, { username }, { otherwise: null }))?.id
}
