import { escapeHtml } from '@stoa/sdk/server'
import type { CoreManifest } from '../../core/build.ts'
import type { PageState, WebFacts } from '../../sdk/pages/page-state.ts'
import { filesOf, PAGE_STATE_ID, primaryAddress } from '../../sdk/pages/page-state.ts'
import { appearanceOf } from '../../sdk/pages/site-facts.ts'
import type { Head } from '../../sdk/web/page.ts'

export interface DocumentParts {
  core: CoreManifest
  state: PageState
  title: string
  head: Head
  html: string
  /** Kit components whose files the page uses. */
  ui: string[]
  /** Absolute address of the site, without a slash at the end. */
  siteUrl: string
  path: string
  noscript: string
  /** Says above the page that it is not what others see, and leads out. */
  strip?: { text: string; leave: string }
  /** Somebody is logged in. The HTML is a visitor's all the same; only the room it keeps is a member's. */
  isMember: boolean
}

/** JSON that cannot end the element it stands in. */
const json = (value: unknown): string =>
  JSON.stringify(value).replace(/[<\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

const meta = (name: string, content: string | undefined): string =>
  content ? `<meta name="${name}" content="${escapeHtml(content)}">` : ''
const property = (name: string, content: string | undefined): string =>
  content ? `<meta property="${name}" content="${escapeHtml(content)}">` : ''
const sheet = (href: string, integrity: string | undefined, extra = ''): string =>
  `<link rel="stylesheet" href="${escapeHtml(href)}"${integrity ? ` integrity="${integrity}"` : ''}${extra}>`
const preload = (href: string, integrity: string | undefined): string =>
  `<link rel="modulepreload" fetchpriority="low" href="${escapeHtml(href)}"${integrity ? ` integrity="${integrity}"` : ''}>`

/**
 * The whole document. No inline script, no inline style: data travels as JSON. What paints comes first (styles, then the HTML), what makes
 * it react waits behind: a browser has six connections and one line.
 */
export function makeDocument(parts: DocumentParts): string {
  const { core, state, html } = parts
  const main = `/static/core/${core.entry}`
  const language = state.map.language.replace('_', '-')
  return [
    `<!doctype html><html lang="${escapeHtml(language)}" data-scheme="${escapeHtml(state.scheme)}"${parts.isMember ? ' data-member=""' : ''}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    headTags(parts),
    styleLinks(parts),
    `<script type="module" fetchpriority="low" src="${main}" integrity="${core.integrity[core.entry] ?? ''}"></script>`,
    moduleHints(parts),
    `</head><body>${stripOf(parts)}<noscript><p class="stoa-noscript">${escapeHtml(parts.noscript)}</p></noscript><div id="root">${html}</div>`,
    `<script type="application/json" id="${PAGE_STATE_ID}">${json(state)}</script></body></html>`,
  ].join('')
}

/** A form: it works without any script, and no link handling of the page takes it over. */
function stripOf({ strip }: DocumentParts): string {
  if (!strip) return ''
  return `<form class="stoa-strip" action="/"><span>${escapeHtml(strip.text)}</span><button name="safe" value="off">${escapeHtml(strip.leave)}</button></form>`
}

function headTags({ title, head, state, siteUrl, path }: DocumentParts): string {
  const { site } = state
  const canonical = head.canonical === undefined ? undefined : new URL(head.canonical, `${siteUrl}/`).href
  const name = site.general?.name
  const icon = site.branding?.favicon || site.branding?.square_icon
  const description = head.description?.replace(/\s+/g, ' ').trim().slice(0, 240) || undefined
  return [
    `<title>${escapeHtml(title)}</title>`,
    meta('description', description),
    meta('keywords', head.keywords?.join(',')),
    meta('robots', head.noindex ? 'noindex' : undefined),
    canonical ? `<link rel="canonical" href="${escapeHtml(canonical)}">` : '',
    property('og:site_name', name),
    property('og:title', head.title ?? title),
    property('og:description', description),
    property('og:url', canonical ?? `${siteUrl}${path}`),
    property('og:type', head.jsonLd ? 'article' : 'website'),
    meta('twitter:card', 'summary'),
    icon ? `<link rel="icon" href="${escapeHtml(icon)}">` : '<link rel="icon" href="data:,">',
    head.jsonLd ? `<script type="application/ld+json">${json(head.jsonLd)}</script>` : '',
  ].join('')
}

/** Files of the page's modules with their digests, so that they arrive beside core and not after it. */
function moduleHints({ core, state, ui }: DocumentParts): string {
  const hints = new Map<string, string | undefined>()
  for (const name of ui) for (const file of core.ui[name]?.js ?? []) hints.set(`/static/core/${file}`, core.integrity[file])
  for (const [slug, module] of state.use) {
    const facts = state.facts[slug]
    const generation = generationOf(state, slug)
    if (!facts || !generation) continue
    for (const file of [facts.entry, ...(facts.modules[module]?.js ?? [])])
      hints.set(filesOf(slug, generation) + file, facts.integrity[file])
  }
  return [...hints].map(([href, integrity]) => preload(href, integrity)).join('')
}

function styleLinks({ core, state, ui }: DocumentParts): string {
  const links = new Map<string, string>()
  const own = [...core.css, ...ui.flatMap((name) => core.ui[name]?.css ?? [])]
  for (const file of own) links.set(file, sheet(`/static/core/${file}`, core.integrity[file]))
  for (const [slug, href] of state.map.styles) links.set(href, sheet(href, undefined, ` data-style="${slug}"`))
  for (const [slug, module] of state.use) {
    const facts = state.facts[slug]
    const generation = generationOf(state, slug)
    for (const file of (generation && facts?.modules[module]?.css) || []) {
      const href = filesOf(slug, generation as string) + file
      links.set(href, sheet(href, facts?.integrity[file], ` data-plugin="${slug}@${generation}"`))
    }
  }
  const { color } = appearanceOf(state.site)
  if (color) links.set('primary', sheet(primaryAddress(color), undefined, ' data-primary'))
  return [...links.values()].join('')
}

const generationOf = (state: PageState, slug: string): string | undefined => state.map.plugins.find((row) => row[0] === slug)?.[1]

/** The part of a plugin's build facts that these modules need. */
export function factsFor(web: WebFacts, modules: string[]): WebFacts {
  const chosen = Object.fromEntries(
    modules.flatMap((name) => {
      const module = web.modules[name]
      return module ? [[name, { expose: module.expose, js: module.js, css: module.css }]] : []
    }),
  )
  const files = [web.entry, ...Object.values(chosen).flatMap(({ js, css }) => [...js, ...css])]
  return {
    entry: web.entry,
    modules: chosen,
    integrity: Object.fromEntries(files.flatMap((file) => (web.integrity[file] ? [[file, web.integrity[file]]] : []))),
  }
}
