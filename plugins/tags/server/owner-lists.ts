import type { ServerContext } from '@stoa/sdk/server'
import type { SettingsGroups, SiteSettings } from '../../site/shared/api.ts'
import { siteHooks } from '../../site/shared/api.ts'
import { listRefusals } from './errors.ts'
import type { Tables } from './tables.ts'
import { tagStatus } from './tables.ts'
import { tagsBySlug } from './tag-rows.ts'

const fields = ['recommend_tags', 'reserved_tags'] as const

/** Refuses lists of recommended or reserved tags (settings group `write`) with anything but main tags that are there. */
export function checkOwnerLists(ctx: ServerContext<Tables>): void {
  ctx.on(siteHooks.saving, async ({ group, values }) => {
    if (group !== 'write') return
    for (const field of fields) {
      const slugs = (values as SettingsGroups['write'])[field].map((tag) => tag.slug_name)
      const rows = await tagsBySlug(ctx.db.query, slugs)
      const unknown = slugs.filter((slug) => rows.get(slug)?.status !== tagStatus.available)
      if (unknown.length > 0) throw listRefusals.unknown(field, unknown)
      const synonyms = slugs.filter((slug) => (rows.get(slug)?.main_id ?? 0) > 0)
      if (synonyms.length > 0) throw listRefusals.synonyms(field, synonyms)
    }
  })
}

/**
 * Keeps the owner's lists true to the tags; in the caller's transaction.
 * @param now name of the tag from here on, or null when it is no main tag any more
 */
export async function followTag(settings: SiteSettings, slug: string, now: { slug: string; displayName: string } | null): Promise<void> {
  const write = await settings.get('write')
  for (const field of fields) {
    if (!write[field].some((tag) => tag.slug_name === slug)) continue
    const list = write[field].flatMap((tag) => {
      if (tag.slug_name !== slug) return [tag]
      return now ? [{ slug_name: now.slug, display_name: now.displayName }] : []
    })
    await settings.set('write', { [field]: list })
  }
}
