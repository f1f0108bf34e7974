import type { SiteState } from '@stoa/sdk/web'
import { experiencePath } from '../shared/light.ts'

/** Permalink mode of the site; 1 until settings are there. */
export const permalinkOf = (site: SiteState): number => Number(site.site_seo?.permalink) || 1

/** Address of a post on this site. */
export const pathOf = (site: SiteState, post: { id: string; url_title?: string }, answerId?: string): string =>
  experiencePath(permalinkOf(site), post, answerId)

/** Reads a page number from a query; anything odd is the first page. */
export function pageNumber(query: URLSearchParams): number {
  const page = Number(query.get('page'))
  return Number.isSafeInteger(page) && page > 0 ? page : 1
}

/** How a tag looks as a chip: `reserved` ones may be used by staff only. */
export const chipOf = (tag: { slug_name: string; display_name: string; reserved: boolean; recommend: boolean }) => ({
  name: tag.display_name || tag.slug_name,
  to: `/tags/${encodeURIComponent(tag.slug_name)}`,
  look: tag.reserved ? ('guarded' as const) : tag.recommend ? ('accent' as const) : ('plain' as const),
})
