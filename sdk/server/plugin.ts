import type { Kysely, RawBuilder } from 'kysely'
import type {
  DecoratorToken,
  EventToken,
  FilterToken,
  HookToken,
  JobToken,
  Person,
  ReadToken,
  ServiceToken,
  WhileOff,
  Without,
} from '../shared/index.ts'
import type { Awaitable, Route } from './route.ts'
import type { Credentials, Images, Mail, Settings, Storage, Texts } from './services.ts'

// biome-ignore lint/suspicious/noExplicitAny: tokens of any type are collected here
type Any = any

/** What a needed service looks like to its user: the service itself, or a list of providers for `services(…)` tokens. */
export type Needed<T> = T extends ServiceToken<infer S, infer C> ? (C extends 'one' ? S : Provided<S>[]) : never
/** A wanted service: `current` is undefined (or an empty list) while no active plugin provides it. */
export type Wanted<T> =
  T extends ServiceToken<infer S, infer C>
    ? C extends 'one'
      ? { readonly current: S | undefined }
      : { readonly current: Provided<S>[] }
    : never
export interface Provided<S> {
  slug: string
  service: S
}

type Tokens = Record<string, ServiceToken<Any, Any>>
type Handles<N extends Tokens, W extends Tokens> = { [K in keyof N]: Needed<N[K]> } & { [K in keyof W]: Wanted<W[K]> }
type Implementations<P extends Tokens> = { [K in keyof P]: P[K] extends ServiceToken<infer S, Any> ? S : never }

export interface ServerPlugin<N extends Tokens = Tokens, W extends Tokens = Tokens, P extends Tokens = Tokens> {
  /** Local name → token of a contract that `needs` in plugin.json names. */
  needs?: N
  wants?: W
  provides?: P
  /** Read functions, decorators and filters; run in read workers on SQLite. Never touch `ctx` of activate. */
  activate?(services: Handles<N, W>, ctx: ServerContext): Implementations<P> | void | Promise<Implementations<P> | void>
}

/** The default export of a plugin's `server/index.ts`. */
export function defineServerPlugin<N extends Tokens = {}, W extends Tokens = {}, P extends Tokens = {}>(
  plugin: ServerPlugin<N, W, P>,
): ServerPlugin<N, W, P> {
  return plugin
}

/** Everything a plugin starts goes through here, so that stopping it is a property of the system. */
export interface ServerContext<DB = Any> {
  readonly slug: string
  readonly version: string
  /** Aborted when the plugin stops. */
  readonly signal: AbortSignal
  readonly db: Database<DB>
  readonly log: Log
  /** Unix seconds. */
  now(): number
  /** URL-safe random text of `bytes` random bytes. */
  random(bytes: number): string
  /** The request being served, or null outside of one (jobs, start-up). */
  request(): RequestInfo | null

  routes(routes: Route[]): void
  /** Joins a hook: `fn` has the shape of the token's function. */
  on<F extends (...args: Any[]) => Any>(
    hook: HookToken<F>,
    fn: (...args: Parameters<F>) => Awaitable<ReturnType<F> | undefined | void>,
    options?: { order?: number },
  ): void
  /** Subscribes to an event; delivered at least once, in order of the outbox, outside of any request. */
  on<P>(event: EventToken<P>, fn: (payload: P, meta: EventMeta) => Awaitable<void>, options?: SubscribeOptions): void
  /** Calls a hook this plugin owns. Waterfall: the last first argument; bail: the decision or undefined. */
  run<F extends (...args: Any[]) => Any>(hook: HookToken<F>, ...args: Parameters<F>): Promise<Awaited<ReturnType<F>>>
  /** Stores an event in the outbox of the current transaction (opens one when there is none). `key`: a second event with it is dropped. */
  emit<P>(event: EventToken<P>, payload: P, options?: { key?: string }): Promise<void>
  /**
   * Runs a read function in process (inside a write: in its transaction).
   * @param options `lane`: as a route of that lane would, in a read worker where there are some, so that it takes no time of others;
   * `otherwise`: what it resolves to when no active plugin has the function. Without it that is an error.
   */
  read<P, R, O>(token: ReadToken<P, R>, params: P, options: { lane?: 'slow'; otherwise: O }): Promise<R | O>
  read<P, R>(token: ReadToken<P, R>, params: P, options?: { lane: 'slow' }): Promise<R>
  /** Some active plugin has this read function. */
  has(token: ReadToken<Any, Any>): boolean

  /** Handler of a job kind. */
  job<P>(token: JobToken<P>, fn: (payload: P) => Awaitable<void>): void
  /** Queues a job in the current transaction. `runAt` in unix seconds; `key`: replaces a waiting job with it. */
  enqueue<P>(token: JobToken<P>, payload: P, options?: { runAt?: number; key?: string }): Promise<void>
  /** Runs `fn` every `seconds` on one node, first after one period. */
  every(name: string, seconds: number, fn: () => Awaitable<void>): void

