import { languageTag } from '@stoa/sdk/web'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import type { InlinedState, PageMap, PageStart, PageState } from '../../sdk/pages/page-state.ts'
import { PAGE_STATE_ID, primaryAddress, SESSION_PATH, START_NAMESPACE, sheetAddress, textsAddress } from '../../sdk/pages/page-state.ts'
import { createPatience } from '../kernel/connection.ts'
import type { Core } from '../kernel/core.ts'
import { createCore, languageAtom, listsAtom, schemeAtom, siteAtom } from '../kernel/core.ts'
import type { Events } from '../kernel/events.ts'
import { followEvents } from '../kernel/events.ts'
import { pluginRow } from '../kernel/registry.ts'
import { loginAtom, sessionAtom } from '../kernel/session.ts'
import { slugOfStack } from '../kernel/tab-faults.ts'
import { createBrowserHistory } from '../router/history.ts'
import { SlotOutlet } from '../router/slot-outlet.tsx'
import '../../sdk/ui/tokens.css'
import '../../sdk/ui/base.css'
import { LANGUAGE_COOKIE, readCookie } from '../../sdk/pages/preferences.ts'
import { appearanceOf, ownSheet } from '../../sdk/pages/site-facts.ts'
import { App } from './app.tsx'
import { ownStack } from './joined.ts'
import { handleLinks } from './links.ts'
import { createRemoteLoader } from './remotes.ts'
import { fetchTransport } from './transport.ts'
import { keepTypedEarly } from './typed-early.ts'

const FAULTS_ADDRESS = '/stoa/faults'
const mapAddress = (language: string): string => `/stoa/map?lang=${encodeURIComponent(language)}`

async function fetchMap(language: string): Promise<PageMap> {
  const reply = await fetch(mapAddress(language))
  if (!reply.ok) throw new Error(`The map answered ${reply.status}`)
  return (await reply.json()) as PageMap
}

/** Another node may not be so far yet; two seconds of waiting in all. */
const START_TRIES = 5
const START_AGAIN_MS = 200

/** @throws when the network is away */
async function fetchStart(address: string): Promise<PageStart> {
  for (let tries = 1; ; tries++) {
    const reply = await fetch(address)
    if (reply.ok) return (await reply.json()) as PageStart
    if (reply.status === 404 && tries >= START_TRIES) break
    await new Promise((resolve) => setTimeout(resolve, START_AGAIN_MS * tries))
  }
  // Of a page that was kept since: what is on now takes its place.
  const map = await fetchMap(readCookie(document.cookie, LANGUAGE_COOKIE) ?? '')
  const reply = await fetch(textsAddress(map.tag, map.language, START_NAMESPACE))
  return { map, texts: (await reply.json()) as PageStart['texts'] }
}

let events: Events

async function boot(): Promise<void> {
  const root = document.getElementById('root') as HTMLElement
  let core: Core | undefined
  const patient = createPatience(() => core?.store)
  const { start, ...inlined } = JSON.parse(document.getElementById(PAGE_STATE_ID)?.textContent ?? 'null') as InlinedState
  const { map, texts } = await patient(fetchStart)(start)
  const sheets = inlined.sheets?.map((name) => sheetAddress(name, map)) ?? []
  const state: PageState = { ...inlined, map, texts: { ...inlined.texts, [START_NAMESPACE]: texts }, sheets }
  history.scrollRestoration = 'manual'
  // The answer to a form stands at the form's address.
  if (state.form) history.replaceState(null, '', state.form.at)
  const appHistory = createBrowserHistory()
  const loader = createRemoteLoader(state, () => core?.map() ?? state.map, patient)
  core = createCore({
    Slot: SlotOutlet,
    state,
    history: appHistory,
    loader,
    transport: fetchTransport,
    patient,
    fetchMap,
    isServer: false,
    listen(id, topic, onPush, onBegin) {
      const ending = import(/* webpackChunkName: "live" */ '../kernel/live.ts').then(
        ({ listen }) => listen(events, id, topic, onPush, onBegin),
        () => {
          onBegin()
          return () => {}
        },
      )
      return () => void ending.then((end) => end())
    },
    reportFault: (body) => void navigator.sendBeacon(FAULTS_ADDRESS, new Blob([JSON.stringify(body)], { type: 'application/json' })),
    fetchTexts: patient(async (namespace, language) => {
      const reply = await fetch(textsAddress(core?.textsTag ?? state.map.tag, language, namespace))
      return reply.ok ? ((await reply.json()) as Record<string, unknown>) : {}
    }),
  })
  const { location } = appHistory
  if (state.page?.key === location.pathname + location.search) core.pages.seed(location.key, state.page)

  // What the server rendered with must be there before its HTML is taken over.
  await Promise.allSettled(
    state.use.map(([slug, module]) => {
      const row = pluginRow(state.map, slug)
      return row ? loader.load(slug, row[1], module) : undefined
    }),
  )
  const options = {
    // The boundary of the contribution has logged it already.
    onCaughtError: () => {},
    onRecoverableError: (error: unknown) => console.error('React rendered a part again', error, (error as Error).cause),
  }
  const tellTyped = keepTypedEarly(root)
  if (state.rendered) {
    hydrateRoot(root, <App core={core} />, options)
    tellTyped()
  } else createRoot(root, options).render(<App core={core} />)

  follow(core)
  handleLinks(core)
  for (const sign of ['pointerover', 'touchstart', 'focusin', 'keydown'] as const)
    document.addEventListener(sign, core.texts.complete, { once: true, passive: true })
  whenIdle(core.taps.settled)
  await restoreSession(core)
  core.tellZone()
}

