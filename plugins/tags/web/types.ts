import type { ReplyOf } from '@stoa/sdk'
import type { tagCalls } from '../shared/api.ts'

/** Replies of our calls, as pages read them. */
export type TagList = ReplyOf<typeof tagCalls.page>
export type TagItem = TagList['list'][number]
export type TagDetail = ReplyOf<typeof tagCalls.info>
export type BasicTag = ReplyOf<typeof tagCalls.suggest>[number]
export type SynonymList = ReplyOf<typeof tagCalls.synonyms>

export const tagPath = (slug: string): string => `/tags/${encodeURIComponent(slug)}`

/** What the button that follows a tag needs. */
export const followPlace = (tag: TagDetail) => ({
  id: tag.tag_id,
  name: tag.display_name,
  count: tag.follow_count,
  followed: tag.is_follower,
})

/** Reads a page number from a query; anything odd is the first page. */
export function pageNumber(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
