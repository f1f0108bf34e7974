import type { Kysely, RawBuilder } from 'kysely'
import type { FlatContext, FlatReadContext } from '../legacy/flat-context.ts'
import type {
  BagToken,
  DecoratorToken,
  EventToken,
  Extensions,
  ExtensionToken,
  FilterToken,
  HookToken,
  LiveToken,
  Person,
  ReadToken,
  ServiceToken,
  WhileOff,
} from '../shared/index.ts'
import type { BagLine, BagOwner, ExtensionRules } from './bags.ts'
import type { Host, Jobs, PluginItself, ReadCall } from './context.ts'
import type { Awaitable, Route } from './route.ts'

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

/**
 * What a plugin is given when it starts. Everything it starts goes through here, so that stopping it is a property of the system.
 * Members of sdk 1.0 that stood here flat have moved into the groups and go on working.
 */
export interface ServerContext<DB = Any> extends FlatContext {
  /** The plugin itself: its name, its settings, its end. */
  readonly plugin: PluginItself
  readonly db: Database<DB>
  readonly log: Log
  /** Unix seconds. */
  now(): number

  routes(routes: Route[]): void
  /**
   * Joins a hook: `fn` has the shape of the token's function. `order`: lower runs earlier (100 where nothing is said). `when`: what has nothing to
   * do for this first argument is not run; asked at once, before each run, so it only looks.
   */
  on<F extends (...args: Any[]) => Any>(
    hook: HookToken<F>,
    fn: (...args: Parameters<F>) => Awaitable<ReturnType<F> | undefined | void>,
    options?: { order?: number; when?: (first: Parameters<F>[0]) => boolean },
  ): void
  /**
   * Subscribes to an event for who does many at the cost of one, such as an index: `fn` gets what waits, in order, at most `atOnce` payloads and at
   * least one. When it fails they come again one by one, until one has not failed.
   */
  on<P>(event: EventToken<P>, fn: (payloads: P[]) => Awaitable<void>, options: SubscribeOptions & { atOnce: number }): void
  /** Subscribes to an event; delivered at least once, in order of the outbox, outside of any request. */
  on<P>(event: EventToken<P>, fn: (payload: P, meta: EventMeta) => Awaitable<void>, options?: SubscribeOptions): void
  /** Calls a hook this plugin owns. Waterfall: the last first argument; bail: the decision or undefined. */
  run<F extends (...args: Any[]) => Any>(hook: HookToken<F>, ...args: Parameters<F>): Promise<Awaited<ReturnType<F>>>
  /** Stores an event in the outbox of the current transaction (opens one when there is none). `key`: a second event with it is dropped. */
  emit<P>(event: EventToken<P>, payload: P, options?: { key?: string }): Promise<void>
  /** Runs a read function in process (inside a write: in its transaction). */
  readonly read: ReadCall
  /** Work outside of requests. */
  readonly jobs: Jobs

  /** Fields of other plugins on what a plugin stores. */
  readonly bags: Bags
  /** Events that open tabs hear. */
  readonly live: Live

  /** Public ids of what plugins store. */
  readonly ids: Ids
  readonly site: SiteInfo
  /** What the server has for every plugin: files, pictures, mail, texts, limits, the people behind requests. */
  readonly host: Host
}

export interface Bags {
  /** Opens a bag of its own. */
  own<O>(bag: BagToken<O>, owner: BagOwner): void
  /** Puts a value of this plugin into a bag of another. */
  extend<V, O>(bag: BagToken<O>, extension: ExtensionToken<V>, rules: ExtensionRules<V, O>): void
  /**
   * What is to be stored of what a request says. Values of plugins that are on are checked; those that the request does not name, and those of plugins
   * that are off, stay as they are; `null` takes one away. 8 KB each, 32 KB together.
   * @throws a form error whose fields are `extensions.<slug>.<member>`
   */
  check<O>(bag: BagToken<O>, given: unknown, stored: Extensions, object: O, person: Person): Promise<Extensions>
  /** What of a bag may be shown now: values of plugins that are on. */
  shown(bag: BagToken<Any>, stored: Extensions): Extensions
  /** The same as lines of text. */
  text(bag: BagToken<Any>, stored: Extensions): string[]
  /** The same for differences and lists of changes: each value with the name of its plugin in the reader's language. */
  lines(bag: BagToken<Any>, stored: Extensions): BagLine[]
}

export interface Live {
  /** Opens pushes of its own to tabs. @param may whether somebody may hear a topic: asked when a tab begins to listen, and every ten minutes */
  open<P>(token: LiveToken<P>, may: (listener: Listener) => Awaitable<boolean>): void
  /**
   * Tells open tabs that listen to the topic, after the current transaction: at once, at most once, on all nodes. At most 4 KB; what matters is
   * stored elsewhere, and asked for by a call.
   */
  push<P>(token: LiveToken<P>, topic: string, payload: P): Promise<void>
  /**
   * Hears pushes of its own, those of other nodes too, to forget what is kept in memory. One of another node may be lost: what is kept needs an
   * end of its own.
   */
  heard<P>(token: LiveToken<P>, fn: (topic: string, payload: P) => void): void
}

/** Who wants to hear pushes. */
export interface Listener {
  person: Person | null
  topic: string
}

export interface EventMeta {
  id: number
  at: number
}

interface SubscribeOptions {
  /** Name of the cursor, unique within the plugin; default the event id. */
  name?: string
  whileOff?: WhileOff
  /** Called instead of replaying when the cursor is behind retention or `whileOff` is `resync`. */
  resync?: () => Awaitable<void>
}

