import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import type { CoreManifest } from '../../core/build.ts'
import type { PageMap, PageState } from '../../sdk/pages/page-state.ts'
import { chooseScheme, LANGUAGE_COOKIE, readCookie, SCHEME_COOKIE } from '../../sdk/pages/preferences.ts'
import { appearanceOf, privateSite } from '../../sdk/pages/site-facts.ts'
import type { SiteState } from '../../sdk/web/kernel.ts'
import type { PluginSet } from '../shared/types.ts'
import { send, vary } from './compress.ts'
import { contentPolicy, secureDocument } from './headers.ts'
import { factsFor, makeDocument } from './html.ts'
import type { PageCache } from './page-cache.ts'
import { keptPage, sendKept } from './page-cache.ts'
import { PageCalls } from './page-calls.ts'
import type { PageTexts } from './page-texts.ts'
import type { PagesOptions } from './pages-options.ts'
import type { RenderReply } from './render-messages.ts'
import type { RenderPool } from './render-pool.ts'

export interface DocumentsParts {
  options: PagesOptions
  core: CoreManifest
  pool: RenderPool
  texts: PageTexts
  mapFor(language: string, set: PluginSet): PageMap
  cache: PageCache
}

/** Everything that a document depends on beside the data. */
interface Asked {
  set: PluginSet
  map: PageMap
  language: string
  path: string
  pathname: string
  /** The visitor's own choice. */
  scheme: string | undefined
  isMember: boolean
  /** Safe mode of one admin: rendered in the browser, kept nowhere. */
  isOwnView: boolean
}

/** `isRendered`: the page that was asked for, with its data. `isWhole`: complete too, and so the same for everybody who asks for it. */
type Made = { status: number; text: string; isRendered: boolean; isWhole: boolean } | { redirect: string }

/** Longer addresses are nobody's second visit. */
const LONGEST_KEPT = 500

const numbers = new WeakMap<PluginSet, number>()
let lastNumber = 0

/** Names a set in the keys of kept pages: two sets of one epoch differ. */
function numberOf(set: PluginSet): number {
  const known = numbers.get(set)
  if (known !== undefined) return known
  numbers.set(set, ++lastNumber)
  return lastNumber
}

