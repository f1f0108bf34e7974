import { fieldErrors } from '@stoa/sdk'
import type { Route, ServerContext, Wanted } from '@stoa/sdk/server'
import { escapeHtml, route } from '@stoa/sdk/server'
import type { searchEngine } from '../shared/api.ts'
import { searchCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Finder } from './finder.ts'
import { completions, searchPage, searchQuery } from './read-tokens.ts'

const SEARCHES_PER_MINUTE = 60

interface Needs {
  ctx: ServerContext
  finder: Finder
  engine: Wanted<typeof searchEngine>
  kinds: () => string[]
}

export function searchRoutes({ ctx, finder, engine, kinds }: Needs): Route[] {
  return [
    route.read(searchCalls.search, schemas.search, {
      access: 'visitor',
      summary: 'Search posts',
      read: searchPage,
      lane: 'slow',
      limit: { action: 'search', max: SEARCHES_PER_MINUTE, seconds: 60 },
      async params({ query }) {
        if (query.q.trim() === '') throw fieldErrors({ q: 'validation.required' })
        const page = { ...query, size: Math.min(query.size, schemas.SIZE.most) }
        const resolved = engine.current ? await ctx.read(searchQuery, page) : null
        const hits = resolved ? await finder.elsewhere(resolved) : undefined
        return { ...page, kinds: kinds(), ...(hits && { hits }) }
      },
    }),
    route.read(searchCalls.complete, schemas.complete, {
      access: 'visitor',
      summary: 'Names that the beginning of a query may mean, such as tags and people',
      read: completions,
      limit: { action: 'search.completion', max: 2 * SEARCHES_PER_MINUTE, seconds: 60 },
      params: ({ query }) => query,
    }),
    route(searchCalls.description, schemas.description, {
      access: 'open',
      summary: 'How browsers search here by themselves (OpenSearch)',
      raw: 'application/opensearchdescription+xml; charset=utf-8',
      handle(_request, reply) {
        reply.header('cache-control', 'public, max-age=3600')
        const address = escapeHtml(new URL('/search', ctx.site.url).href)
        // The format takes 16 and 1,024 characters.
        const [short, long] = [[...ctx.site.name].slice(0, 16).join(''), [...ctx.site.name].slice(0, 1024).join('')].map(escapeHtml)
        return [
          '<?xml version="1.0" encoding="UTF-8"?>',
          `<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>${short}</ShortName><Description>${long}</Description>`,
          `<InputEncoding>UTF-8</InputEncoding><Url type="text/html" template="${address}?q={searchTerms}"/></OpenSearchDescription>\n`,
        ].join('\n')
      },
    }),
    route(searchCalls.describe, schemas.describe, {
      access: 'visitor',
      summary: 'Which search engine is in use',
      // The built-in engine has no name to show; an engine plugin describes itself.
      handle: () => engine.current?.describe?.() ?? { name: '', icon: '', link: '' },
    }),
  ]
}
