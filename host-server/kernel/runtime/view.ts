import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BagToken, HookToken } from '@stoa/sdk'
import { decodeId, encodeId, shortId } from '@stoa/sdk'
import { Cuts } from '@stoa/sdk/kernel'
import type { Ids, Listener, PluginItself, Provided, Route } from '@stoa/sdk/server'
import type { Tap, TapWatch } from '../../../sdk/kernel/hooks.ts'
import { buildHook, isWanted } from '../../../sdk/kernel/hooks.ts'
import type { DiscoveredPlugin, LoadedCode, PluginSet } from '../../shared/types.ts'
import type { Contributed } from './contributions.ts'
import { contributedBy, contributing } from './contributions.ts'
import type { Extension } from './extension.ts'
import { TextBook } from './texts.ts'

// biome-ignore lint/suspicious/noExplicitAny: taps have any shape
export type TapFunction = (...args: any[]) => unknown

export type SettingsCheck = Parameters<PluginItself['settings']['onSave']>[0]

/** See `ServerContext.live`. */
export type ListenRule = (listener: Listener) => boolean | Promise<boolean>

/** Calls that may be answered without asking their plugin. */
export interface KeptCalls {
  /** Addresses of the calls. */
  readonly paths: readonly string[]
  /**
   * Looks without waiting: a thousand members who ask every few seconds each find the process asleep, and all that it touches then is cold.
   * @returns the pattern of the call and JSON; nothing where nothing is kept for who asks, somebody has to be asked, or who asks is not known yet
   */
  find(view: View, req: IncomingMessage): { path: string; text: string } | undefined
}

/** Answers the calls of one plugin version. */
export interface Instance {
  /** Calls whose replies are kept. */
  readonly kept?: KeptCalls | undefined
  /** Answers whatever of `kept` cannot be answered without waiting, too. The view must have been set. */
  routing(req: IncomingMessage, res: ServerResponse): void
  close(): Promise<void>
}

/** A plugin whose code stands: prepared, perhaps not yet visible to anybody. */
export interface Running extends DiscoveredPlugin {
  code: LoadedCode
  taps: Map<string, Tap[]>
  extensions: Map<string, Extension>
  lives: Map<string, ListenRule>
  provided: Map<string, { cardinality: string; service: unknown }>
  routes: Route[]
  checks: SettingsCheck[]
  /** Whether what the settings name works. */
  tests: SettingsCheck[]
  app: Instance
  /** Starts what only a visible plugin may do: subscriptions, jobs, timers. */
  begin(): void
  /** Ends that again: nothing new reaches a plugin that left, while its requests in flight go on. */
  quiesce(): Promise<void>
  /** As `quiesce`, and nothing of it runs for requests on their way either. */
  shut(): void
  /** Undoes everything `activate` and `begin` started. */
  stop(): Promise<void>
}

let lastKey = 0

/**
 * What is on, for everything that looks something up: immutable, replaced by one assignment.
 * A request, job or event keeps the view it began with, so a switch never changes the ground under it.
 */
export class View implements PluginSet {
  readonly epoch: number
  /** Names this view among all of this process: two views of one epoch differ. */
  readonly key = ++lastKey
  readonly plugins: readonly Running[]
  readonly texts: TextBook
  readonly ids: Ids
  readonly contributions: Contributed
  /** Requests, jobs and events that hold this view. */
  #holders = 0
  #drained: (() => void)[] = []
  readonly #services = new Map<string, Provided<unknown>[]>()
  #reads: Set<string> | undefined
  readonly #hooks = new Map<string, (...args: unknown[]) => Promise<unknown>>()
  readonly #watch: TapWatch
  readonly #taps = new Map<string, readonly Tap[]>()
  #cuts: Cuts | undefined
  #keepers: ReadonlyMap<string, Running> | undefined

  constructor(epoch: number, plugins: readonly Running[], watch: TapWatch) {
    this.epoch = epoch
    this.plugins = plugins
    this.texts = new TextBook(plugins)
    this.ids = idsOf(plugins)
    this.contributions = contributedBy(contributing(plugins), { has: (slug, token) => this.cuts.has(slug, token) })
    this.#watch = watch
    for (const plugin of plugins) {
      for (const [id, { service }] of plugin.provided) {
        const list = this.#services.get(id) ?? []
        list.push({ slug: plugin.manifest.slug, service })
        this.#services.set(id, list)
      }
    }
  }