  /**
   * Runs `fn` when the plugin is on again after it was off, once and on one node, whatever happened meanwhile: for what hooks keep true while it is
   * on. Runs again when it throws, and when the plugin ends before it has.
   * @param fn `offSince` in unix seconds
   */
  onReturn(fn: (offSince: number) => Awaitable<void>): void

  /** Registers anything that must end with the plugin; last in, first out, each awaited. */
  own(dispose: () => Awaitable<void>): void

  /** The plugin's own settings (config form). */
  readonly settings: Settings
  readonly credentials: Credentials
  readonly storage: Storage
  readonly images: Images
  readonly mail: Mail
  readonly texts: Texts
  readonly ids: Ids
  readonly site: SiteInfo
  /** What active plugins contribute to a point in their `plugin.json`, in dependency order. */
  contributions<T>(point: string): readonly { slug: string; value: T }[]
  /** Limits an action: throws `base.too_many_requests` when `key` did it more than `max` times in `seconds`. Staff are exempt. */
  limit(action: string, options: { key: string | number; max: number; seconds: number }): Promise<void>
  /** Kernel calls for the admin of plugins; refused to plugins that do not ask for `kernel.plugins` in their permissions. */
  readonly plugins: PluginAdmin
}

export interface RequestInfo {
  id: string
  person: Person | null
  /** `zh_CN`, `en_US`, … */
  language: string
  /** Address of the client, after trusted proxies. */
  ip: string
  userAgent: string
}

export interface EventMeta {
  id: number
  at: number
}

export interface SubscribeOptions {
  /** Name of the cursor, unique within the plugin; default the event id. */
  name?: string
  whileOff?: WhileOff
  /** Called instead of replaying when the cursor is behind retention or `whileOff` is `resync`. */
  resync?: () => Awaitable<void>
}

export interface Log {
  info(message: string, details?: object): void
  warn(message: string, details?: object): void
  error(message: string, details?: object): void
}

export interface Database<DB = Any> {
  readonly dialect: 'sqlite' | 'postgres'
  /** For reading: the open transaction inside `write`, committed data elsewhere. */
  readonly query: Kysely<DB>
  /**
   * Runs `fn` in a transaction; joins the one that is open in this call chain. Rolled back when it throws. `fn` runs again when the database gave its
   * work up for another writer's (a deadlock, PostgreSQL only): what it does beside the database has to bear that.
   */
  write<R>(fn: (tx: Kysely<DB>) => Promise<R>): Promise<R>
  /**
   * Runs `fn` as the last thing of the current transaction (at once, in one of its own, when there is none). For rows that every writer changes: who
   * takes such a row last waits for nobody while others wait for it.
   */
  beforeCommit(fn: () => Promise<unknown>): Promise<void>
  /** Runs `fn` after the current transaction has committed (at once when there is none). Not durable: for caches only. */
  afterCommit(fn: () => void): void
}

export interface Ids {
  /** Long public id of a kind declared by any active plugin. */
  encode(kind: string, n: number): string
  /** Long or short text → kind name, number and the plugin that declared the kind; null when it is no id. */
  decode(text: string): { kind: string; n: number; slug: string } | null
  short(kind: string, n: number): string
}

/** Facts of the site that the kernel itself needs; other settings belong to plugins. */
export interface SiteInfo {
  /** Absolute address without a slash at the end. */
  readonly url: string
  readonly name: string
  /** Language of the site, `zh_CN` or `en_US` or one added by a locale plugin. */
  readonly language: string
  readonly isPrivate: boolean
  readonly installed: boolean
  /** Changes what the kernel keeps; in the current transaction. */
  set(values: Partial<{ url: string; name: string; language: string; isPrivate: boolean }>): Promise<void>
}

/** State of a plugin as the admin sees it. */
export interface PluginRow {
  slug: string
  version: string
  type: string
  /** `waiting`: switched on, and something it needs is in quarantine. */
  state: 'on' | 'off' | 'failed' | 'quarantined' | 'waiting'
  /** It is on, and what others get of it fails again and again; `reason` says where. */
  failing: boolean
  /** English; empty when all is well. */
  reason: string
  /** Text key and values of the reason, where it is to be read in the reader's language. */
  problem?: { code: string; params: Record<string, unknown> }
  essential: boolean
  single: string[]
  needs: string[]
  neededBy: string[]
  hasSettings: boolean
  origin: 'bundled' | 'installed'
  /** The version that runs or would, then those before it that one can go back to, newest first. */
  versions: { version: string; origin: 'bundled' | 'installed' }[]
  /** There is a version that comes with the site, to which removing an installed one leads back. */
  comesWithSite: boolean
  link: string
  author: string
  /** Compressed bytes of its web files. */
  webBytes: number
  /** Requests answered since start. */
  requests: number
  adds: { pages: string[]; slots: string[]; services: string[]; hooks: string[] }
  /** Contracts that it works without while it is on, because another version of them is on than the one it was built for. */
  without: Without[]
  faults: FaultSummary
}

/** What failed in a plugin's code since the server started. */
export interface FaultSummary {
  count: number
  /** Times that its code was right and took long. */
  slow: number
  /** `at` in unix seconds; `message` as the log has it, shortened. */
  last: { at: number; kind: string; where: string; message: string } | null
  /** Faults that browsers reported; nobody has checked them. */
  reported: number
  lastReport: string
}

