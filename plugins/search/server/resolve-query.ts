import type { ReadContext } from '@stoa/sdk/server'
import { personByUsername } from '../../accounts/shared/api.ts'
import { tagBySlug } from '../../tags/shared/api.ts'
import type { SearchQuery } from '../shared/api.ts'
import { parseQuery } from '../shared/query-syntax.ts'

export interface PageOf {
  q: string
  order: SearchQuery['order']
  page: number
  size: number
}

/**
 * The query with names and ids looked up.
 * @returns null when nothing can match: an unknown tag, person or experience, or `user:me` of a visitor
 */
export async function resolveQuery(ctx: ReadContext, { q, order, page, size }: PageOf): Promise<SearchQuery | null> {
  const { user, experience, tags, ...rest } = parseQuery(q)
  const query: SearchQuery = { ...rest, tags: [], order, page, size }
  if (user !== undefined) {
    const authorId = user === 'me' ? ctx.person?.id : await personId(ctx, user)
    if (authorId === undefined) return null
    query.authorId = authorId
  }
  if (experience !== undefined) {
    const id = ctx.ids.decode(experience)
    if (id?.kind !== 'experience') return null
    query.experience = id.n
  }
  for (const tag of tags) {
    const slug = await mainTag(ctx, tag)
    if (slug === undefined) return null
    query.tags.push(slug)
  }
  return query
}

async function personId(ctx: ReadContext, username: string): Promise<number | undefined> {
  if (!ctx.has(personByUsername)) return undefined
  return (await ctx.call(personByUsername, { username }))?.id
}

/** Synonyms lead to their main tag; while the tags plugin is off, the name itself is looked for. */
async function mainTag(ctx: ReadContext, tag: string): Promise<string | undefined> {
  if (!ctx.has(tagBySlug)) return tag
  return (await ctx.call(tagBySlug, { slug: tag }))?.slug.toLowerCase()
}
