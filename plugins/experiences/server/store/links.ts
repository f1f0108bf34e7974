import { decodeId } from '@stoa/sdk'
import { postKinds } from '../../shared/api.ts'

/** Running number of the post, or of the post of the answer, that an own-site address names; a path counts as one. */
export function postAtAddress(address: string, siteUrl: string): number | undefined {
  const path = address.startsWith(`${siteUrl}/`) ? address.slice(siteUrl.length) : address
  const id = /^\/experiences\/([0-9A-Za-z]+)(?:[/?#]|$)/.exec(path)?.[1]
  const decoded = id ? decodeId(id) : null
  return decoded?.kind === postKinds.experience ? decoded.n : undefined
}

/**
 * Running numbers of the posts a text links to: own-site addresses `/experiences/<id>` and `#<id>`; each once.
 * @param html rendered text, so that code and foreign addresses do not count
 * @param siteUrl absolute address of the site, without a slash at the end
 */
export function linkedPosts(html: string, siteUrl: string): number[] {
  const found = [...html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)].map(([, target]) => postAtAddress(target ?? '', siteUrl))
  return [...new Set(found)].filter((n) => n !== undefined)
}
