import { call } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

// What the aside of every page needs, apart from the rest of the contract: a first view that shows no post loads nothing else.

/** Posts whose titles have the same words, then those with the same first tag. */
export const alike = call.get<typeof schemas.alike>('experience/alike')

/**
 * Address of a post, or of an answer to it, under a permalink mode (`siteinfo` → `site_seo.permalink`): 1 and 3 carry the title, 2 and 4 do not.
 * The id is taken as it came from the server, which sends the form of the mode.
 */
export function experiencePath(permalink: number, post: { id: string; url_title?: string }, answerId?: string): string {
  const title = (permalink === 1 || permalink === 3) && post.url_title ? `/${post.url_title}` : ''
  return `/experiences/${post.id}${title}${answerId ? `/${answerId}` : ''}`
}
