import type { PostRow } from '../../experiences/shared/api.ts'

/** Replies of our calls, as pages read them. */
export interface BasicTag {
  slug_name: string
  display_name: string
  recommend: boolean
  reserved: boolean
}

export interface TagItem extends BasicTag {
  tag_id: string
  description: string
  parsed_text: string
  original_text: string
  experience_count: number
  created_at: number
}

export interface TagDetail extends TagItem {
  status: string
  main_tag_slug_name: string
  member_actions: { action: string; name: string; type: string }[]
}

export interface TagList {
  count: number
  list: TagItem[]
}

export interface Posts {
  count: number
  list: PostRow[]
}

export const api = '/answer/api/v1'
export const tagPath = (slug: string): string => `/tags/${encodeURIComponent(slug)}`

/** Reads a page number from a query; anything odd is the first page. */
export function pageNumber(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}
