import type { ReadContext } from '@stoa/sdk/server'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { siteGroup } from '../../site/shared/api.ts'

export interface TagMarks {
  /** Slugs the owner recommends; shown as such only where one of them is required. */
  recommended: string[]
  of(slug: string): { recommend: boolean; reserved: boolean }
}

/** Which tags the owner recommends or reserves, from the settings. */
export const tagMarks = (ctx: ReadContext): Promise<TagMarks> => ctx.remember('tags.marks', () => readMarks(ctx))

async function readMarks(ctx: ReadContext): Promise<TagMarks> {
  const write = (await ctx.call(siteGroup, { group: 'write' })) as SettingsGroups['write']
  const recommended = write.recommend_tags.map((tag) => tag.slug_name)
  const reserved = new Set(write.reserved_tags.map((tag) => tag.slug_name))
  const shown = new Set(write.required_tag ? recommended : [])
  return { recommended, of: (slug) => ({ recommend: shown.has(slug), reserved: reserved.has(slug) }) }
}
