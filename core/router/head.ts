import type { Head, SiteState } from '@stoa/sdk/web'

/** `Title - Site`; the site's name alone where a page has no title. */
export function fullTitle(title: string | undefined, site: SiteState): string {
  const name = site.general?.name || 'Stoa'
  return title && title !== name ? `${title} - ${name}` : name
}

/** Brings the document's head up to date after a navigation; the first view has it from the server. */
export function applyHead(head: Head, site: SiteState): void {
  document.title = fullTitle(head.title, site)
  setMeta('description', head.description)
  setMeta('robots', head.noindex ? 'noindex' : undefined)
  setMeta('keywords', head.keywords?.join(','))
  const canonical = head.canonical === undefined ? undefined : new URL(head.canonical, location.origin).href
  let link = document.head.querySelector<HTMLLinkElement>('link[rel=canonical]')
  if (canonical === undefined) link?.remove()
  else {
    if (!link) {
      link = document.createElement('link')
      link.rel = 'canonical'
      document.head.append(link)
    }
    link.href = canonical
  }
}

function setMeta(name: string, content: string | undefined): void {
  let meta = document.head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)
  if (!content) {
    meta?.remove()
    return
  }
  if (!meta) {
    meta = document.createElement('meta')
    meta.name = name
    document.head.append(meta)
  }
  meta.content = content
}