/** After what the first view loads. Some browsers do not tell when they are idle. */
function whenIdle(then: () => void): void {
  const later = () => ('requestIdleCallback' in window ? requestIdleCallback(then, { timeout: 2000 }) : setTimeout(then, 200))
  if (document.readyState === 'complete') later()
  else addEventListener('load', later, { once: true })
}

/** Keeps the document's own attributes in step with the state. */
function follow(core: Core): void {
  const { store } = core
  const html = document.documentElement
  store.sub(schemeAtom, () => html.setAttribute('data-scheme', store.get(schemeAtom)))
  store.sub(listsAtom, () => html.setAttribute('data-lists', store.get(listsAtom)))
  store.sub(languageAtom, () => html.setAttribute('lang', languageTag(store.get(languageAtom))))
  store.sub(siteAtom, () => {
    const { color } = appearanceOf(store.get(siteAtom))
    const link = document.querySelector<HTMLLinkElement>('link[data-primary]')
    if (link && color && link.getAttribute('href') !== primaryAddress(color)) link.href = primaryAddress(color)
    const own = document.querySelector('link[data-own]')
    const sheet = ownSheet(store.get(siteAtom))
    if ((own?.getAttribute('href') ?? undefined) === sheet) return
    own?.remove()
    if (!sheet) return
    const fresh = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: sheet })
    fresh.dataset.own = ''
    document.head.append(fresh)
  })
  // Another tab logged in or out. Each refresh also stores the same token anew, with a later expiry: answering that would never end.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === 'stoa:token' && tokenIn(oldValue) !== tokenIn(newValue)) void core.session.refresh(true)
  })
  let person = store.get(sessionAtom).person?.id
  store.sub(sessionAtom, () => {
    const { person: now, known } = store.get(sessionAtom)
    if (!known || now?.id === person) return
    person = now?.id
    events.renew?.()
    void core.applyPreferences()
    void core.refreshData()
  })
  const charge = (error: unknown) => {
    const slug = slugOfStack(ownStack((error as { stack?: string } | null)?.stack ?? ''))
    if (slug !== undefined) core.faults.charge(slug, error)
  }
  addEventListener('error', (event) => charge(event.error))
  addEventListener('unhandledrejection', (event) => charge(event.reason))
  followSwitches(core)
}

/** @param entry as the local store writes it */
function tokenIn(entry: string | null): unknown {
  try {
    return (JSON.parse(entry ?? 'null') as { v: unknown } | null)?.v
  } catch {
    return undefined
  }
}

const RETRY_MS = 30_000

function followSwitches(core: Core): void {
  let queue = Promise.resolve()
  let retry: ReturnType<typeof setTimeout> | undefined
  const toNewest = async () => {
    // The language that was chosen, also after it was gone for a while.
    const map = await fetchMap(readCookie(document.cookie, LANGUAGE_COOKIE) ?? core.store.get(languageAtom))
    if (map.tag === core.map().tag) return
    const { swapTo } = await import(/* webpackChunkName: "swap" */ '../kernel/swap.ts')
    // What stayed behind is tried again; the tag of the map differs until it has come along.
    clearTimeout(retry)
    if (!(await swapTo(core, map))) retry = setTimeout(() => enqueue(), RETRY_MS)
    startTransition(() => void core.refreshData())
  }
  const enqueue = () => {
    queue = queue.then(toNewest).catch((error) => console.warn('The new set of plugins could not be taken over', error))
  }
  let isOutdated = false
  /** A tab that nobody looks at asks when somebody does. */
  const takeFacts = async () => {
    if (!isOutdated || document.hidden) return
    isOutdated = false
    await core.refreshSite().catch(() => {})
    await core.applyPreferences()
    startTransition(() => void core.refreshData())
  }
  document.addEventListener('visibilitychange', takeFacts)
  events = followEvents({
    tag: () => core.map().tag,
    onTag(tag) {
      const { tag: present } = core.map()
      // With a dash it is there but for what stayed behind, which has a time of its own.
      if (tag !== present && `${tag}-` !== present) enqueue()
    },
    onFacts() {
      isOutdated = true
      void takeFacts()
    },
    async poll() {
      const reply = await fetch(mapAddress(core.store.get(languageAtom)), { headers: { 'If-None-Match': `"${core.map().tag}"` } })
      return reply.status === 200 ? ((await reply.json()) as PageMap).tag : undefined
    },
  })
}

/** Of a session that a form has opened before there were scripts: only its cookie knows of it. */
async function cookieToken(): Promise<string | undefined> {
  const reply = await fetch(SESSION_PATH, { method: 'POST' }).catch(() => null)
  const { data } = reply?.ok ? ((await reply.json()) as { data: { access_token: string | null } }) : { data: null }
  return data?.access_token ?? undefined
}

/** The HTML is a visitor's; now it becomes the person's own. */
async function restoreSession(core: Core): Promise<void> {
  await core.session.refresh(true, 'member' in document.documentElement.dataset ? cookieToken : undefined)
  if (core.store.get(loginAtom).isLoggedIn) core.texts.complete()
  if (core.store.get(loginAtom).isLoggedIn) return
  if (core.store.get(siteAtom).general === undefined && core.map().boot.site) await core.refreshSite().catch(() => {})
}

void boot()
