import type { ReadContext } from '@stoa/sdk/server'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'

export interface PublicIds {
  experience(n: number): string
  answer(n: number): string
}

/** Writes public ids as the site's permalink wants them: short under 3 and 4. */
export async function publicIds(ctx: ReadContext): Promise<PublicIds> {
  const { permalink } = (await ctx.call(siteGroup, { group: 'seo' })) as SettingsGroups['seo']
  const write = permalink === 3 || permalink === 4 ? ctx.ids.short : ctx.ids.encode
  return { experience: (n) => write('experience', n), answer: (n) => write('answer', n) }
}