export interface PluginAdmin {
  list(): PluginRow[]
  /**
   * Switches a plugin; resolves when the next request sees it.
   * @throws `error.plugin.switches_others` (data names them) unless `confirm` is the current epoch.
   */
  switch(slug: string, on: boolean, confirm?: number): Promise<void>
  readonly epoch: number
  config(slug: string): ConfigForm
  saveConfig(slug: string, values: Record<string, unknown>): Promise<void>
  /** Completes the installation: kernel tables, configuration file, first admin. Used by an installer. */
  readonly setup: Setup
}

export interface ConfigForm {
  slug: string
  fields: import('../shared/index.ts').ConfigField[]
}

export interface Setup {
  state(): { configured: boolean; connected: boolean; installed: boolean }
  check(database: DatabaseChoice): Promise<void>
  /** Writes `<data>/config.json`, opens the database and runs migrations. */
  init(database: DatabaseChoice): Promise<void>
  /** Stores the site and its first admin once; @throws `error.install.already_installed` for the second. */
  finish(values: SetupValues): Promise<void>
}

export interface DatabaseChoice {
  type: 'sqlite3' | 'postgres'
  file?: string
  host?: string
  user?: string
  password?: string
  name?: string
}

export interface SetupValues {
  language: string
  siteName: string
  siteUrl: string
  contactEmail: string
  adminName: string
  adminEmail: string
  adminPassword: string
  loginRequired: boolean
  /** Further values, handed to `kernelHooks.installed` taps. */
  extra: Record<string, unknown>
}

/** The default export of a plugin's `server/reads.ts`: code that may run in a worker thread, without the plugin's server entry. */
export interface Reads {
  functions?: [ReadToken<Any, Any>, (ctx: ReadContext, params: Any) => Promise<unknown>][]
  decorators?: [DecoratorToken<Any>, (ctx: ReadContext, items: Any[]) => Promise<void>][]
  filters?: [FilterToken<Any>, (ctx: ReadContext, params: Any) => Promise<RawBuilder<number> | undefined>][]
}

export function defineReads(reads: Reads): Reads {
  return reads
}

/** Pairs a token with its function; typed. */
export function reading<P, R>(token: ReadToken<P, R>, fn: (ctx: ReadContext, params: P) => Promise<R>): [ReadToken<P, R>, typeof fn] {
  return [token, fn]
}
export function decorating<I>(
  token: DecoratorToken<I>,
  fn: (ctx: ReadContext, items: I[]) => Promise<void>,
): [DecoratorToken<I>, typeof fn] {
  return [token, fn]
}
export function filtering<P>(
  token: FilterToken<P>,
  fn: (ctx: ReadContext, params: P) => Promise<RawBuilder<number> | undefined>,
): [FilterToken<P>, typeof fn] {
  return [token, fn]
}

/** What a read function sees: committed data, who asks, and other plugins' reads. The same in a worker and in process. */
export interface ReadContext<DB = Any> {
  readonly db: Kysely<DB>
  readonly dialect: 'sqlite' | 'postgres'
  readonly person: Person | null
  readonly language: string
  /** Unix seconds. */
  readonly now: number
  readonly ids: Ids
  readonly site: Pick<SiteInfo, 'url' | 'name' | 'language' | 'isPrivate'>
  /**
   * Another plugin's read function.
   * @param options `otherwise`: what it resolves to when no active plugin has the function. Without it that is an error.
   */
  read<P, R, O>(token: ReadToken<P, R>, params: P, options: { otherwise: O }): Promise<R | O>
  read<P, R>(token: ReadToken<P, R>, params: P): Promise<R>
  /** As {@link ReadContext.read} was called first. */
  call<P, R>(token: ReadToken<P, R>, params: P): Promise<R>
  has(token: ReadToken<Any, Any>): boolean
  /** Lets active plugins fill the items, in dependency order. A failing one is skipped and counted against its plugin. */
  decorate<I>(token: DecoratorToken<I>, items: I[]): Promise<void>
  /** Sub-queries of ids from active plugins; the caller adds `id in (…)` for each. */
  filters<P>(token: FilterToken<P>, params: P): Promise<RawBuilder<number>[]>
  /**
   * What `fn` resolves to, kept until anything is written to the database or a setting changes; where that cannot be told cheaply, for this call only.
   * For the little that nearly every read needs, such as settings; `fn` must depend on nothing but the database and `key`.
   * @param key unique: begins with the plugin's slug
   * @returns shared and frozen
   */
  remember<T>(key: string, fn: () => Promise<T>): Promise<T>
  /** Translated text of a key in the `server` branch of any active plugin. */
  text(key: string, params?: Record<string, unknown>): string
  /** A plugin's setting values (its config form). */
  settings<T = Record<string, unknown>>(slug: string): T
  /** The same as `ServerContext.contributions`. */
  contributions<T>(point: string): readonly { slug: string; value: T }[]
}
