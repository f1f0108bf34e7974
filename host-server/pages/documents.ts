import type { IncomingMessage, ServerResponse } from 'node:http'
import { pathToFileURL } from 'node:url'
import type { CodedError } from '@stoa/sdk'
import { createTurns } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'
import type { CoreManifest } from '../../core/build.ts'
import type { PageMap, SentForm } from '../../sdk/pages/page-state.ts'
import {
  chooseLists,
  chooseScheme,
  LANGUAGE_COOKIE,
  LISTS_COOKIE,
  readCookie,
  SCHEME_COOKIE,
  ZONE_COOKIE,
} from '../../sdk/pages/preferences.ts'
import { appearanceOf, ownMetas, ownSheet, privateSite, withoutOwn, withoutOwnHead } from '../../sdk/pages/site-facts.ts'
import { isBusy } from '../../sdk/server/turns.ts'
import { isAdmin } from '../../sdk/shared/person.ts'
import type { SiteState } from '../../sdk/web/page-facts.ts'
import { isServedAnyway, RETRY_SECONDS } from '../calls/access.ts'
import type { InsideReply } from '../http/inside.ts'
import { isAhead } from '../shared/ahead.ts'
import { endOf } from '../shared/end-of.ts'
import { goneSignal } from '../shared/gone.ts'
import { timingText } from '../shared/measuring.ts'
import { negotiateLanguage } from '../shared/negotiate-language.ts'
import type { PluginSet } from '../shared/types.ts'
import type { Given } from './call-forecast.ts'
import { CallForecast } from './call-forecast.ts'
import { send, vary } from './compress.ts'
import { DrawnPartsBook } from './drawn-parts.ts'
import { contentPolicy, secureDocument } from './headers.ts'
import { makeDocument } from './html.ts'
import type { JoinedFiles } from './joined-files.ts'
import { filledLink } from './links.ts'
import { busyPage, closedPage, isWayIn } from './notice-pages.ts'
import type { KeptPage, PageCache } from './page-cache.ts'
import { keptPage, sendKept } from './page-cache.ts'
import type { SharedReplies } from './page-calls.ts'
import { digestOf, PageCalls } from './page-calls.ts'
import type { PageTexts } from './page-texts.ts'
import type { PagesOptions } from './pages-options.ts'
import type { DrawnPage, DrawnWith } from './render-messages.ts'
import type { RenderPool } from './render-pool.ts'

export interface DocumentsParts {
  options: PagesOptions
  core: CoreManifest
  pool: RenderPool
  texts: PageTexts
  mapFor(language: string, set: PluginSet): PageMap
  cache: PageCache
  replies: SharedReplies
  /** Absent where every file is loaded by itself. */
  joined: JoinedFiles | undefined
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
  lists: 'rows' | 'cards'
  isMember: boolean
  zone: string
  /** Safe mode of one admin: rendered in the browser, kept nowhere. */
  isOwnView: boolean
  /** Nobody but staff is served, for whom the browser draws: the server draws what a visitor may see. */
  isClosed: boolean
  /** Milliseconds of the renderer, once it has drawn and somebody wants to know. */
  rendered?: number
}

/** `isRendered`: the page that was asked for, with its data. `isWhole`: complete too, and so the same for everybody who asks for it. */
type Made = { status: number; body: Buffer; isRendered: boolean; isWhole: boolean } | { redirect: string }

/** In answer to a form: its page, fresh, with what is wrong. */
interface Refused {
  status: number
  form: SentForm
}

interface SaidSite {
  whole: SiteState
  /** Without the owner's own tags, which only the server writes. */
  site: SiteState
  metas: ReturnType<typeof ownMetas>
  ownSheet: string | undefined
}

const saidBy = (whole: SiteState): SaidSite => ({ whole, site: withoutOwnHead(whole), metas: ownMetas(whole), ownSheet: ownSheet(whole) })

