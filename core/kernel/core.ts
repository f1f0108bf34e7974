import type { WebKernel } from '@stoa/sdk/kernel/web'
import type { Login, Preferences, SiteState } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { Atom } from 'jotai'
import { createStore, useAtomValue } from 'jotai'
import type { FunctionComponent, ReactNode } from 'react'
import { createContext, use, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { PageMap, PageState } from '../../sdk/pages/page-state.ts'
import {
  chooseLists,
  chooseScheme,
  chooseZone,
  isOwnChoice,
  LANGUAGE_COOKIE,
  LISTS_COOKIE,
  readCookie,
  SCHEME_COOKIE,
  ZONE_COOKIE,
} from '../../sdk/pages/preferences.ts'
import { appearanceOf } from '../../sdk/pages/site-facts.ts'
import type { AppHistory } from '../router/history.ts'
import { useHydrated } from '../router/hydrated.ts'
import type { ApiEffects } from './api.ts'
import { createApi } from './api.ts'
import type { CallReply, Transport } from './call.ts'
import { call } from './call.ts'
import { languageAtom, listsAtom, schemeAtom, siteAtom, textsAtom } from './core-atoms.ts'
import { askConfirm, errorAtom, showToast } from './feedback.ts'
import { preferencesOf, tellOfSession, tellOfSite } from './follow.ts'
import type { Guards } from './guards.ts'
import { checkGuards, createGuards } from './guards.ts'
import type { Loader } from './loader.ts'
import { guardMoves } from './navigation.ts'
import { OwnerContext } from './owner.ts'
import { usePageLeave } from './page-leave.ts'
import type { PageLoader } from './pages.ts'
import { createPageLoader } from './pages.ts'
import type { Through } from './pipe.ts'
import { createPipe } from './pipe.ts'
import { mapAtom, matchPage, navigationOf, placeOf, pluginRow } from './registry.ts'
import type { Replies } from './replies.ts'
import { createReplies } from './replies.ts'
import type { Session } from './session.ts'
import { createSession, deriveLogin, loginAtom, sessionAtom } from './session.ts'
import type { Store } from './store.ts'
import type { TabFaults } from './tab-faults.ts'
import { createTabFaults } from './tab-faults.ts'
import type { Taps } from './taps.ts'
import { createTaps } from './taps.ts'
import type { FetchTexts, TextBook, Texts } from './texts.ts'
import { createTexts } from './texts.ts'
import { waitWhile } from './wait-while.ts'
import { writeCookie } from './write-cookie.ts'
import { createWrites } from './writes.ts'

export { languageAtom, listsAtom, schemeAtom, siteAtom }

export interface CoreParts {
  state: PageState
  history: AppHistory
  transport: Transport
  /** Makes what reads wait for the network. */
  patient?(ask: Transport): Transport
  /** Replies that are there before anybody asks; on the server only. */
  known?(url: string): CallReply | undefined
  loader: Loader
  fetchTexts: FetchTexts
  /** What pages on the server have in common. */
  texts?: TextBook
  /** Draws a slot; comes from outside, because it looks into the core itself. */
  Slot: WebKernel['Slot']
  /** A map in another language. */
  fetchMap(language: string): Promise<PageMap>
  isServer: boolean
  /** Hears pushes; nothing is heard while a page is rendered on the server. */
  listen?: WebKernel['listen']
  /** Tells the server of a fault in this tab. */
  reportFault?(body: { slug: string; generation: string; message: string }): void
  /** A tap failed; the tab's own faults unless somebody else keeps them. */
  onTapFault?(slug: string, error: unknown): void
  /** The component of a contribution under its own name, on the server. */
  named?<P>(id: string, component: FunctionComponent<P>): FunctionComponent<P>
  /** Parts that many pages have in common, on the server. */
  common?: CommonParts
}

/** HTML of parts of a page by what they are drawn from; a part that is not there yet is asked for, and there for later pages. */
export interface CommonParts {
  find(from: object, name: string): string | undefined
  ask(from: object, name: string, part: ReactNode): void
}

/** Everything one page (or one request on the server) has. */
export interface Core {
  store: Store
  history: AppHistory
  loader: Loader
  texts: Texts
  replies: Replies
  pages: PageLoader
  session: Session
  kernel: WebKernel
  /** Modules the page came to use, for the browser to have before its first render. */
  used: Map<string, [slug: string, module: string]>
  /** Contributions left out of the first render because they failed on the server. */
  failed: Set<string>
  /** Values of atoms in the server's HTML. */
  rendered: ReadonlyMap<Atom<unknown>, unknown>
  /** What atoms have been since the server began to draw. */
  drawn: Map<Atom<unknown>, unknown>
  isServer: boolean
  named: CoreParts['named']
  common: CoreParts['common']
  faults: TabFaults
  taps: Taps
  guards: Guards
  /** Tag in the address of texts: that of the newest map known. */
  textsTag: string
  map(): PageMap
  /** Path of a place; home is `/` where nobody claims it. */
  place(name: string): string | undefined
  goPlace(name: string, replace: boolean): void
  /** Data of the page and of its components again, as who one is now. */
  refreshData(): Promise<void>
  refreshSite(): Promise<void>
  applyPreferences(): Promise<void>
  tellZone(): void
}

export const CoreContext = createContext<Core | null>(null)

export function useCore(): Core {
  const core = use(CoreContext)
  if (!core) throw new Error('Rendered outside of core')
  return core
}

/**
 * Nothing changes while the server draws a page: to listen to atoms was a seventh of what it allocates for one, and to ask the store each time a
 * thirtieth (measured).
 */
export const useValue: <T>(atom: Atom<T>) => T =
  typeof document === 'undefined'
    ? <T>(atom: Atom<T>) => {
        const { drawn, store } = useCore()
        if (!drawn.has(atom)) drawn.set(atom, store.get(atom))
        return drawn.get(atom) as T
      }
    : (atom) => useAtomValue(atom)

/** What the server rendered with counts until a part of its HTML is taken over, which may be long after the rest. */
export const useShared: <T>(shared: Atom<T>) => T =
  typeof document === 'undefined'
    ? useValue
    : <T>(shared: Atom<T>) => {
        const { rendered } = useCore()
        const present = useValue(shared)
        return useHydrated() || !rendered.has(shared) ? present : (rendered.get(shared) as T)
      }

/** Puts the parts together. No side effects: the browser's entry starts what runs on its own. */
export function createCore(parts: CoreParts): Core {
  const { history, loader, isServer, state } = parts
  const store = createStore()
  store.set(mapAtom, state.map)
  store.set(siteAtom, state.site)
  store.set(languageAtom, state.map.language)
  store.set(schemeAtom, state.scheme)
  store.set(listsAtom, chooseLists(state.lists))
  const map = () => store.get(mapAtom) as PageMap
  const language = () => store.get(languageAtom)

  const texts = createTexts(parts.fetchTexts, state.map.language, parts.texts)
  for (const [namespace, tree] of Object.entries(state.texts))
    texts.add(namespace, state.map.language, tree, state.part?.includes(namespace))
  texts.onWhole(() => store.set(textsAtom, (count) => count + 1))
  const say = (key: string) => texts.translator('core', language())(key)

  const writes = createWrites()
  const sending = writes.watched(parts.transport)
  const faults = createTabFaults(store, parts.reportFault ?? (() => {}))
  const guards = createGuards(loader, map)
  history.listen(guards.tryAgain)
  const taps = createTaps({
    store,
    history,
    loader,
    texts,
    isServer,
    language,
    login: () => store.get(loginAtom),
    session: { open: (token) => openSession(token), refresh: () => session.refresh(true) },
    site: () => store.get(siteAtom),
    api: (skip) => createApi(sending, effects, through(skip)),
    onFault: parts.onTapFault ?? faults.charge,
  })
  if (!isServer) guardMoves(history, taps)
  const pipe = createPipe(taps, () => session.token())
  const through = (skip?: ReadonlySet<string>): Through => (isServer ? (send) => send : pipe(skip))
  const transport = through()(parts.transport)

  const session = createSession(store, transport, { personCall: () => map().boot.person, language, isServer })
  const reading = through()(parts.patient?.(parts.transport) ?? parts.transport)
  const replies = createReplies(reading, { token: session.token, language, writes }, state.replies, parts.known)
  history.listen(replies.sweep)

  const place = (name: string) => placeOf(map(), name)
  function goPlace(name: string, replace: boolean): void {
    const path = place(name)
    if (path === undefined) store.set(errorAtom, { status: 403 })
    else if (history.location.pathname !== path) history[replace ? 'replace' : 'push'](path)
  }
  const addressHere = () => history.location.pathname + history.location.search + history.location.hash
  const onIgnoredPage = () => matchPage(map(), history.location.pathname)?.route.layout === 'plain'

  function askForLogin(replace = false): void {
    if (!onIgnoredPage()) session.rememberAddress(addressHere())
    goPlace('login', replace)
  }
  /** The page here is for members only: its guard takes over, and what is written in it is kept as a draft or lost either way. */
  function leadsToLogin(): boolean {
    const route = matchPage(map(), history.location.pathname)?.route
    const verdict = route && checkGuards(route, deriveLogin({ person: null, known: true }), store.get(siteAtom), guards)
    return typeof verdict === 'object' && 'place' in verdict && verdict.place === 'login'
  }
  function signedOut(): void {
    store.set(errorAtom, null)
    session.clear()
    if (!isServer && !leadsToLogin()) askForLogin()
  }

  const effects: ApiEffects = {
    token: session.token,
    language,
    goPlace,
    onIgnoredPage,
    signedOut,
    toastDanger: (text) => showToast(store, { text, tone: 'danger' }),
    dialog: (message, closeOnly) =>
      void askConfirm(store, { title: message, cancel: null, ...(closeOnly && { confirm: say('kit.close') }) }),
    setError: (status, message) => store.set(errorAtom, message === undefined ? { status } : { status, message }),
    lostConnection: () => say('error.network'),
  }
  const api = createApi(sending, effects, through())

  const pages = createPageLoader({
    store,
    loader,
    texts,
    transport: reading,
    writes,
    seen: (path) =>
      void call(parts.transport, { method: 'POST', url: '/stoa/seen', body: { path }, language: language(), token: session.token() }).catch(
        () => {},
      ),
    token: session.token,
    language,
    site: () => store.get(siteAtom),
    isOn: (slug) => pluginRow(map(), slug) !== undefined,
    signedOut,
  })

  async function refreshSite(): Promise<void> {
    const url = map().boot.site
    if (!url) return
    store.set(siteAtom, (await call(transport, { method: 'GET', url, language: language(), token: session.token() })) as SiteState)
  }

  async function refreshData(): Promise<void> {
    await Promise.all([pages.refresh(history.location.key), replies.refresh()])
  }

  async function setLanguage(next: string): Promise<void> {
    if (next === language()) return
    const fresh = await parts.fetchMap(next)
    await Promise.all(texts.namespaces().map((namespace) => texts.ensure(namespace, next)))
    store.set(languageAtom, next)
    store.set(mapAtom, fresh)
    await refreshData()
  }

  /** Tells of what is another afterwards, and of what was chosen either way. */
  async function changePreferences(apply: () => void | Promise<void>, chosen?: Partial<Preferences>): Promise<void> {
    const before = preferencesOf(store)
    await apply()
    const now = preferencesOf(store)
    if (chosen || now.language !== before.language || now.scheme !== before.scheme)
      taps.tell(webHooks.preferencesChanged, { now, before, ...(chosen && { chosen }) })
  }

  /** The next document has this reader's times from the start. */
  function tellZone(): void {
    const site = store.get(siteAtom).interface?.time_zone
    zone = Intl.DateTimeFormat().resolvedOptions().timeZone
    const wanted = chooseZone(store.get(sessionAtom).person?.time_zone, site, zone)
    const told = wanted === site ? undefined : wanted
    if (readCookie(document.cookie, ZONE_COOKIE) !== told) writeCookie(ZONE_COOKIE, told)
  }

  /** The person's own language and scheme over the cookie's (which the server has read), those over the site's. */
  async function applyOwnPreferences(): Promise<void> {
    const { person } = store.get(sessionAtom)
    const site = store.get(siteAtom)
    if (person && isOwnChoice(person.color_scheme)) writeCookie(SCHEME_COOKIE, person.color_scheme)
    store.set(schemeAtom, chooseScheme(readCookie(document.cookie, SCHEME_COOKIE), appearanceOf(site).scheme))
    if (person && isOwnChoice(person.language) && person.language !== language()) {
      writeCookie(LANGUAGE_COOKIE, person.language)
      await setLanguage(person.language)
    }
  }

  const applyPreferences = () => changePreferences(applyOwnPreferences)

  let isLoggingIn = false
  async function openSession(token: string): Promise<void> {
    session.setToken(token)
    isLoggingIn = true
    await session.refresh(true)
    isLoggingIn = false
  }
  if (!isServer) {
    tellOfSession(store, taps, () => isLoggingIn)
    tellOfSite(store, taps)
  }

  const zoneThen = () => state.zone ?? 'UTC'
  const zoneHere = isServer ? zoneThen : browserZone

  const kernel: WebKernel = {
    api,
    isServer,
    renderedAt: state.at,
    sentForm: state.form,
    useLogin,
    useSite: () => useShared(siteAtom),
    usePlugins() {
      const current = useShared(mapAtom) as PageMap
      return useMemo(() => ({ epoch: current.epoch, plugins: current.plugins.map(([slug]) => ({ slug, enabled: true })) }), [current])
    },
    async login(token) {
      await openSession(token)
      const login = store.get(loginAtom)
      if (!login.isLoggedIn) return
      await applyPreferences()
      if (!login.isActivated) goPlace('inactive', true)
      else history.replace(session.takeAddress() ?? place('home') ?? '/')
    },
    logout: () => session.clear(),
    refreshPerson: (force) => session.refresh(force),
    refreshSite,
    setScheme: (scheme) =>
      void changePreferences(
        () => {
          writeCookie(SCHEME_COOKIE, isOwnChoice(scheme) ? scheme : undefined)
          store.set(schemeAtom, chooseScheme(scheme, appearanceOf(store.get(siteAtom)).scheme))
        },
        { scheme },
      ),
    setLanguage: (code) =>
      changePreferences(
        () => {
          writeCookie(LANGUAGE_COOKIE, isOwnChoice(code) ? code : undefined)
          return setLanguage(isOwnChoice(code) ? code : (store.get(siteAtom).interface?.language ?? language()))
        },
        { language: code },
      ),
    askForLogin: () => askForLogin(),
    toast: (toast) => showToast(store, toast),
    confirm: (options) => askConfirm(store, options),
    useText(namespace) {
      const current = useShared(languageAtom)
      // What the server has drawn is taken over with the texts it was drawn with; what comes later may need others.
      const [isLater] = useState(useHydrated())
      useValue(textsAtom)
      waitWhile(() => (isLater ? texts.ensureWhole : texts.ensure)(namespace, current))
      return texts.translator(namespace, current)
    },
    useLanguage: () => useShared(languageAtom),
    useLanguages: () => (useShared(mapAtom) as PageMap).languages,
    useTimeZone() {
      const { person } = useLogin()
      const site = useShared(siteAtom).interface?.time_zone
      return chooseZone(person?.time_zone, site, useSyncExternalStore(never, zoneHere, zoneThen))
    },
    useListView: () => useShared(listsAtom),
    setListView(view) {
      writeCookie(LISTS_COOKIE, view === 'rows' ? undefined : view)
      store.set(listsAtom, view)
    },
    useData: replies.useData,
    usePlace(name) {
      return placeOf(useShared(mapAtom) as PageMap, name)
    },
    useNavigation(where) {
      const current = useShared(mapAtom) as PageMap
      const login = useLogin()
      return navigationOf(current, where, { member: login.isLoggedIn, staff: login.isStaff, admin: login.isAdmin })
    },
    Slot: parts.Slot,
    usePageLeave: (active) => usePageLeave(core, active),
    useTap(hook, fn) {
      const owner = use(OwnerContext)
      const latest = useRef(fn)
      latest.current = fn
      const active = fn !== null
      useEffect(
        () => (active ? taps.mount(hook, owner, (about, context) => latest.current?.(about, context)) : undefined),
        [hook, owner, active],
      )
    },
    listen: parts.listen ?? (() => () => {}),
    showError: (status, message) => store.set(errorAtom, message === undefined ? { status } : { status, message }),
  }

  history.listen(() => {
    delete kernel.sentForm
  })

  const core: Core = {
    store,
    history,
    loader,
    texts,
    replies,
    pages,
    session,
    kernel,
    isServer,
    named: parts.named,
    common: parts.common,
    faults,
    taps,
    guards,
    map,
    place,
    goPlace,
    refreshData,
    refreshSite,
    applyPreferences,
    tellZone,
    textsTag: state.map.tag,
    used: new Map(),
    failed: new Set(state.failed),
    drawn: new Map(),
    rendered: new Map<Atom<unknown>, unknown>(
      [mapAtom, siteAtom, languageAtom, schemeAtom, listsAtom].map((one) => [one, store.get<unknown>(one)]),
    ),
  }
  return core
}

const never = () => () => {}

/** What was told to the server, else where the browser is; asking costs. */
let zone: string | undefined
function browserZone(): string {
  zone ??= readCookie(document.cookie, ZONE_COOKIE) ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  return zone
}

const nobody = deriveLogin({ person: null, known: false })

/** Unknown while the server's HTML is taken over: parts that are taken over late must see what the server saw. */
function useLogin(): Login {
  const login = useValue(loginAtom)
  return useHydrated() ? login : nobody
}
