import type { HookToken } from '@stoa/sdk'
import type { Api, Asking, Login, SiteState, Tap, TapContext, TapFunction, WebHook } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { Clock } from '../../sdk/kernel/clock.ts'
import type { Tap as HookTap, TapWatch } from '../../sdk/kernel/hooks.ts'
import { buildHook } from '../../sdk/kernel/hooks.ts'
import type { AppHistory } from '../router/history.ts'
import { showDialog } from './dialogs.ts'
import { askConfirm, showToast } from './feedback.ts'
import type { Loader } from './loader.ts'
import type { TapSubject } from './matches.ts'
import { matches } from './matches.ts'
import type { PageMap } from './page-state.ts'
import type { TapEntry } from './registry.ts'
import { mapAtom, pluginRow, tapEntries } from './registry.ts'
import type { Store } from './store.ts'
import { restingAtom, restingKey } from './tab-faults.ts'
import type { Texts } from './texts.ts'

/** What a running hook wants of its taps. */
export interface RunOptions {
  /** What conditions are held against. */
  subject?: TapSubject
  /** Ends what the taps are doing. */
  signal?: AbortSignal | undefined
  /** Ids of taps that are left out: a tap does not see the calls it makes. */
  skip?: ReadonlySet<string>
  /** Looks at what a tap returned: undefined is no opinion, to throw makes the tap a failed one. `answered`: it asked a person, who answered. */
  accept?(result: unknown, by: { id: string; answered: boolean }): unknown
  /** A person was asked and did not answer. */
  onCancel?(): void
}

type FunctionOf<H> = H extends HookToken<infer F> ? F : never
type About<H> = Parameters<FunctionOf<H>>[0]

export interface Taps {
  /**
   * Runs a hook with the taps that are on now and whose conditions hold.
   * @returns undefined when there are none: then nobody has to wait. The promise never rejects.
   */
  run<H extends WebHook>(hook: H, about: About<H>, options?: RunOptions): Promise<ReturnType<FunctionOf<H>> | undefined> | undefined
  /** Tells what has happened; only in browsers, and not before the first view has come to rest. */
  tell<H extends WebHook>(hook: H, about: About<H>, subject?: TapSubject): void
  /** The first view has come to rest. */
  settled(): void
  /** Joins a hook until the returned function is called. */
  mount<H extends WebHook>(hook: H, slug: string, fn: TapFunction<H>): () => void
  /** Fetches what a move there will run. */
  prefetch(path: string): void
}

export interface TapsParts {
  store: Store
  history: AppHistory
  loader: Loader
  texts: Texts
  isServer: boolean
  /** Calls that these taps do not see. */
  api(skip: ReadonlySet<string>): Api
  login(): Login
  session: TapContext['session']
  site(): SiteState
  language(): string
  onFault(slug: string, error: unknown): void
}

/** Source: the request layer's own time-out. On the server a page waits no longer for anything. */
const TIMEOUT_MS = 10_000
const SERVER_TIMEOUT_MS = 4000

/** A tap that can be run: of the map or of a mounted component. */
interface Runnable {
  id: string
  slug: string
  order: number
  gone: AbortSignal
  load(): Promise<Tap['run']>
}

