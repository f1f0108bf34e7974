import { escapeHtml } from '@stoa/sdk/server'
import type { CoreManifest } from '../../core/build.ts'
import { inlineJson } from '../../sdk/pages/inline-json.ts'
import type { PageState } from '../../sdk/pages/page-state.ts'
import { CORE_FILES, PAGE_STATE_ID, primaryAddress, startAddress } from '../../sdk/pages/page-state.ts'
import { appearanceOf } from '../../sdk/pages/site-facts.ts'
import type { Head } from '../../sdk/web/page.ts'
import type { SiteState } from '../../sdk/web/page-facts.ts'
import type { DrawnParts } from './drawn-parts.ts'
import { sheetLink, writtenOnce } from './drawn-parts.ts'
import type { DocumentLink } from './links.ts'

/** All but what the renderer has written already, and what stands in {@link DrawnParts}. */
export type DocumentState = Pick<PageState, 'map' | 'site' | 'scheme' | 'lists' | 'zone' | 'at' | 'failed' | 'form' | 'rendered'>

export interface DocumentParts {
  core: CoreManifest
  state: DocumentState
  /** Members `page` and `replies` of the state, as JSON for a document. */
  content: string
  title: string
  head: Head
  /** Of the renderer, in UTF-8. */
  html: Uint8Array
  parts: DrawnParts
  /** Of the owner, for every page. */
  metas: readonly { kind: string; name: string; content: string }[]
  /** Address of the owner's own styles. */
  ownSheet: string | undefined
  /** Absolute address of the site, without a slash at the end. */
  siteUrl: string
  path: string
  links: readonly DocumentLink[]
  noscript: string
  /** The way out for a member without scripts. */
  logout?: { path: string; text: string }
  /** Says above the page that it is not what others see, and leads out. */
  strip?: { text: string; leave: string }
  /** Somebody is logged in. The HTML is a visitor's all the same; only the room it keeps is a member's. */
  isMember: boolean
}

/** In pieces, texts among them not yet encoded. */
function stateOf({ map, site, ...state }: DocumentState, parts: DrawnParts, content: string): (string | Buffer)[] {
  const start = inlineJson(startAddress(map.tag, map.language))
  return [`{"start":${start},"site":`, writtenOnce(site), ',', ...parts.state, `,${content},${inlineJson(state).slice(1)}`]
}

const meta = (name: string, content: string | undefined): string =>
  content ? `<meta name="${name}" content="${escapeHtml(content)}">` : ''
const property = (name: string, content: string | undefined): string =>
  content ? `<meta property="${name}" content="${escapeHtml(content)}">` : ''
const attribute = (name: string, value: string | undefined): string => (value ? ` ${name}="${escapeHtml(value)}"` : '')
const link = ({ rel, type, href, title }: DocumentLink): string =>
  `<link${attribute('rel', rel)}${attribute('type', type)}${attribute('href', href)}${attribute('title', title)}>`
/**
 * The whole document. No inline script, no inline style: data travels as JSON. What paints comes first (styles, then the HTML), what makes
 * it react waits behind: a browser has six connections and one line.
 */
