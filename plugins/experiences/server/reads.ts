import type { ReadContext } from '@stoa/sdk/server'
import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { ownComments } from '../../comments/shared/api.ts'
import { searchResults } from '../../search/shared/api.ts'
import { ownVotes } from '../../votes/shared/api.ts'
import type { PostFacts } from '../shared/api.ts'
import { experienceCards, experienceItems, experienceView } from '../shared/api.ts'
import { infoOf, viewOf, writtenOf } from './detail/read-detail.ts'
import { fillOwnComments, fillOwnVotes } from './lists/fill-personal-rows.ts'
import { adminPage } from './lists/read-admin.ts'
import { itemsOf, linkedPage, listPage, relatedPage } from './lists/read-lists.ts'
import { personalPage, topOf } from './lists/read-people.ts'
import { fillSearchResults } from './lists/read-search.ts'
import { similarTitles } from './lists/read-similar.ts'
import { reads } from './read-tokens.ts'
import { facts, postRows } from './store/rows.ts'
import type { Tables } from './store/tables.ts'

async function cardsOf(ctx: ReadContext<Tables>, { ns }: { ns: number[] }): Promise<Record<number, PostFacts>> {
  const rows = await postRows(ctx.db, ns)
  return Object.fromEntries(rows.map((row) => [row.id, facts(row, ctx.ids.encode('experience', row.id))]))
}

export default defineReads({
  functions: [
    reading(reads.page, listPage),
    reading(reads.info, infoOf),
    reading(reads.written, writtenOf),
    reading(reads.related, relatedPage),
    reading(reads.linked, linkedPage),
    reading(reads.similar, similarTitles),
    reading(reads.personal, personalPage),
    reading(reads.top, topOf),
    reading(reads.admin, adminPage),
    reading(experienceCards, cardsOf),
    reading(experienceItems, itemsOf),
    reading(experienceView, viewOf),
  ],
  decorators: [decorating(searchResults, fillSearchResults), decorating(ownVotes, fillOwnVotes), decorating(ownComments, fillOwnComments)],
})