export function createTaps(parts: TapsParts): Taps {
  const { store, history, loader, texts, isServer, language } = parts
  const map = () => store.get(mapAtom) as PageMap
  const mounted = new Map<string, Runnable[]>()
  const generations = new Map<string, { slug: string; generation: string; controller: AbortController }>()
  let page = new AbortController()
  let settled: () => void = () => {}
  const ready = new Promise<void>((resolve) => {
    settled = resolve
  })
  let lastMounted = 0

  if (!isServer) {
    let { pathname } = history.location
    history.listen(() => {
      if (history.location.pathname === pathname) return
      pathname = history.location.pathname
      page.abort()
      page = new AbortController()
    })
    store.sub(mapAtom, () => {
      for (const [key, { slug, generation, controller }] of generations) {
        if (pluginRow(map(), slug)?.[1] === generation) continue
        generations.delete(key)
        controller.abort()
      }
    })
  }

  function goneOf(slug: string, generation: string): AbortSignal {
    const key = restingKey(slug, generation)
    let known = generations.get(key)
    if (!known) {
      known = { slug, generation, controller: new AbortController() }
      generations.set(key, known)
    }
    return known.controller.signal
  }

  const runnable = (entry: TapEntry, hook: WebHook): Runnable => ({
    id: entry.id,
    slug: entry.slug,
    order: entry.order,
    gone: goneOf(entry.slug, entry.generation),
    async load() {
      const [module] = await Promise.all([loader.load(entry.slug, entry.generation, entry.module), texts.ensure(entry.slug, language())])
      const found = module.default as Partial<Tap> | undefined
      if (found?.kind !== 'tap' || found.hook !== hook.id || !found.run) throw new Error(`${entry.id} is no tap of ${hook.id}`)
      return found.run
    },
  })

  function tapsOf(hook: WebHook, { subject = {}, skip }: RunOptions): Runnable[] {
    const resting = store.get(restingAtom)
    const declared = tapEntries(map(), hook.id).filter(
      ({ when, onServer, slug, generation }) =>
        (onServer || !isServer) && !resting.has(restingKey(slug, generation)) && matches(when, subject),
    )
    return [...declared.map((entry) => runnable(entry, hook)), ...(mounted.get(hook.id) ?? [])].filter(({ id }) => !skip?.has(id))
  }

  async function runTap(tap: Runnable, about: unknown, clock: Clock, options: RunOptions): Promise<unknown> {
    const late = new AbortController()
    clock.onLate = () => late.abort()
    const signal = AbortSignal.any([tap.gone, late.signal, ...(options.signal ? [options.signal] : [])])
    let answered = false
    const asking = async <T>(work: (until: AbortSignal) => Promise<T>): Promise<T> => {
      const goOn = clock.pause()
      try {
        return await work(AbortSignal.any([signal, page.signal]))
      } finally {
        goOn()
      }
    }
    const api = parts.api(new Set([...(options.skip ?? []), tap.id]))
    const context: TapContext = {
      slug: tap.slug,
      signal,
      api,
      t: (key, values) => texts.translator(tap.slug, language())(key, values),
      login: parts.login,
      session: parts.session,
      site: parts.site,
      toast: (toast) => showToast(store, toast),
      async confirm(question) {
        if (isServer) return false
        const yes = await asking((until) => askConfirm(store, question, until))
        if (yes) answered = true
        else options.onCancel?.()
        return yes
      },
      async ask<Props extends Asking<never>>(dialog: Parameters<typeof context.ask<Props>>[0], props: Omit<Props, keyof Asking<never>>) {
        if (isServer) return undefined
        const Component = (await dialog()).default
        const answer = await asking((until) => showDialog(store, { slug: tap.slug, Component, props, api }, until))
        if (answer === undefined) options.onCancel?.()
        else answered = true
        return answer as never
      },
    }
    try {
      const run = (await tap.load()) as (about: unknown, context: TapContext) => unknown
      const result = signal.aborted ? undefined : await orAborted(run(about, context), signal)
      if (result === undefined || signal.aborted) return undefined
      return options.accept ? options.accept(result, { id: tap.id, answered }) : result
    } catch (error) {
      // What goes may fail while it goes.
      if (tap.gone.aborted || options.signal?.aborted) return undefined
      throw error
    }
  }

  const watch: TapWatch = {
    timeoutMs: isServer ? SERVER_TIMEOUT_MS : TIMEOUT_MS,
    fault(slug, hook, error) {
      if (!isServer) console.error(`${slug} failed in ${hook}`, error)
      parts.onFault(slug, error)
    },
    slow: (slug, hook, ms) => console.warn(`${slug} takes ${(ms / 1000).toFixed(1)} s in ${hook}`),
  }

  const taps: Taps = {
    run(hook, about, options = {}) {
      const list = tapsOf(hook, options)
      if (list.length === 0) return undefined
      const toTap = (tap: Runnable): HookTap => ({
        slug: tap.slug,
        order: tap.order,
        run: (args, clock) => runTap(tap, args[0], clock, options),
      })
      return buildHook(hook, list.map(toTap), watch)(about) as never
    },
    tell(hook, about, subject = {}) {
      if (!isServer) void ready.then(() => taps.run(hook, about, { subject }))
    },
    settled: () => settled(),
    mount(hook, slug, fn) {
      const controller = new AbortController()
      const entry: Runnable = {
        id: `${slug} ${++lastMounted}`,
        slug,
        order: 100,
        gone: controller.signal,
        load: async () => fn as Tap['run'],
      }
      mounted.set(hook.id, [...(mounted.get(hook.id) ?? []), entry])
      return () => {
        mounted.set(hook.id, mounted.get(hook.id)?.filter((one) => one !== entry) ?? [])
        controller.abort()
      }
    },
    prefetch(path) {
      for (const { slug, generation, module, when } of tapEntries(map(), webHooks.beforeNavigate.id)) {
        if (matches(when, { path })) loader.load(slug, generation, module).catch(() => {})
      }
    },
  }
  return taps
}

/** What `work` resolves to, or undefined as soon as the signal is aborted. */
function orAborted<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    signal.addEventListener('abort', stop)
    Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
