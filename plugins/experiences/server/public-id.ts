import { encodeId } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'

/** Writes public ids as the site's permalink wants them: short under 3 and 4. */
export async function publicIds(ctx: ReadContext): Promise<(n: number) => string> {
  const seo = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  const short = seo.permalink === 3 || seo.permalink === 4
  return (n) => (short ? ctx.ids.short('experience', n) : ctx.ids.encode('experience', n))
}

/** Kind code of answers in the protocol; fixed, so that ids stay the same while the plugin that owns them is off. */
const answerKind = 2

/** Long id of an answer; `"0"` for none, as clients compare these two as numbers. */
export const answerId = (n: number): string => (n === 0 ? '0' : encodeId(answerKind, n))

/** Running number of an experience id in its long or short form; undefined for anything else. */
export function postNumber(ids: ReadContext['ids'], text: string | undefined): number | undefined {
  const decoded = text ? ids.decode(text) : null
  return decoded?.kind === 'experience' ? decoded.n : undefined
}
