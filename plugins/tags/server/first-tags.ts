import { fieldErrors } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import { kernelHooks } from '@stoa/sdk/server'
import { isSlug, isTooLong, slugOf } from './slug.ts'
import type { Tables } from './tables.ts'
import type { TagStore } from './tag-store.ts'

/** So many may be named when a site is set up. */
const mostFirstTags = 20

/** A fresh site has a few tags: newcomers have to choose one for a post and may make none. */
export function createFirstTags(ctx: ServerContext<Tables>, tags: TagStore): void {
  ctx.on(kernelHooks.installed, async ({ adminId, language, extra }) => {
    const names = typeof extra.tags === 'string' ? extra.tags : (commonNames(ctx, language) ?? commonNames(ctx, 'en_US') ?? '')
    for (const [slug, displayName] of namesIn(names)) await tags.create({ slug, displayName, text: '' }, adminId)
  })
}

/** What a site begins with in a language; undefined in one that a plugin adds, of which this one knows nothing. */
const commonNames = ({ host }: ServerContext<Tables>, language: string): string | undefined =>
  (host.texts.tree(language).tags as { first?: { names: string } } | undefined)?.first?.names

/** @throws a form error about the field `tags` */
function namesIn(text: string): Map<string, string> {
  const names = text
    .split(/[,，、\n]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const bySlug = new Map(names.map((name) => [slugOf(name), name]))
  if (bySlug.size > mostFirstTags) throw fieldErrors({ tags: 'tag.too_many_first' })
  if (names.some(isTooLong)) throw fieldErrors({ tags: 'tag.name_long' })
  if ([...bySlug.keys()].some((slug) => !isSlug(slug))) throw fieldErrors({ tags: 'tag.name_invalid' })
  return bySlug
}
