import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { SearchFinder } from '../../search/shared/api.ts'
import { postNumber } from './public-id.ts'
import { reads } from './read-tokens.ts'
import { queries, replies } from './schemas.ts'
import type { Tables } from './tables.ts'
import { titleWords } from './title-words.ts'
import type { createViews } from './views.ts'

interface ReadRouteNeeds {
  ctx: ServerContext<Tables>
  views: ReturnType<typeof createViews>
  finder: { readonly current: SearchFinder | undefined }
}

const path = '/answer/api/v1'

/** Each word that is looked for costs about the same. */
const MOST_WORDS = 8
const CANDIDATES = 30

/** At most so many, from the whole of the list. */
function spread<T>(list: readonly T[], most: number): T[] {
  const length = Math.min(most, list.length)
  return Array.from({ length }, (_, index) => list[Math.floor((index * list.length) / length)] as T)
}

/** Calls that only read; all but the suggestions are answered by read workers. */
export function readRoutes({ ctx, views, finder }: ReadRouteNeeds): Route[] {
  /** Numbers of posts that search finds for a title that is being typed, best first; none while search is off or fails. */
  const suggestions = async (title: string): Promise<number[]> => {
    const words = spread(titleWords(title), MOST_WORDS)
    if (!finder.current || words.length === 0) return []
    const query = { words, phrases: [], tags: [], kind: 'experience' as const, order: 'relevance' as const, page: 1, size: CANDIDATES }
    const found = await finder.current.search(query).catch(() => ({ hits: [] }))
    return found.hits.map((hit) => hit.n)
  }

  return [
    route({
      method: 'GET',
      path: `${path}/experience/page`,
      access: 'visitor',
      summary: 'Public experiences in one of several orders, pinned ones first.',
      query: queries.page,
      reply: replies.page,
      read: reads.page,
    }),
    route({
      method: 'GET',
      path: `${path}/experience/info`,
      access: 'visitor',
      summary: 'One experience with its text and what the caller may do.',
      query: queries.info,
      reply: replies.info,
      read: reads.info,
      readParams: (request) => {
        const n = postNumber(ctx.ids, request.query.id)
        if (n === undefined) return { ...request.query, unwritten: 0 }
        if (!request.isInternal) views.add(n, { ...request, userAgent: request.headers['user-agent'] ?? '' })
        return { ...request.query, unwritten: views.unwritten(n) }
      },
    }),
    route({
      method: 'GET',
      path: `${path}/experience/similar`,
      access: 'active',
      summary: 'Experiences like a title that is being written.',
      query: queries.similar,
      reply: replies.similar,
      read: reads.similar,
      lane: 'search',
      readParams: async ({ query }) => ({ title: query.title, ns: await suggestions(query.title) }),
    }),
    route({
      method: 'GET',
      path: `${path}/experience/similar/tag`,
      access: 'visitor',
      summary: 'Hot experiences with the same first tag.',
      query: queries.related,
      reply: replies.related,
      read: reads.related,
    }),
    route({
      method: 'GET',
      path: `${path}/experience/link`,
      access: 'visitor',
      summary: 'Experiences that link to one.',
      query: queries.linked,
      reply: replies.page,
      read: reads.linked,
    }),
    route({
      method: 'GET',
      path: `${path}/experience/recommend/page`,
      access: 'member',
      summary: 'Experiences by what the caller follows.',
      query: queries.page,
      reply: replies.page,
      handle: () => ({ count: 0, list: [] }),
    }),
    route({
      method: 'GET',
      path: `${path}/personal/experience/page`,
      access: 'visitor',
      summary: 'Experiences of one person.',
      query: queries.personal,
      reply: replies.personal,
      read: reads.personal,
    }),
    route({
      method: 'GET',
      path: `${path}/personal/qa/top`,
      access: 'visitor',
      summary: 'The best experiences and answers of one person.',
      query: queries.top,
      reply: replies.top,
      read: reads.top,
    }),
    route({
      method: 'GET',
      path: '/answer/admin/api/experience/page',
      access: 'admin',
      summary: 'All experiences by status, for the admin.',
      query: queries.admin,
      reply: replies.admin,
      read: reads.admin,
    }),
  ]
}
