import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { SearchFinder } from '../../../search/shared/api.ts'
import { experienceCalls } from '../../shared/api.ts'
import * as schemas from '../../shared/schemas.ts'
import { titleWords } from '../lists/title-words.ts'
import { reads } from '../read-tokens.ts'
import { postNumber } from '../store/public-id.ts'
import type { Tables } from '../store/tables.ts'
import type { createViews } from '../store/views.ts'

interface ReadRouteNeeds {
  ctx: ServerContext<Tables>
  views: ReturnType<typeof createViews>
  finder: { readonly current: SearchFinder | undefined }
}

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
    route.read(experienceCalls.page, schemas.page, {
      access: 'visitor',
      summary: 'Public experiences in one of several orders, pinned ones first.',
      read: reads.page,
    }),
    route.read(experienceCalls.info, schemas.info, {
      access: 'visitor',
      summary: 'One experience with its text and what the caller may do.',
      read: reads.info,
      params: (request) => {
        const n = postNumber(ctx.ids, request.query.id)
        if (n === undefined) return { ...request.query, unwritten: 0 }
        if (!request.isInternal && !request.isAhead) views.add(n, { ...request, userAgent: request.headers['user-agent'] ?? '' })
        return { ...request.query, unwritten: views.unwritten(n) }
      },
    }),
    route.read(experienceCalls.similar, schemas.similar, {
      access: 'active',
      summary: 'Experiences like a title that is being written.',
      read: reads.similar,
      lane: 'slow',
      params: async ({ query }) => ({ title: query.title, ns: await suggestions(query.title) }),
    }),
    route.read(experienceCalls.related, schemas.related, {
      access: 'visitor',
      summary: 'Hot experiences with the same first tag.',
      read: reads.related,
    }),
    route.read(experienceCalls.linked, schemas.linked, {
      access: 'visitor',
      summary: 'Experiences that link to one.',
      read: reads.linked,
    }),
    route.read(experienceCalls.personal, schemas.personal, {
      access: 'visitor',
      summary: 'Experiences of one person.',
      read: reads.personal,
    }),
    route.read(experienceCalls.top, schemas.top, {
      access: 'visitor',
      summary: 'The best experiences and answers of one person.',
      read: reads.top,
    }),
    route.read(experienceCalls.adminPage, schemas.adminPage, {
      access: 'admin',
      summary: 'All experiences by status, for the admin.',
      read: reads.admin,
    }),
  ]
}
