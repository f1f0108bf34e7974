import type { LinkContribution } from '@stoa/sdk/manifest'
import type { RenderReply } from '../../core/entry/render-types.ts'
import type { PluginSet } from '../shared/types.ts'

/** A `<link>` as it stands in a document. */
export type DocumentLink = Omit<LinkContribution, 'path'>

/** What the plugins of a set link a page to. @param text of a key in a plugin's own namespace */
export function linksOf(set: PluginSet, route: RenderReply['route'], text: (slug: string, key: string) => string): DocumentLink[] {
  return set.plugins.flatMap(({ manifest: { slug, contributes } }) =>
    (contributes.links ?? []).flatMap(({ path, href, title, ...link }) => {
      if (path !== undefined && !(route && [path].flat().includes(route.path))) return []
      const address = href.replace(/:(\w+)/g, (whole, name: string) => {
        const value = route?.params[name]
        return value === undefined ? whole : encodeURIComponent(value)
      })
      return [{ ...link, href: address, ...(title && { title: text(slug, title) }) }]
    }),
  )
}