  /** What plugins go without because another version of it is on. Found when it is first asked for: most views of a start never are. */
  get cuts(): Cuts {
    this.#cuts ??= new Cuts(this.plugins.map(({ manifest }) => manifest))
    return this.#cuts
  }

  /** Who provides a service. @param slug who asks: it is given nothing that it was not built for */
  services(id: string, slug: string): readonly Provided<unknown>[] {
    const all = this.#services.get(id) ?? []
    if (!this.cuts.hasProviders) return all
    const fitting = all.filter((provided) => !this.cuts.hasProvider(slug, id, provided.slug))
    return fitting.length < all.length ? fitting : all
  }

  /** Some plugin of this view has a read function of this name. */
  hasRead(id: string): boolean {
    this.#reads ??= new Set(this.plugins.flatMap(({ code }) => code.reads?.functions ?? []).map(([token]) => token.id))
    return this.#reads.has(id)
  }

  /** What plugins of this view put into a bag. */
  extensions(bag: BagToken<unknown>): Extension[] {
    return this.plugins.flatMap(({ manifest, extensions }) => (this.cuts.has(manifest.slug, bag) ? [] : (extensions.get(bag.id) ?? [])))
  }

  /** Who says who may listen to pushes of this id. */
  listenRule(id: string): { slug: string; may: ListenRule } | undefined {
    for (const { manifest, lives } of this.plugins) {
      const may = lives.get(id)
      if (may) return { slug: manifest.slug, may }
    }
    return undefined
  }

  /** Whether the value of a plugin in a bag may be shown: it is on, and was built for the bag as it is. */
  extends(slug: string, bag: BagToken<unknown>): boolean {
    return this.plugins.some(({ manifest }) => manifest.slug === slug) && !this.cuts.has(slug, bag)
  }

  /** The plugin that keeps replies of the call at this address. */
  keeperOf(address: string): Running | undefined {
    this.#keepers ??= new Map(this.plugins.flatMap((plugin) => (plugin.app.kept?.paths ?? []).map((path) => [path, plugin] as const)))
    return this.#keepers.get(address)
  }

  /** Some plugin joins the hook, and has something to do for this first argument. */
  wants(token: HookToken<TapFunction>, first: unknown): boolean {
    return isWanted(this.#tapsOf(token), first)
  }

  #tapsOf(token: HookToken<TapFunction>): readonly Tap[] {
    let taps = this.#taps.get(token.id)
    if (!taps) {
      taps = this.plugins.flatMap((plugin) => (this.cuts.has(plugin.manifest.slug, token) ? [] : (plugin.taps.get(token.id) ?? [])))
      this.#taps.set(token.id, taps)
    }
    return taps
  }

  run(token: HookToken<TapFunction>, args: unknown[]): Promise<unknown> {
    let hook = this.#hooks.get(token.id)
    if (!hook) {
      hook = buildHook(token, this.#tapsOf(token), this.#watch)
      this.#hooks.set(token.id, hook)
    }
    return hook(...args)
  }

  hold(): () => void {
    this.#holders++
    let held = true
    return () => {
      if (!held) return
      held = false
      this.#holders--
      if (this.#holders === 0) for (const done of this.#drained.splice(0)) done()
    }
  }

  /** Resolves when nobody holds the view any more, or after `deadlineMs`. */
  drained(deadlineMs: number): Promise<void> {
    if (this.#holders === 0) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, deadlineMs)
      timer.unref()
      this.#drained.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

/** Kinds of the given plugins: name ↔ code, and who owns them. */
export function idsOf(plugins: readonly DiscoveredPlugin[]): Ids {
  const byName = new Map<string, number>()
  const byCode = new Map<number, { kind: string; slug: string }>()
  for (const { manifest } of plugins) {
    for (const [kind, code] of Object.entries(manifest.kinds ?? {})) {
      byName.set(kind, code)
      byCode.set(code, { kind, slug: manifest.slug })
    }
  }
  const code = (kind: string): number => {
    const value = byName.get(kind)
    if (value === undefined) throw new Error(`No active plugin declares the kind "${kind}"`)
    return value
  }
  return {
    encode: (kind, n) => encodeId(code(kind), n),
    short: (kind, n) => shortId(code(kind), n),
    kinds: [...byName.keys()],
    decode(text) {
      const decoded = decodeId(text)
      const owner = decoded && byCode.get(decoded.kind)
      return owner ? { ...owner, n: decoded.n } : null
    },
  }
}
