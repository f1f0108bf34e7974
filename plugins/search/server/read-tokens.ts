import { read } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { CompletionOption, SearchDocument, SearchHits, SearchQuery } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import type { PageOf } from './resolve-query.ts'

export type SearchReply = Static<typeof schemas.search.reply>

/** `GET search`. `kinds`: kinds that have a source; `hits`: of an engine other than the built-in one. */
export const searchPage = read<PageOf & { kinds: string[]; hits?: SearchHits }, SearchReply>('search.page')
/** Names that what is typed may mean: other plugins', then people. */
export const completions = read<{ q: string }, CompletionOption[]>('search.completions')
/** A query with its names looked up, for engines outside of the read workers. */
export const searchQuery = read<PageOf, SearchQuery | null>('search.resolved')
/** Documents as their source gave them, with what others add. */
export const completeDocuments = read<{ documents: SearchDocument[] }, SearchDocument[]>('search.completeDocuments')
/** The built-in engine. */
export const searchHits = read<{ query: SearchQuery; kinds: string[] }, SearchHits>('search.hits')