interface Log {
  info(message: string, details?: object): void
  warn(message: string, details?: object): void
  error(message: string, details?: object): void
}

export interface WriteOptions {
  /**
   * False for what no reply shows, or what may be shown late: then nothing that is remembered falls (see `remember`), and pages that are kept stay.
   * Default true. Inside of an open transaction it says nothing of what else is written there.
   */
  shown?: boolean
}

export interface Database<DB = Any> {
  readonly dialect: 'sqlite' | 'postgres'
  /** For reading: the open transaction inside `write`, committed data elsewhere. */
  readonly query: Kysely<DB>
  /**
   * Runs `fn` in a transaction; joins the one that is open in this call chain. Rolled back when it throws. `fn` runs again when the database gave its
   * work up for another writer's (a deadlock, PostgreSQL only): what it does beside the database has to bear that.
   */
  write<R>(fn: (tx: Kysely<DB>) => Promise<R>, options?: WriteOptions): Promise<R>
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
  /** Names of the kinds that active plugins declare. */
  readonly kinds: readonly string[]
}

/** Whom the site serves for now. Staff are served in any case. */
export interface Closure {
  /** `reading`: nobody but staff changes anything. `nobody`: nobody but staff gets more than a page that says so. */
  degree: 'open' | 'reading' | 'nobody'
  /** Of the owner, plain text; may be empty. */
  message: string
  /** When it is expected to end, in unix seconds; 0 where nobody knows. */
  until: number
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
  readonly closure: Closure
  /** Changes what the kernel keeps; in the current transaction. */
  set(values: Partial<{ url: string; name: string; language: string; isPrivate: boolean; closure: Closure }>): Promise<void>
}

/** The default export of a plugin's `server/reads.ts`: code that may run in a worker thread, without the plugin's server entry. */
/** `find` is there where it is made of {@link decoratingTogether}. */
interface Decorate<I> {
  (ctx: ReadContext, items: I[]): Promise<void>
  find?(ctx: ReadContext, items: readonly I[]): Promise<() => void>
}

export interface Reads {
  functions?: [ReadToken<Any, Any>, (ctx: ReadContext, params: Any) => Promise<unknown>][]
  decorators?: [DecoratorToken<Any>, Decorate<Any>][]
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
/**
 * {@link decorating} in two steps, for what is shown often: all decorators of a token that are made so look up what they need side by side, which on
 * PostgreSQL is one way to the server and back instead of one for each.
 * @param find changes none of the items, and reads of them only what is there before any plugin fills them; what it resolves to fills them, in
 * dependency order as ever
 */
export function decoratingTogether<I>(
  token: DecoratorToken<I>,
  find: (ctx: ReadContext, items: readonly I[]) => Promise<() => void>,
): [DecoratorToken<I>, Decorate<I>] {
  const fn = async (ctx: ReadContext, items: I[]) => (await find(ctx, items))()
  return [token, Object.assign(fn, { find })]
}
export function filtering<P>(
  token: FilterToken<P>,
  fn: (ctx: ReadContext, params: P) => Promise<RawBuilder<number> | undefined>,
): [FilterToken<P>, typeof fn] {
  return [token, fn]
}

interface InnerRead extends Pick<ReadCall, 'has'> {
  /** @param options `otherwise`: what it resolves to when no active plugin has the function. Without it that is an error. */
  <P, R, O>(token: ReadToken<P, R>, params: P, options: { otherwise: O }): Promise<R | O>
  <P, R>(token: ReadToken<P, R>, params: P): Promise<R>
}

/** What a read function sees: committed data, who asks, and other plugins' reads. The same in a worker and in process. */
/** Columns of a plugin's table. */
export interface Columns {
  table: string
  columns: readonly string[]
}

export interface ReadContext<DB = Any> extends FlatReadContext {
  readonly db: Kysely<DB>
  readonly dialect: 'sqlite' | 'postgres'
  readonly person: Person | null
  readonly language: string
  /** Unix seconds. */
  readonly now: number
  readonly ids: Ids
  readonly site: Pick<SiteInfo, 'url' | 'name' | 'language' | 'isPrivate' | 'closure'>
  /** Another plugin's read function. */
  readonly read: InnerRead
  /** Lets active plugins fill the items, in dependency order. A failing one is skipped and counted against its plugin. */
  decorate<I>(token: DecoratorToken<I>, items: I[]): Promise<void>
  /** The same as `ServerContext.shown`. */
  shown(bag: BagToken<Any>, stored: Extensions): Extensions
  /** Sub-queries of ids from active plugins; the caller adds `id in (…)` for each. */
  filters<P>(token: FilterToken<P>, params: P): Promise<RawBuilder<number>[]>
  /**
   * What `fn` resolves to, kept until anything is written to the database or a setting changes; in a transaction, for this call only. What another
   * node of the site writes counts here within a second.
   * For the little that nearly every read needs, such as settings; `fn` must depend on nothing but the database and `key`.
   * @param key unique: begins with the plugin's slug
   * @param of all that `fn` depends on; then it is kept until one of these columns is written, rows come or go (no trigger or cascade may write them,
   * which the site does not see), or five minutes have passed
   * @returns shared and frozen
   */
  remember<T>(key: string, fn: () => Promise<T>, of?: Columns): Promise<T>
  /** Translated text of a key in the `server` branch of any active plugin. */
  text(key: string, params?: Record<string, unknown>): string
  /** A plugin's setting values (its config form). */
  settings<T = Record<string, unknown>>(slug: string): T
  /** The same as `ServerContext.contributions`. */
  contributions<T>(point: string): readonly { slug: string; value: T }[]
}
