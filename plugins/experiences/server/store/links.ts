import { decodeId } from '@stoa/sdk'
import { postKinds } from '../../shared/api.ts'

const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
const hash = /(^|[\s(（，。、,;；])#(\d{17})(?!\d)/gm

const isPost = (id: string): boolean => decodeId(id)?.kind === postKinds.experience

/** Turns `#<id>` outside of code into a link to that post. */
export function linkPostNumbers(content: string): string {
  return content
    .split(code)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(hash, (text, before, id) => (isPost(id) ? `${before}[#${id}](/experiences/${id})` : text)),
    )
    .join('')
}

/**
 * Running numbers of the posts a text links to: own-site addresses `/experiences/<id>` and `#<id>`; each once.
 * @param html rendered text, so that code and foreign addresses do not count
 * @param siteUrl absolute address of the site, without a slash at the end
 */
export function linkedPosts(html: string, siteUrl: string): number[] {
  const found = new Set<number>()
  for (const [, target] of html.matchAll(/<a\s[^>]*?href="([^"]+)"/g)) {
    const path = target?.startsWith(`${siteUrl}/`) ? target.slice(siteUrl.length) : target
    const id = /^\/experiences\/([0-9A-Za-z]+)(?:[/?#]|$)/.exec(path ?? '')?.[1]
    const decoded = id ? decodeId(id) : null
    if (decoded?.kind === postKinds.experience) found.add(decoded.n)
  }
  return [...found]
}
