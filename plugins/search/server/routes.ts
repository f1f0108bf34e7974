import { fieldErrors } from '@stoa/sdk'
import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'
import type { searchEngine } from '../shared/api.ts'
import { MAX_QUERY_LENGTH } from '../shared/query-syntax.ts'
import type { Finder } from './finder.ts'
import { searchPage, searchQuery } from './read-tokens.ts'
import { resultsSchema } from './reply-schema.ts'

const SIZE = { usual: 30, most: 50 }
const SEARCHES_PER_MINUTE = 60

interface Needs {
  ctx: ServerContext
  finder: Finder
  engine: Wanted<typeof searchEngine>
  kinds: () => string[]
}

export function searchRoutes({ ctx, finder, engine, kinds }: Needs): Route[] {
  return [
    route({
      method: 'GET',
      path: '/answer/api/v1/search',
      access: 'visitor',
      summary: 'Search posts',
      query: Type.Object({
        q: Type.String({ minLength: 1, maxLength: MAX_QUERY_LENGTH }),
        page: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
        size: Type.Optional(Type.Integer({ minimum: 1, default: SIZE.usual })),
        order: Type.Optional(Type.Enum(['relevance', 'newest', 'active', 'score'], { default: 'relevance' })),
      }),
      reply: resultsSchema,
      read: searchPage,
      lane: 'search',
      async readParams({ query, person, ip }) {
        await ctx.limit('search', { key: person?.id ?? ip, max: SEARCHES_PER_MINUTE, seconds: 60 })
        if (query.q.trim() === '') throw fieldErrors({ q: 'validation.required' })
        const page = {
          q: query.q,
          order: query.order ?? 'relevance',
          page: query.page ?? 1,
          size: Math.min(query.size ?? SIZE.usual, SIZE.most),
        }
        const resolved = engine.current ? await ctx.read(searchQuery, page) : null
        const hits = resolved ? await finder.elsewhere(resolved) : undefined
        return { ...page, kinds: kinds(), ...(hits && { hits }) }
      },
    }),
    route({
      method: 'GET',
      path: '/answer/api/v1/search/desc',
      access: 'visitor',
      summary: 'Which search engine is in use',
      reply: Type.Object({ name: Type.String(), icon: Type.String(), link: Type.String() }),
      // The built-in engine has no name to show; an engine plugin describes itself.
      handle: () => engine.current?.describe?.() ?? { name: '', icon: '', link: '' },
    }),
  ]
}
