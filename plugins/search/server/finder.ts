import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { SearchFinder, SearchHits, SearchQuery, searchEngine } from '../shared/api.ts'
import { queryForEngines } from './earlier-contract.ts'
import { searchHits } from './read-tokens.ts'

export interface FinderNeeds {
  ctx: Pick<ServerContext, 'read' | 'log'>
  engine: Wanted<typeof searchEngine>
  kinds: () => string[]
  /** The engine plugin has been given everything. */
  engineIsReady: () => boolean
}

export interface Finder extends SearchFinder {
  /** Hits of an engine plugin; undefined when there is none, it is not filled yet or fails, and the built-in one has to do. */
  elsewhere(query: SearchQuery): Promise<SearchHits | undefined>
}

/** Asks the engine plugin if one is on, else the built-in engine. */
export function createFinder({ ctx, engine, kinds, engineIsReady }: FinderNeeds): Finder {
  const elsewhere = async (query: SearchQuery) => {
    // Engines of before would leave this condition out and show the rest.
    if (query.among) return undefined
    try {
      return engineIsReady() ? await engine.current?.search(queryForEngines(query)) : undefined
    } catch (error) {
      ctx.log.warn('The search engine failed; the built-in one answers', { error: String(error) })
      return undefined
    }
  }
  return {
    elsewhere,
    search: async (query) => (await elsewhere(query)) ?? ctx.read(searchHits, { query, kinds: kinds() }, { lane: 'slow' }),
  }
}
