import type { PageMap } from '../../sdk/pages/page-state.ts'

/** Stylesheets of plugins, in the document while their generation is on and set aside while it is off. */
export interface Styles {
  /** False when the document's joined sheet could not be had. */
  isWhole: boolean
  /** Resolves when the styles apply; a sheet that cannot be had does not keep the module from working. */
  add(slug: string, generation: string, href: string, integrity: string | undefined): Promise<void>
  settle(map: PageMap): void
}

/**
 * A container's own style loader never puts back a link that was removed (measured). So links are made here, before the container looks
 * for them, and only taken out of the document and put back.
 */
export function createStyles(sheets: readonly string[], { styles }: PageMap): Styles {
  const links = new Map<string, { link: HTMLLinkElement; ready: Promise<void> }>()
  const joined = openJoinedSheet(sheets, new Map(styles.map(([slug, href]) => [href, slug])))

  function adopt(href: string): HTMLLinkElement | null {
    return document.querySelector<HTMLLinkElement>(`link[rel=stylesheet][href="${href}"]`)
  }

  return {
    isWhole: joined.size === sheets.length,
    add(slug, generation, href, integrity) {
      const known = links.get(href)
      if (known) return known.ready
      const there = adopt(href)
      const link = there ?? document.createElement('link')
      link.dataset.plugin = `${slug}@${generation}`
      showAbsolute(link)
      const ready = there
        ? Promise.resolve()
        : new Promise<void>((resolve) => {
            link.rel = 'stylesheet'
            link.href = href
            if (integrity) link.integrity = integrity
            link.onload = link.onerror = () => resolve()
            document.head.append(link)
          })
      links.set(href, { link, ready })
      return ready
    },
    settle(map) {
      const on = new Set(map.plugins.map(([slug, generation]) => `${slug}@${generation}`))
      for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet][data-plugin]')) {
        const href = new URL(link.href).pathname
        if (!links.has(href)) links.set(href, { link, ready: Promise.resolve() })
      }
      for (const [href, { link }] of links) {
        const isOn = on.has(link.dataset.plugin as string)
        switchRule(joined.get(href), isOn)
        if (isOn && !link.isConnected) document.head.append(link)
        else if (!isOn && link.isConnected) link.remove()
      }
      settleOwn(map, joined)
    },
  }
}

/**
 * A container looks for its stylesheet by absolute address, documents name it by path, and changing the attribute would load it again.
 * So the link answers with the absolute address, or the container would add a second one that nobody could take out.
 */
function showAbsolute(link: HTMLLinkElement): void {
  const plain = link.getAttribute.bind(link)
  link.getAttribute = (name) => (name === 'href' ? link.href : plain(name))
}

/** Sheets that plugins contribute as a whole, such as a theme's tokens. */
function settleOwn(map: PageMap, joined: ReadonlyMap<string, CSSMediaRule>): void {
  const wanted = new Map(map.styles.map(([slug, href]) => [href, slug]))
  for (const link of document.head.querySelectorAll<HTMLLinkElement>('link[data-style]')) {
    const href = link.getAttribute('href') as string
    const isOn = wanted.delete(href)
    switchRule(joined.get(href), isOn)
    if (!isOn) link.remove()
  }
  for (const [href, slug] of wanted) {
    const link = sheetLink(href, joined.get(href))
    link.dataset.style = slug
    document.head.append(link)
  }
}

/** A stylesheet; one that stands in the joined sheet shows its address to who looks for it, and loads nothing. */
function sheetLink(href: string, rule: CSSMediaRule | undefined): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.disabled = rule !== undefined
  link.href = href
  switchRule(rule, true)
  return link
}

function switchRule(rule: CSSMediaRule | undefined, isOn: boolean): void {
  const media = isOn ? 'all' : 'not all'
  if (rule && rule.media.mediaText !== media) rule.media.mediaText = media
}

/** The document's joined sheet: one rule for each of its sheets, by address. What could not be had is loaded sheet by sheet. */
function openJoinedSheet(sheets: readonly string[], ofPlugins: ReadonlyMap<string, string>): ReadonlyMap<string, CSSMediaRule> {
  const own = document.querySelector<HTMLLinkElement>('link[rel=stylesheet][data-joined]')
  const rules = [...(own?.sheet?.cssRules ?? [])]
  if (rules.length !== sheets.length) {
    own?.remove()
    rules.length = 0
  }
  const joined = new Map(rules.map((rule, index) => [sheets[index] as string, rule as CSSMediaRule]))
  for (const [href, rule] of joined) {
    const link = sheetLink(href, rule)
    const [, slug, generation] = /^\/static\/js\/([^/]+)\/([^/]+)\//.exec(href) ?? []
    const owner = ofPlugins.get(href)
    if (owner !== undefined) link.dataset.style = owner
    else if (slug !== undefined) link.dataset.plugin = `${slug}@${generation}`
    document.head.append(link)
  }
  return joined
}
