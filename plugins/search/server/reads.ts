import type { ReadContext } from '@stoa/sdk/server'
import { defineReads, reading } from '@stoa/sdk/server'
import type { SearchHits, SearchQuery, SearchResult } from '../shared/api.ts'
import { searchDocuments, searchFound, searchResults } from '../shared/api.ts'
import { completionsOf } from './completions.ts'
import { withParent, withParentAsked } from './earlier-contract.ts'
import { findCached } from './find-cached.ts'
import type { SearchReply } from './read-tokens.ts'
import { completeDocuments, completions, searchHits, searchPage, searchQuery } from './read-tokens.ts'
import { resolveQuery } from './resolve-query.ts'
import type { SearchTables } from './tables.ts'
import { VERSION } from './tables.ts'
import { textIndexOf } from './text-index.ts'

/** Searches the built-in index among the kinds that have a source now. */
async function find(ctx: ReadContext<SearchTables>, query: SearchQuery, kinds: string[]): Promise<SearchHits> {
  const progress = await ctx.remember(
    'search.progress',
    () => ctx.db.selectFrom('search__progress').select(['kind', 'position']).execute(),
    { table: 'search__progress', columns: ['kind', 'position'] },
  )
  const allThere = progress.every(({ kind }) => kind.startsWith('@') || kinds.includes(kind))
  const version = progress.find(({ kind }) => kind === VERSION)?.position ?? 0
  return findCached(
    { db: ctx.db, dialect: ctx.dialect, index: textIndexOf(ctx.dialect), query: withParentAsked(query), kinds: allThere ? null : kinds },
    version,
  )
}

/** Results as the protocol has them; what its owner does not fill (hidden since, or its plugin is off) is left out. */
async function compose(ctx: ReadContext, query: SearchQuery, { total, hits }: SearchHits): Promise<SearchReply> {
  const words = [...query.phrases, ...query.words]
  const results = hits.map(({ kind, n }): SearchResult => ({ kind, n, words, view: { object_type: kind, object: null } }))
  await ctx.decorate(searchResults, results)
  const found = results.filter(({ view }) => view.object)
  await ctx.decorate(searchFound, found)
  const list = found.flatMap(({ view: { object_type, object } }) => (object ? [{ object_type, object }] : []))
  return { count: total, list }
}

export default defineReads({
  functions: [
    reading(searchQuery, resolveQuery),
    reading(completions, completionsOf),
    reading(completeDocuments, async (ctx, { documents }) => {
      const complete = documents.map(withParent)
      await ctx.decorate(searchDocuments, complete)
      return complete
    }),
    reading(searchHits, (ctx, { query, kinds }) => find(ctx, query, kinds)),
    reading(searchPage, async (ctx, { kinds, hits, ...page }) => {
      const query = await resolveQuery(ctx, page)
      if (!query) return { count: 0, list: [] }
      return compose(ctx, query, hits ?? (await find(ctx, query, kinds)))
    }),
  ],
})
