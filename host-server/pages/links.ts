import type { LinkContribution } from '@stoa/sdk/manifest'
import type { PluginSet } from '../shared/types.ts'

/** A `<link>` as it stands in a document. */
export type DocumentLink = Omit<LinkContribution, 'path'>

/**
 * What the plugins of a set link a page to; addresses still have the places of the page's parameters.
 * @param route pattern of the page's address; undefined where it has none
 * @param text of a key in a plugin's own namespace
 */
export function linksOf(set: PluginSet, route: string | undefined, text: (slug: string, key: string) => string): DocumentLink[] {
  return set.plugins.flatMap(({ manifest: { slug, contributes } }) =>
    (contributes.links ?? [])
      .filter(({ path }) => path === undefined || (route !== undefined && [path].flat().includes(route)))
      .map(({ path: _, title, ...link }) => ({ ...link, ...(title && { title: text(slug, title) }) })),
  )
}

/** The link of one page. */
export function filledLink(link: DocumentLink, params: Record<string, string>): DocumentLink {
  if (!link.href.includes(':')) return link
  const href = link.href.replace(/:(\w+)/g, (whole, name: string) => {
    const value = params[name]
    return value === undefined ? whole : encodeURIComponent(value)
  })
  return { ...link, href }
}
