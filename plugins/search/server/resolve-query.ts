import type { ReadContext } from '@stoa/sdk/server'
import { personByUsername } from '../../accounts/shared/api.ts'
import type { SearchQuery } from '../shared/api.ts'
import { searchNames } from '../shared/api.ts'
import { parseQuery } from '../shared/query-syntax.ts'

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
  const { user, experience: parent, ...rest } = parseQuery(q)
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
  const names = { tags: query.tags, matchesNothing: false }
  if (names.tags.length > 0) await ctx.decorate(searchNames, [names])
  return names.matchesNothing ? null : { ...query, tags: names.tags }
}

async function personId(ctx: ReadContext, username: string): Promise<number | undefined> {
  return (await ctx.read(personByUsername, { username }, { otherwise: null }))?.id
}
