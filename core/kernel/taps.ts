import type { HookToken } from '@stoa/sdk'
import type { Tap, TapFunction, WebHook } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { PageMap } from '../../sdk/pages/page-state.ts'
import type { TapSubject } from './matches.ts'
import { matches } from './matches.ts'
import type { TapEntry } from './registry.ts'
import { mapAtom, pluginRow, tapEntries } from './registry.ts'
import { restingAtom, restingKey } from './tab-faults.ts'
import type { Runnable, RunOptions, TapsParts } from './tap-parts.ts'

type FunctionOf<H> = H extends HookToken<infer F> ? F : never
type About<H> = Parameters<FunctionOf<H>>[0]

export interface Taps {
  /** Whether a hook would have anything to run. */
  listens(hook: WebHook, options: RunOptions): boolean
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

/** What runs taps is fetched with the first of them: most first views have none. */
const runner = () => import('./run-taps.ts')

/** Who joins which moment. */
export function createTaps(parts: TapsParts): Taps {
  const { store, history, loader, texts, isServer, language } = parts
  const map = () => store.get(mapAtom) as PageMap
  const mounted = new Map<string, Runnable[]>()
  const generations = new Map<string, { slug: string; generation: string; controller: AbortController }>()
  /** Of what may go on while the page stands. */
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

  /** Taps of plugins whose condition holds, but for those of plugins that keep failing. */
  function declared(hook: WebHook, { subject = {}, skip }: RunOptions): TapEntry[] {
    const resting = store.get(restingAtom)
    return tapEntries(map(), hook.id).filter(
      ({ id, when, onServer, slug, generation }) =>
        (onServer || !isServer) && !skip?.has(id) && !resting.has(restingKey(slug, generation)) && matches(when, subject),
    )
  }
  const ofComponents = (hook: WebHook, { skip }: RunOptions) => (mounted.get(hook.id) ?? []).filter(({ id }) => !skip?.has(id))

  const runnable = ({ id, slug, generation, module, order }: TapEntry, hook: WebHook): Runnable => {
    // At once, beside what runs it.
    const code = Promise.all([loader.load(slug, generation, module), texts.ensure(slug, language())])
    code.catch(() => {})
    return {
      id,
      slug,
      order,
      gone: goneOf(slug, generation),
      async load() {
        const found = (await code)[0].default as Partial<Tap> | undefined
        if (found?.kind !== 'tap' || found.hook !== hook.id || !found.run) throw new Error(`${id} is no tap of ${hook.id}`)
        return found.run
      },
    }
  }

  const taps: Taps = {
    listens: (hook, options) => declared(hook, options).length + ofComponents(hook, options).length > 0,
    run(hook, about, options = {}) {
      const list = [...declared(hook, options).map((entry) => runnable(entry, hook)), ...ofComponents(hook, options)]
      if (list.length === 0) return undefined
      const running = runner().then(({ runTaps }) => runTaps(parts, hook, list, about, options, () => page.signal))
      return running.catch((error) => void console.error('Taps cannot be run', error)) as never
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
      // It may be the network whose loss is asked about.
      runner().catch(() => {})
      return () => {
        mounted.set(hook.id, mounted.get(hook.id)?.filter((one) => one !== entry) ?? [])
        controller.abort()
      }
    },
    prefetch(path) {
      const entries = declared(webHooks.beforeNavigate, { subject: { path } })
      for (const { slug, generation, module } of entries) loader.load(slug, generation, module).catch(() => {})
      if (entries.length > 0) runner().catch(() => {})
    },
  }
  return taps
}