/** Answers addresses of pages with documents that a visitor's browser, a crawler or a reader without JavaScript can use. */
export function createDocuments({ options, core, pool, texts, mapFor, cache }: DocumentsParts) {
  const policies = new WeakMap<PluginSet, string>()

  return async function serve(req: IncomingMessage, res: ServerResponse, url: URL): Promise<void> {
    const set = options.set(req)
    const isOwnView = set !== options.set()
    const language = languageOf(req)
    const map = mapFor(language, set)
    const path = url.pathname + url.search
    let policy = policies.get(set)
    if (policy === undefined) {
      policy = contentPolicy(set)
      policies.set(set, policy)
    }
    secureDocument(res, policy)
    const { isPrivate } = options.site
    res.setHeader('Cache-Control', isOwnView ? 'no-store' : isPrivate ? 'private, no-cache' : 'no-cache')
    vary(res, 'Cookie')
    const elsewhere = detour(url.pathname, map)
    if (elsewhere !== undefined) return redirect(res, elsewhere)

    const [version, person] = await Promise.all([options.changes(), options.readCookieSession(req.headers.cookie)])
    // Absent and unknown choices are the same one.
    const scheme = chooseScheme(readCookie(req.headers.cookie, SCHEME_COOKIE), '')
    const own = readCookie(req.headers.cookie, SCHEME_COOKIE) === scheme ? scheme : undefined
    const asked: Asked = { set, map, language, path, pathname: url.pathname, scheme: own, isMember: person !== null, isOwnView }
    const newCalls = () => new PageCalls((url) => options.dispatch({ method: 'GET', url, headers: { 'accept-language': language } }))
    if (isOwnView || isPrivate || path.length > LONGEST_KEPT) {
      const made = await make(asked, newCalls())
      return 'redirect' in made ? redirect(res, made.redirect) : send(req, res, made.status, 'text/html; charset=utf-8', made.text)
    }
    let made: Made | undefined
    const key = JSON.stringify([numberOf(set), path, language, own ?? '', asked.isMember])
    const kept = await cache.get(key, version, async (before) => {
      const calls = newCalls()
      if (before && (await calls.areStill(before.sources))) return before
      made = await make(asked, calls)
      return 'text' in made && made.isWhole ? keptPage(made.text, await calls.sources()) : undefined
    })
    if (!kept) made ??= await make(asked, newCalls())
    if (made && 'redirect' in made) return redirect(res, made.redirect)
    if (kept) await sendKept(req, res, kept)
    else if (made) await send(req, res, made.status, 'text/html; charset=utf-8', made.text)
    if (req.method === 'GET' && (kept || made?.isRendered)) options.served(req, { path: url.pathname, person })
  }

  async function make({ set, map, language, path, pathname, scheme: own, isMember, isOwnView }: Asked, calls: PageCalls): Promise<Made> {
    const site = await siteState(map, calls)
    const scheme = chooseScheme(own, appearanceOf(site).scheme)
    const at = options.now()
    const jobTexts = { core: texts.tree('core', language) }
    let page: RenderReply | undefined
    try {
      if (!isOwnView) page = await pool.render(set, { url: path, state: { map, site, scheme, at, texts: jobTexts } }, calls)
    } catch (error) {
      options.log('warn', 'A page is left to the browser', { path: pathname, error: String(error) })
    }
    for (const fault of page?.faults ?? [])
      options.onFault(ownerOf(set, fault) ?? page?.failed[0]?.split('/')[0] ?? 'kernel', pathname, renderFault(fault))
    for (const [slug, fault] of page?.charged ?? []) options.onFault(slug, pathname, renderFault(fault))
    if (page?.redirect !== undefined) return { redirect: page.redirect }

    const namespaces = new Set(['core', ...(page?.namespaces ?? []), ...(page?.use ?? []).map(([slug]) => slug)])
    const state: PageState = {
      map,
      site,
      scheme,
      at,
      texts: Object.fromEntries([...namespaces].map((namespace) => [namespace, texts.tree(namespace, language)])),
      facts: factsOf(set, page?.use ?? []),
      page: page?.page ?? null,
      replies: page?.replies ?? {},
      use: page?.use ?? [],
      failed: page?.failed ?? [],
      rendered: page !== undefined,
    }
    const text = makeDocument({
      core,
      state,
      html: page?.html ?? '',
      ui: kitOf(set, page?.use ?? []),
      title: page?.title ?? site.general?.name ?? 'Stoa',
      head: page?.head ?? {},
      siteUrl: options.site.url,
      path: pathname,
      ...(isOwnView && {
        strip: { text: texts.text('core', 'safe_view', language), leave: texts.text('core', 'safe_view_leave', language) },
      }),
      noscript: texts.text('core', 'noscript', language),
      isMember,
    })
    const status = page?.status ?? 200
    const isRendered = page !== undefined && status === 200
    const isWhole = isRendered && page?.faults.length === 0 && page.charged.length === 0 && page.failed.length === 0
    return { status, text, isRendered, isWhole }
  }

  function languageOf(req: IncomingMessage): string {
    const wanted = readCookie(req.headers.cookie, LANGUAGE_COOKIE)
    return options.languages().some(({ code }) => code === wanted) ? (wanted as string) : options.site.language
  }

  /** Before the site is set up every page leads to the wizard; after, the wizard leads home. */
  function detour(pathname: string, map: PageMap): string | undefined {
    const install = map.places.install
    if (install === undefined) return undefined
    const isThere = pathname === install || pathname.startsWith(`${install}/`)
    if (options.site.installed) return isThere ? '/' : undefined
    return isThere ? undefined : install
  }

  /** What the site says of itself, asked for as the visitor; the kernel's own facts where no plugin answers. */
  async function siteState(map: PageMap, calls: PageCalls): Promise<SiteState> {
    const { site } = options
    const own: SiteState = {
      general: { name: site.name, description: '', short_description: '', site_url: site.url },
      interface: { language: site.language, time_zone: 'UTC' },
    }
    const asked = map.boot.site === undefined ? null : await ask(map.boot.site, calls)
    const state: SiteState = { ...own, ...asked }
    return site.isPrivate ? privateSite(state) : state
  }

  async function ask(url: string, calls: PageCalls): Promise<SiteState | null> {
    try {
      const { status, body } = await calls.call(url)
      return status === 200 ? ((JSON.parse(body) as { data: SiteState | null }).data ?? null) : null
    } catch (error) {
      options.log('warn', 'The site state could not be asked for', { url, error: String(error) })
      return null
    }
  }
}

/** The plugin whose file stands first in a stack of the render worker. */
function ownerOf(set: PluginSet, stack: string): string | undefined {
  const found = set.plugins
    .filter(({ folder }) => folder !== '')
    .map(({ manifest, folder }) => ({ slug: manifest.slug, at: stack.indexOf(pathToFileURL(`${folder}/`).href) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  return found[0]?.slug
}

/** An error as the worker described it: message, then stack. */
function renderFault(text: string): Error {
  const [message = ''] = text.split('\n', 1)
  return Object.assign(new Error(message), { stack: text })
}

function factsOf(set: PluginSet, use: [slug: string, module: string][]): PageState['facts'] {
  const facts: PageState['facts'] = {}
  for (const { manifest } of set.plugins) {
    const modules = use.filter(([slug]) => slug === manifest.slug).map(([, module]) => module)
    if (manifest.build.web && modules.length > 0) facts[manifest.slug] = factsFor(manifest.build.web, modules)
  }
  return facts
}

/** Components of the kit that the page's modules draw with. */
function kitOf(set: PluginSet, use: [slug: string, module: string][]): string[] {
  const bySlug = new Map(set.plugins.map(({ manifest }) => [manifest.slug, manifest.build.web]))
  return [...new Set(use.flatMap(([slug, module]) => bySlug.get(slug)?.modules[module]?.ui ?? []))]
}

/** Only to a path of this site, whatever a plugin says. */
function redirect(res: ServerResponse, target: string): void {
  const safe = /^\/(?![/\\])/.test(target) ? target : '/'
  res.writeHead(302, { Location: encodeURI(decodeURI(safe)) })
  res.end()
}
