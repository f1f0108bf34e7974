import type { ReadContext } from '@stoa/sdk/server'
import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { ownComments } from '../../comments/shared/api.ts'
import { searchResults } from '../../search/shared/api.ts'
import { ownVotes } from '../../votes/shared/api.ts'
import type { PostFacts } from '../shared/api.ts'
import { experienceCards, experienceItems, experienceView } from '../shared/api.ts'
import { fillOwnComments, fillOwnVotes } from './fill-personal-rows.ts'
import { adminPage } from './read-admin.ts'
import { infoOf, viewOf, writtenOf } from './read-detail.ts'
import { itemsOf, linkedPage, listPage, relatedPage } from './read-lists.ts'
import { personalPage, topOf } from './read-people.ts'
import { fillSearchResults } from './read-search.ts'
import { similarTitles } from './read-similar.ts'
import { reads } from './read-tokens.ts'
import { facts, postRows } from './rows.ts'
import type { Tables } from './tables.ts'

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
