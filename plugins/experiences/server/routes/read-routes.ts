import type { Route, ServerContext } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import type { SearchFinder } from '../../../search/shared/api.ts'
import { experienceCalls } from '../../shared/api.ts'
import * as schemas from '../../shared/schemas.ts'
import { createAlikePosts, postsForTitle } from '../lists/alike.ts'
import { reads } from '../read-tokens.ts'
import { postNumber } from '../store/public-id.ts'
import type { Tables } from '../store/tables.ts'
import type { createViews } from '../store/views.ts'

interface ReadRouteNeeds {
  ctx: ServerContext<Tables>
  views: ReturnType<typeof createViews>
  finder: { readonly current: SearchFinder | undefined }
}

/** Calls that only read; all but the suggestions are answered by read workers. */
export function readRoutes({ ctx, views, finder }: ReadRouteNeeds): Route[] {
  const alike = createAlikePosts(ctx, finder)

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
      params: async ({ query }) => ({ title: query.title, ns: await postsForTitle(finder, query.title) }),
    }),
    route.read(experienceCalls.related, schemas.related, {
      access: 'visitor',
      summary: 'Hot experiences with the same first tag.',
      read: reads.related,
    }),
    route.read(experienceCalls.alike, schemas.alike, {
      access: 'visitor',
      summary: 'Experiences with the words of this one in their titles, and hot ones with its first tag.',
      read: reads.alike,
      params({ query }) {
        const n = postNumber(ctx.ids, query.experience_id)
        return { ...query, ns: n === undefined ? [] : [...alike.of(n)] }
      },
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
      // Words are looked for in every title.
      lane: 'slow',
    }),
  ]
}
