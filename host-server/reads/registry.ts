import type { DecoratorToken, FilterToken, Person, ReadToken } from '@stoa/sdk'
import { isCodedError } from '@stoa/sdk'
import type { Cuts } from '@stoa/sdk/kernel'
import type { Contributions } from '@stoa/sdk/manifest'
import type { Columns, Ids, ReadContext, Reads, SiteInfo } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Contributed } from '../kernel/runtime/contributions.ts'
import { contributedBy } from '../kernel/runtime/contributions.ts'
import { shownOf } from '../kernel/runtime/shown.ts'
import type { TextBook } from '../kernel/runtime/texts.ts'

// biome-ignore lint/suspicious/noExplicitAny: reads have any shape
type Any = any

export interface ReadCall {
  person: Person | null
  language: string
  now: number
}

/** Hears how the decorators and filters of plugins fare. */
export interface ReadWatch {
  onFault(slug: string, where: string, error: unknown): void
  /** What failed there the last time did not. */
  onWell(slug: string, where: string): void
}

export interface ReadEnvironment extends ReadWatch {
  db(): Kysely<Any>
  /** Reads of now ask an open transaction; absent where there is none. */
  isInTransaction?(): boolean
  dialect: 'sqlite' | 'postgres'
  ids: Ids
  site(): Pick<SiteInfo, 'url' | 'name' | 'language' | 'isPrivate' | 'closure'>
  texts: TextBook
  settings(slug: string): Record<string, unknown>
  /** Runs `fn` charged to a plugin. */
  enter<R>(slug: string, fn: () => R): R
  /** What plugins of the set go without. */
  cuts: Pick<Cuts, 'has' | 'hasAny'>
  /** Another number after every commit; undefined where what is read may never be committed. Without, nothing is remembered beyond one call. */
  version?: (of?: Columns) => number | undefined
}

export interface PluginReads {
  slug: string
  reads: Reads | null
  contributes: Contributions
}

/** Keys that are remembered of some columns, and how long; what somebody writes to the tables by hand is seen by then. */
const MOST_OF_COLUMNS = 200
const LONGEST_MS = 300_000

interface Remembered {
  version: number
  values: Map<string, Promise<unknown>>
}

type Decorate = NonNullable<Reads['decorators']>[number][1]

interface Owned<F> {
  slug: string
  fn: F
}

/** The read functions of one plugin set; the same class serves in a worker and in process. */
export class ReadRegistry {
  readonly #functions = new Map<string, Owned<(ctx: ReadContext, params: Any) => Promise<unknown>>>()
  readonly #decorators = new Map<string, Owned<Decorate>[]>()
  readonly #filters = new Map<string, Owned<(ctx: ReadContext, params: Any) => Promise<RawBuilder<number> | undefined>>[]>()
  readonly #slugs: ReadonlySet<string>
  readonly #contributions: Contributed
  readonly #environment: ReadEnvironment
  /** Decorators and filters whose last run failed. */
  readonly #failing = new Set<string>()
  /** What `remember` keeps, and the state of the database it belongs to. */
  #remembered: Remembered = { version: Number.NaN, values: new Map() }
  /** What it keeps of columns alone, each with the state of these. */
  readonly #ofColumns = new LRUCache<string, Remembered>({ max: MOST_OF_COLUMNS, ttl: LONGEST_MS })

  constructor(plugins: readonly PluginReads[], environment: ReadEnvironment) {
    this.#environment = environment
    const { cuts } = environment
    this.#slugs = new Set(plugins.map(({ slug }) => slug))
    this.#contributions = contributedBy(plugins, cuts)
    for (const { slug, reads } of plugins) {
      for (const [token, fn] of reads?.functions ?? []) this.#functions.set(token.id, { slug, fn })
      for (const [token, fn] of reads?.decorators ?? []) if (!cuts.has(slug, token)) append(this.#decorators, token.id, { slug, fn })
      for (const [token, fn] of reads?.filters ?? []) if (!cuts.has(slug, token)) append(this.#filters, token.id, { slug, fn })
    }
  }

  /** Slug of the plugin that has a read function. */
  ownerOf(id: string): string | undefined {
    return this.#functions.get(id)?.slug
  }

  has(id: string): boolean {
    return this.#functions.has(id)
  }

  /** Runs a read function. @throws what it throws, or an error that names a missing function. */
  async run(id: string, params: unknown, call: ReadCall): Promise<unknown> {
    return this.#call(this.#contexts(call), id, params)
  }

  #call(contextOf: (slug: string) => ReadContext, id: string, params: unknown): Promise<unknown> {
    const entry = this.#functions.get(id)
    if (!entry) return Promise.reject(new Error(`No active plugin has the read function ${id}`))
    return this.#environment.enter(entry.slug, () => entry.fn(contextOf(entry.slug), params))
  }

  /** Forgets what `remember` keeps: facts of the site have changed. */
  forget(): void {
    this.#remembered = { version: Number.NaN, values: new Map() }
    this.#ofColumns.clear()
  }

  /** What was remembered since the last commit. A read that began before a commit and ends after it keeps its own. */
  #memory(): Map<string, Promise<unknown>> {
    const version = this.#environment.version?.()
    if (version === undefined) return new Map()
    if (this.#remembered.version !== version) this.#remembered = { version, values: new Map() }
    return this.#remembered.values
  }

  /** The same for what is made of columns that have this version, each key by itself. */
  #memoryOf(key: string, version: number): Map<string, Promise<unknown>> {
    const found = this.#ofColumns.get(key)
    if (found?.version === version) return found.values
    const values = new Map<string, Promise<unknown>>()
    this.#ofColumns.set(key, { version, values })
    return values
  }

