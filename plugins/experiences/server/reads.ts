import type { ReadContext } from '@stoa/sdk/server'
import { decorating, defineReads, filtering, reading } from '@stoa/sdk/server'
import { rewardedObjects, shownRewards } from '../../accounts/shared/api.ts'
import { ownBookmarks, shownBookmarks } from '../../bookmarks/shared/api.ts'
import { ownComments } from '../../comments/shared/api.ts'
import { historyObjects, presentTexts, revisionContents } from '../../history/shared/api.ts'
import { noticeObjects } from '../../notifications/shared/api.ts'
import { searchResults } from '../../search/shared/api.ts'
import { ownVotes, shownVotes } from '../../votes/shared/api.ts'
import type { PostFacts } from '../shared/api.ts'
import {
  experienceCards,
  experienceItems,
  experienceSelection,
  experienceTexts,
  experienceView,
  visibleExperiences,
} from '../shared/api.ts'
import { infoOf, viewOf, writtenOf } from './detail/read-detail.ts'
import { fillContents, fillObjects, fillPresent, presentOf } from './history/read-history.ts'
import { fillOwnBookmarks, fillOwnComments, fillOwnVotes, fillRewarded, rewardedPosts, shownPosts } from './lists/fill-personal-rows.ts'
import { adminPage } from './lists/read-admin.ts'
import { alikePosts, itemsOf, linkedPage, listPage, relatedPage } from './lists/read-lists.ts'
import { personalPage, topOf } from './lists/read-people.ts'
import { fillSearchResults } from './lists/read-search.ts'
import { selectedPage } from './lists/read-selection.ts'
import { similarTitles } from './lists/read-similar.ts'
import { textsOf } from './lists/read-texts.ts'
import { fillNoticeObjects } from './read-notices.ts'
import { reads } from './read-tokens.ts'
import { facts, postRows } from './store/rows.ts'
import type { Tables } from './store/tables.ts'
import { visibleIds } from './store/visibility.ts'

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
    reading(reads.alike, alikePosts),
    reading(reads.linked, linkedPage),
    reading(reads.similar, similarTitles),
    reading(reads.personal, personalPage),
    reading(reads.top, topOf),
    reading(reads.admin, adminPage),
    reading(reads.present, presentOf),
    reading(experienceCards, cardsOf),
    reading(experienceItems, itemsOf),
    reading(experienceSelection, selectedPage),
    reading(experienceTexts, textsOf),
    reading(experienceView, viewOf),
  ],
  decorators: [
    decorating(searchResults, fillSearchResults),
    decorating(ownVotes, fillOwnVotes),
    decorating(rewardedObjects, fillRewarded),
    decorating(ownComments, fillOwnComments),
    decorating(ownBookmarks, fillOwnBookmarks),
    decorating(historyObjects, fillObjects),
    decorating(presentTexts, fillPresent),
    decorating(revisionContents, fillContents),
    decorating(noticeObjects, fillNoticeObjects),
  ],
  filters: [
    filtering(visibleExperiences, async (ctx, { listed }) => visibleIds(ctx.person, listed)),
    filtering(shownVotes, shownPosts),
    filtering(shownBookmarks, shownPosts),
    filtering(shownRewards, rewardedPosts),
  ],
})