const NOTHING = new Uint8Array()
/** A page that browsers draw. */
const NOT_DRAWN = JSON.stringify({ use: [], soon: [], namespaces: [], route: undefined } satisfies DrawnWith)

/**
 * Pages whose data is asked for or that are drawn at the same time; the others wait, in turns by who asks: who asks for a thousand waits for a
 * thousand, and everybody else for these at most. Before, one address with a thousand connections made each page of the site take 3.7 s (measured).
 */
const AT_ONCE = 8
/** Of all together. */
const MOST_WAITING = 10_000

/** After which a page is asked for again that could not be drawn, or not with its data in time; browsers go on with it themselves. */
const LATE_SECONDS = 10

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
export function createDocuments({ options, core, pool, texts, mapFor, cache, replies, joined: joinedFiles }: DocumentsParts) {
  const policies = new WeakMap<PluginSet, string>()
  const forecast = new CallForecast()
  const drawnParts = new DrawnPartsBook({ core, texts, siteLanguage: () => options.site.language, joined: joinedFiles })
  const turns = createTurns({ most: MOST_WAITING, mostOfOne: options.waitingOfOne, atOnce: AT_ONCE })
  /** The same object while the site says the same, for render workers know it by that. */
  const said = new LRUCache<string, SaidSite>({ max: 10 })

  async function serve(req: IncomingMessage, res: ServerResponse, url: URL, refused?: Refused): Promise<void> {
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
    const { isPrivate, closure } = options.site
    const isClosed = closure.degree === 'nobody'
    res.setHeader('Cache-Control', isOwnView || isClosed || refused ? 'no-store' : isPrivate ? 'private, no-cache' : 'no-cache')
    vary(res, 'Cookie')
    const elsewhere = detour(url.pathname, map)
    if (elsewhere !== undefined) return redirect(res, elsewhere)

    const since = performance.now()
    // On PostgreSQL a statement, which a page that is new waits for beside its own.
    const version = options.changes()
    version.catch(() => undefined)
    const person = await options.readCookieSession(req.headers.cookie)
    // Absent and unknown choices are the same one.
    const scheme = chooseScheme(readCookie(req.headers.cookie, SCHEME_COOKIE), '')
    const own = readCookie(req.headers.cookie, SCHEME_COOKIE) === scheme ? scheme : undefined
    const zone = zoneOf(readCookie(req.headers.cookie, ZONE_COOKIE))
    const lists = chooseLists(readCookie(req.headers.cookie, LISTS_COOKIE))
    if (isClosed && !isServedAnyway(person) && !isWayIn(map, url.pathname)) {
      res.setHeader('Retry-After', String(RETRY_SECONDS))
      const text = (key: string) => texts.text('core', key, language)
      return send(
        req,
        res,
        503,
        'text/html; charset=utf-8',
        closedPage({ core, map, siteName: options.site.name, closure, text, zone, scheme }),
      )
    }
    const asked: Asked = {
      set,
      map,
      language,
      path,
      pathname: url.pathname,
      scheme: own,
      lists,
      zone,
      isMember: person !== null,
      isOwnView,
      isClosed: isClosed && person !== null,
    }
    const sayTiming = () => {
      if (options.measuring.isOn && isAdmin(person))
        res.setHeader('Server-Timing', timingText({ total: performance.now() - since, render: asked.rendered ?? 0 }))
    }
    const dispatch = (url: string) => options.dispatch({ method: 'GET', url, headers: { 'accept-language': language } })
    const shared = `${numberOf(set)} ${language} `
    const newCalls = () => new PageCalls((url) => (isOwnView ? dispatch(url) : replies.get(shared + url, version, () => dispatch(url))))
    const mayBeKept = !isOwnView && !isClosed && !isPrivate && !refused && path.length <= LONGEST_KEPT
    const key = JSON.stringify([numberOf(set), path, language, own ?? '', lists, zone, asked.isMember])
    let made: Made | undefined
    const isNew = mayBeKept && cache.isNew(key)
    let kept = mayBeKept && !isNew ? cache.current(key, await version) : undefined
    async function makeWhole(calls: PageCalls, isKept: boolean): Promise<KeptPage | undefined> {
      made = await make(asked, calls)
      return 'body' in made && made.isWhole ? keptPage(made.body, isKept ? await calls.sources() : undefined) : undefined
    }
    async function keepOrMake(): Promise<void> {
      if (isNew) kept = await makeWhole(newCalls(), false)
      else if (mayBeKept)
        kept = await cache.get(key, await version, async (before) => {
          const calls = newCalls()
          return before && (await calls.areStill(before.sources)) ? before : await makeWhole(calls, true)
        })
      if (!kept) made ??= await make(asked, newCalls(), refused?.form)
      // Where the state of the data cannot be told, nothing that was drawn is worth being shown.
      await version
    }
    if (!kept) {
      if (res.destroyed) return
      const gone = goneSignal(res)
      let making: Promise<void> | undefined
      const begin = () => {
        making = keepOrMake()
        return endOf(making, options.roomMs)
      }
      try {
        await turns.take(begin, { of: options.whoAsks(req, person), signal: gone })
      } catch (error) {
        if (!isBusy(error)) throw error
        return gone.aborted ? undefined : await putOff(error)
      }
      await making
    }
    if (made && 'redirect' in made) return redirect(res, made.redirect)
    sayTiming()
    if (made?.status === 503) sayLater(LATE_SECONDS)
    if (kept) await sendKept(req, res, kept)
    else if (made) await send(req, res, refused?.status ?? made.status, 'text/html; charset=utf-8', made.body)
    const isVisit = mayBeKept && (kept || made?.isRendered)
    if (req.method === 'GET' && !isAhead(req.headers) && isVisit) options.served(req, { path: url.pathname, person })

    function sayLater(seconds: number): void {
      res.setHeader('Cache-Control', 'no-store')
      res.setHeader('Retry-After', String(seconds))
    }

    async function putOff(error: CodedError): Promise<void> {
      const { seconds } = error.params as { seconds: number }
      sayLater(seconds)
      const look = { core, map, siteName: options.site.name, scheme }
      await send(req, res, error.status, 'text/html; charset=utf-8', busyPage(look, options.wordsOf(error, language), seconds))
    }
  }

  async function make(asked: Asked, calls: PageCalls, form?: SentForm): Promise<Made> {
    const { set, map, language, path, pathname, scheme: own, lists, zone, isMember, isOwnView, isClosed } = asked
    const foreseen = !isOwnView && !isClosed ? calls.together(forecast.of(path)) : undefined
    const stored = await siteState(map, calls)
    const { site, metas, ownSheet } = isOwnView ? saidBy(withoutOwn(stored.whole)) : stored
    const scheme = chooseScheme(own, appearanceOf(site).scheme)
    const at = options.now()
    const look = { scheme, ...(lists === 'cards' && { lists }) }
    let page: DrawnPage | undefined
    let given: Given = new Map()
    try {
      if (foreseen)
        page = await options.measuring.render(
          async () => {
            given = await foreseen
            const told = forecast.told(path, given)
            if (told.length > 0) given = new Map([...given, ...(await calls.together(told))])
            return await pool.render(set, { url: path, state: { map, site, ...look, zone, at, ...(form && { form }) } }, calls, given)
          },
          (ms) => {
            asked.rendered = ms
          },
        )
    } catch (error) {
      options.log('warn', 'A page is left to the browser', { path: pathname, error: String(error) })
    }
    if (page?.status === 200) forecast.learn(path, page.calls, given)
    for (const fault of page?.faults ?? []) options.onFault(ownerOf(set, fault) ?? 'kernel', pathname, renderFault(fault))
    for (const [slug, fault] of page?.charged ?? []) options.onFault(ownerOf(set, fault) ?? slug, pathname, renderFault(fault))
    if (page?.redirect !== undefined) return { redirect: page.redirect }

    // Who only reads a page needs no other texts than it was drawn with.
    const groups = isMember || form ? undefined : page?.groups
    const parts = await drawnParts.of(set, map, page?.drawnWith ?? NOT_DRAWN, isMember, groups)
    const body = makeDocument({
      core,
      state: { map, site, ...look, zone, at, failed: page?.failed ?? [], ...(form && { form }), rendered: page !== undefined },
      parts,
      content: page?.content ?? '"page":null,"replies":{}',
      html: page?.html ?? NOTHING,
      title: page?.title ?? site.general?.name ?? 'Stoa',
      head: page?.head ?? {},
      siteUrl: options.site.url,
      metas,
      ownSheet,
      path: pathname,
      links: page?.status === 200 && !page.head.noindex ? parts.links.map((link) => filledLink(link, page.params)) : [],
      ...(isOwnView && {
        strip: { text: texts.text('core', 'safe_view', language), leave: texts.text('core', 'safe_view_leave', language) },
      }),
      noscript: texts.text('core', 'noscript', language),
      ...(isMember &&
        map.places.logout !== undefined && { logout: { path: map.places.logout, text: texts.text('core', 'noscript_logout', language) } }),
      isMember,
    })
    // It stands in the document now; as garbage outside of the heap it would stay until much else is.
    page?.html.buffer.transfer(0)
    const status = page?.status ?? (foreseen ? 503 : 200)
    const isRendered = page !== undefined && status === 200
    const isWhole = isRendered && page?.faults.length === 0 && page.charged.length === 0 && page.failed.length === 0
    return { status, body, isRendered, isWhole }
  }

  function languageOf(req: IncomingMessage): string {
    const wanted = readCookie(req.headers.cookie, LANGUAGE_COOKIE)
    const { installed, language } = options.site
    if (options.languages().some(({ code }) => code === wanted)) return wanted as string
    // Nobody has chosen one yet: whoever sets the site up begins with their browser's.
    return installed ? language : negotiateLanguage(options.languages(), req.headers['accept-language'], language)
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
  async function siteState(map: PageMap, calls: PageCalls): Promise<SaidSite> {
    const { name, url, language, isPrivate } = options.site
    const reply = map.boot.site === undefined ? undefined : await ask(map.boot.site, calls)
    const key = JSON.stringify([name, url, language, isPrivate, reply && digestOf(reply)])
    const known = said.get(key)
    if (known) return known
    const own: SiteState = {
      general: { name, description: '', short_description: '', site_url: url },
      interface: { language, time_zone: 'UTC' },
    }
    const asked = reply && (JSON.parse(Buffer.from(reply.body).toString()) as { data: SiteState | null }).data
    const state: SiteState = { ...own, ...asked }
    const whole = isPrivate ? privateSite(state) : state
    const found = saidBy(whole)
    said.set(key, found)
    return found
  }

  async function ask(url: string, calls: PageCalls): Promise<InsideReply | undefined> {
    try {
      const reply = await calls.call(url)
      return reply.status === 200 ? reply : undefined
    } catch (error) {
      options.log('warn', 'The site state could not be asked for', { url, error: String(error) })
      return undefined
    }
  }

  return {
    serve,
    /** Pages that wait to be begun. */
    waiting: () => turns.waiting,
  }
}

/** Of the names that mean a zone, so that kept pages stay few; UTC for anything else. */
function zoneOf(cookie: string | undefined): string {
  if (!cookie || !/^[A-Za-z][\w+/-]{1,40}$/.test(cookie)) return 'UTC'
  try {
    return new Intl.DateTimeFormat('en', { timeZone: cookie }).resolvedOptions().timeZone
  } catch {
    return 'UTC'
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

/** Only to a path of this site, whatever a plugin says. */
function redirect(res: ServerResponse, target: string): void {
  const safe = /^\/(?![/\\])/.test(target) ? target : '/'
  res.writeHead(302, { Location: encodeURI(decodeURI(safe)) })
  res.end()
}