  /** The context of one call: the same for all plugins that go without nothing. */
  #contexts(call: ReadCall): (slug: string) => ReadContext {
    const environment = this.#environment
    let memory: Map<string, Promise<unknown>> | undefined
    const memoryFor = (key: string, of: Columns | undefined): Map<string, Promise<unknown>> => {
      const version = of && environment.version?.(of)
      if (version !== undefined) return this.#memoryOf(key, version)
      memory ??= this.#memory()
      return memory
    }
    const guarded = async <R>(owner: string, where: string, work: () => Promise<R>): Promise<R | undefined> => {
      const place = `${owner}\n${where}`
      try {
        const made = await environment.enter(owner, work)
        if (this.#failing.delete(place)) environment.onWell(owner, where)
        return made
      } catch (error) {
        if (isCodedError(error)) throw error
        this.#failing.add(place)
        environment.onFault(owner, where, error)
        return undefined
      }
    }
    const reading = readingWith(
      (token, params) => this.#call(contextOf, token.id, params),
      ({ id }) => this.#functions.has(id),
    )
    // Plain values, as one is made for each call: a getter and what it makes of the object are a tenth of a small one (measured).
    const ctx: ReadContext = {
      person: call.person,
      language: call.language,
      now: call.now,
      shown: (bag, stored) => shownOf(stored, (slug) => this.#slugs.has(slug) && !environment.cuts.has(slug, bag)),
      db: environment.db(),
      dialect: environment.dialect,
      ids: environment.ids,
      site: environment.site(),
      read: reading.read,
      has: reading.has,
      call: reading.call,
      decorate: async <I>(token: DecoratorToken<I>, items: I[]) => {
        if (items.length === 0) return
        const decorators = this.#decorators.get(token.id) ?? []
        if (decorators.filter(({ fn }) => fn.find).length < 2) {
          for (const { slug, fn } of decorators) await guarded(slug, token.id, () => fn(contextOf(slug), items))
          return
        }
        // Each fills when all before it have.
        let before: Promise<unknown> = Promise.resolve()
        for (const { slug, fn } of decorators) {
          const turn = before
          const own = guarded(slug, token.id, async () => {
            const fill = fn.find ? await fn.find(contextOf(slug), items) : () => fn(contextOf(slug), items)
            await turn
            await fill()
          })
          before = Promise.all([turn, own])
        }
        await before
      },
      filters: async <P>(token: FilterToken<P>, params: P) => {
        const found: RawBuilder<number>[] = []
        for (const { slug, fn } of this.#filters.get(token.id) ?? []) {
          const filter = await guarded(slug, token.id, () => fn(contextOf(slug), params))
          if (filter) found.push(filter)
        }
        return found
      },
      remember: <T>(key: string, fn: () => Promise<T>, of?: Columns) => {
        const kept = memoryFor(key, of)
        let value = kept.get(key) as Promise<T> | undefined
        if (!value) {
          value = fn().then(frozen)
          kept.set(key, value)
          value.catch(() => kept.delete(key))
        }
        return value
      },
      text: (key, params) => environment.texts.text(key, params, call.language, environment.site().language),
      contributions: this.#contributions,
      settings: <T>(slug: string) => environment.settings(slug) as T,
    }
    // What goes on after its transaction must not ask that one's connection, which is somebody else's by then.
    if (environment.isInTransaction?.()) Object.defineProperty(ctx, 'db', { get: () => environment.db(), enumerable: true })
    const contextOf = (slug: string): ReadContext => {
      const { cuts } = environment
      if (!cuts.hasAny(slug)) return ctx
      const own = readingWith(
        (token, params) =>
          cuts.has(slug, token)
            ? Promise.reject(new Error(`${token.id} is there in another version than ${slug} was built for`))
            : ctx.read(token, params),
        (token) => !cuts.has(slug, token) && ctx.read.has(token),
      )
      return Object.assign(Object.create(ctx) as ReadContext, own)
    }
    return contextOf
  }
}

type AnyRead = ReadToken<Any, Any>

/** What a read context has for other plugins' reads. */
function readingWith(
  call: (token: AnyRead, params: unknown) => Promise<Any>,
  has: (token: AnyRead) => boolean,
): Pick<ReadContext, 'read' | 'has' | 'call'> {
  const read = async (token: AnyRead, params: unknown, options: { otherwise?: unknown } = {}) =>
    'otherwise' in options && !has(token) ? options.otherwise : await call(token, params)
  return { read: Object.assign(read, { has }) as ReadContext['read'], has, call }
}

/** Shared by all who ask: nobody may change it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) frozen(inner)
  }
  return value
}

function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