export function makeDocument(given: DocumentParts): Buffer {
  const { core, state, parts, html } = given
  const main = CORE_FILES + core.entry
  const language = state.map.language.replace('_', '-')
  const opening = [
    `<!doctype html><html lang="${escapeHtml(language)}" data-scheme="${escapeHtml(state.scheme)}"${state.lists ? ` data-lists="${escapeHtml(state.lists)}"` : ''}${given.isMember ? ' data-member=""' : ''}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    headTags(given),
    parts.sheets,
    ownSheets(given),
    `<script type="module" fetchpriority="low" src="${main}" integrity="${core.integrity[core.entry] ?? ''}"></script>`,
    `<link rel="preload" as="fetch" crossorigin fetchpriority="low" href="${escapeHtml(startAddress(state.map.tag, state.map.language))}">`,
    parts.scripts,
    `</head><body>${stripOf(given)}<noscript><p class="stoa-noscript">${escapeHtml(given.noscript)}${logoutOf(given)}</p></noscript><div id="root">`,
  ]
  const pieces = [
    opening.join(''),
    html,
    `</div><script type="application/json" id="${PAGE_STATE_ID}">`,
    ...stateOf(state, parts, given.content),
    '</script></body></html>',
  ]
  return oneBuffer(pieces)
}

/** Into one buffer at once: pieces that are encoded first are garbage outside of the heap, which is collected late. */
function oneBuffer(pieces: readonly (string | Uint8Array)[]): Buffer {
  const all = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0))
  let end = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') end += all.write(piece, end)
    else {
      all.set(piece, end)
      end += piece.length
    }
  }
  return all
}

/** A form: it works without any script, and no link handling of the page takes it over. */
function stripOf({ strip }: DocumentParts): string {
  if (!strip) return ''
  return `<form class="stoa-strip" action="/"><span>${escapeHtml(strip.text)}</span><button name="safe" value="off">${escapeHtml(strip.leave)}</button></form>`
}

const logoutOf = ({ logout }: DocumentParts): string =>
  logout ? ` <a href="${escapeHtml(logout.path)}">${escapeHtml(logout.text)}</a>` : ''

function headTags({ title, head, state, siteUrl, path, links, metas }: DocumentParts): string {
  const { site } = state
  const canonical = head.canonical === undefined ? undefined : new URL(head.canonical, `${siteUrl}/`).href
  const name = site.general?.name
  const picture = head.image || site.branding?.square_icon || site.branding?.logo
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
    property('og:image', picture && URL.canParse(picture, siteUrl) ? new URL(picture, siteUrl).href : undefined),
    meta('twitter:card', head.image ? 'summary_large_image' : 'summary'),
    iconAndColors(state),
    ...links.map(link),
    ...metas.map(({ kind, name, content }) => (kind.toLowerCase() === 'name' ? meta(name, content) : property(name, content))),
    head.jsonLd ? `<script type="application/ld+json">${inlineJson(head.jsonLd)}</script>` : '',
  ].join('')
}

/** By scheme, of a site that is the same object on many pages. */
const iconsAndColors = new WeakMap<SiteState, Map<string, string>>()

function iconAndColors(state: DocumentState): string {
  const { site, scheme } = state
  const known = iconsAndColors.get(site) ?? new Map<string, string>()
  iconsAndColors.set(site, known)
  const tags = known.get(scheme) ?? `<link rel="icon" href="${escapeHtml(iconOf(state))}">${barColors(state)}`
  known.set(scheme, tags)
  return tags
}

const iconOf = (state: DocumentState): string => state.site.branding?.favicon || state.site.branding?.square_icon || letterIcon(state)

/** What stands in for a picture of the site: the first letter of its name on its colour. */
function letterIcon({ site }: DocumentState): string {
  const letter = [...(site.general?.name ?? '')].find((one) => /[\p{L}\p{N}]/u.test(one))?.toUpperCase() ?? 'S'
  const color = (appearanceOf(site).color ?? '#0033ff').slice(1)
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  const ink = red * 0.299 + green * 0.587 + blue * 0.114 > 150 ? '000' : 'fff'
  const text = `<text x='32' y='46' font-size='40' font-family='sans-serif' font-weight='700' text-anchor='middle' fill='%23${ink}'>${letter}</text>`
  return `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 64 64'><rect width='64' height='64' rx='14' fill='%23${color}'/>${text}</svg>`
}

/** The colour around the page, such as a phone's status bar: that of the header, see `tokens.css`. */
function barColors({ site, scheme }: DocumentState): string {
  const { color, header } = appearanceOf(site)
  const from = `oklch(from ${color || '#0033ff'}`
  const light = header === 'colored' ? color || '#0033ff' : `${from} 0.993 min(calc(c * 0.012), 0.004) h)`
  const dark = header === 'colored' ? `${from} 0.27 min(c, 0.09) h)` : `${from} 0.18 min(calc(c * 0.05), 0.014) h)`
  const one = (content: string, media = '') => `<meta name="theme-color" content="${escapeHtml(content)}"${media}>`
  if (scheme !== 'system') return one(scheme === 'dark' ? dark : light)
  return one(light, ' media="(prefers-color-scheme: light)"') + one(dark, ' media="(prefers-color-scheme: dark)"')
}

/** Of the site: its colour, then its owner's own, so that it wins. */
function ownSheets({ state, ownSheet }: DocumentParts): string {
  const { color } = appearanceOf(state.site)
  const primary = color ? sheetLink(primaryAddress(color), undefined, ' data-primary') : ''
  return primary + (ownSheet ? sheetLink(ownSheet, undefined, ' data-own') : '')
}
