import type { CodedError } from '@stoa/sdk'
import { isCodedError } from '@stoa/sdk'
import type { FaultSummary } from '@stoa/sdk/administration'
import { pluginProblems } from '@stoa/sdk/kernel'
import { LRUCache } from 'lru-cache'
import type { DiscoveredPlugin, LogFunction } from '../../shared/types.ts'
import { FaultLog } from './fault-log.ts'

export type FaultKind =
  | 'request'
  | 'hook'
  | 'read'
  | 'page'
  | 'event'
  | 'job'
  | 'timer'
  | 'rejection'
  | 'exception'
  | 'timeout'
  | 'loop'
  | 'memory'
  | 'exit'
  | 'stop'

/** Faults of a plugin's own making, in a row at one place, after which it goes into quarantine. */
const MOST_IN_A_ROW = 3
/** A row ends when nothing failed there for so long, for places that cannot report success. */
const FORGET_AFTER_SECONDS = 600
const MAX_MESSAGE = 300
const MOST_PLACES = 100
/** What somebody waits for, so that they miss it. */
const FELT: ReadonlySet<FaultKind> = new Set(['request', 'timeout', 'hook', 'read', 'page'])

/** Where a refusal is what somebody is told. */
const TOLD: ReadonlySet<FaultKind> = new Set(['request', 'read', 'page'])

/** What the machine or the database ran out of is nobody's fault in particular. */
const OUTAGE =
  /^(ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOSPC|EMFILE|ENFILE|SQLITE_(BUSY|FULL|IOERR|CANTOPEN)|57P0|53\d\d\d|08\d\d\d|40001|40P01)/

/** Faults in a row at one place, with nothing right in between, after which a plugin is said to be failing; and how long that is said. */
const FAILING_TIMES = 3

interface Place {
  times: number
  at: number
  where: string
  message: string
}

interface Entry extends FaultSummary {
  rows: Map<string, { times: number; at: number }>
  /** Where others got nothing, or an error, because of it: by kind and place. */
  places: LRUCache<string, Place>
  /** When it was ended in a worker last, in unix seconds; 0: never. */
  endedAt: number
}

export interface FaultBookOptions {
  log: LogFunction
  /** Unix seconds. */
  now(): number
  quarantine(slug: string, problem: CodedError): void
  /** What the code that runs now belongs to. `own`: set off by the plugin itself, not by what a visitor did. */
  current(): { readonly slug: string; readonly own?: boolean }
}

/**
 * Whose code failed, how often and why. Kept in memory, one small entry per plugin.
 * Only what a plugin set off by itself counts towards quarantine: what a request, an event or a job carried in may be a visitor's doing.
 */
export class FaultBook {
  readonly #options: FaultBookOptions
  readonly #entries = new Map<string, Entry>()
  readonly #log: FaultLog
  /** Version of each plugin that runs, as its stacks name it: what counts is what this one does. */
  readonly #versions = new Map<string, string>()
  /** Errors that were charged: one that several layers see counts once. */
  readonly #seen = new WeakSet<object>()

  constructor(options: FaultBookOptions) {
    this.#options = options
    this.#log = new FaultLog(options.log)
  }

  /** Another set runs. What was counted of a version goes when another one takes its place. */
  follow(plugins: readonly DiscoveredPlugin[]): void {
    for (const plugin of plugins) {
      const { slug } = plugin.manifest
      const version = versionName(plugin)
      if (this.#versions.has(slug) && this.#versions.get(slug) !== version) this.#entries.delete(slug)
      this.#versions.set(slug, version)
    }
  }

  /**
   * Charges an error to the plugin whose code threw it, as its stack says, else to `slug`.
   * Refusals of a contract (below 500) are answers, not faults, where somebody gets them. One of a version that does not run any more is written
   * and not counted.
   * @returns who was charged; undefined for what is no fault or was charged before
   */
  charge(slug: string, kind: FaultKind, where: string, error: unknown): string | undefined {
    if (TOLD.has(kind) && isCodedError(error) && error.status < 500) return undefined
    if (typeof error === 'object' && error !== null) {
      if (this.#seen.has(error)) return undefined
      this.#seen.add(error)
    }
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE)
    const charged = slugOfStack(error) ?? slug
    this.#log.write('error', charged, placeOf(kind, where), `${kind} ${where}: ${message}`, error)
    if (charged === 'kernel' || this.#isOfAnother(charged, error)) return charged
    const entry = this.#entry(charged)
    if (FELT.has(kind) && !isOutage(error)) this.#miss(entry, kind, where, message)
    entry.count++
    entry.last = { at: this.#options.now(), kind, where, message }
    if (this.#options.current().own && !isOutage(error)) this.#count(charged, entry, kind, where, message)
    return charged
  }

  /** Nobody caught this error: it is charged to whose code threw it, else to whose code runs now. */
  uncaught(kind: 'exception' | 'rejection', error: unknown): void {
    this.charge(this.#options.current().slug, kind, `unhandled ${kind}`, error)
  }

  #isOfAnother(slug: string, error: unknown): boolean {
    const version = this.#versions.get(slug)
    const thrown = versionOfStack(error, slug)
    return version !== undefined && thrown !== undefined && thrown !== version
  }

  #miss({ places }: Entry, kind: FaultKind, where: string, message: string): void {
    const place = placeOf(kind, where)
    const before = places.get(place)
    const at = this.#options.now()
    const times = before && at - before.at < FORGET_AFTER_SECONDS ? before.times + 1 : 1
    places.set(place, { times, at, where, message })
  }

  /** Why others get nothing or an error of it again and again; undefined while that is not so. */
  failing(slug: string): CodedError | undefined {
    const since = this.#options.now() - FORGET_AFTER_SECONDS
    const worst = [...(this.#entries.get(slug)?.places.values() ?? [])]
      .filter(({ times, at }) => times >= FAILING_TIMES && at > since)
      .sort((a, b) => b.at - a.at)[0]
    return worst && pluginProblems.failing({ times: worst.times, where: worst.where, message: worst.message })
  }

  #count(slug: string, entry: Entry, kind: FaultKind, where: string, message: string): void {
    const place = placeOf(kind, where)
    const row = entry.rows.get(place)
    const at = this.#options.now()
    const times = row && at - row.at < FORGET_AFTER_SECONDS ? row.times + 1 : 1
    if (times < MOST_IN_A_ROW) return void entry.rows.set(place, { times, at })
    entry.rows.clear()
    this.#options.quarantine(slug, pluginProblems.detached({ times, where: place, message }))
  }

  /** An endless loop was ended: no row is needed, the next one would hold everybody up again. */
  loop(slug: string, where: string, seconds: number, stack: string): Error {
    const problem = pluginProblems.loop({ where, seconds })
    const error = Object.assign(new Error(problem.message), { stack })
    this.charge(slug, 'loop', where, error)
    this.#options.quarantine(slug, problem)
    return error
  }

  /** The same in a worker. */
  loopInWorker(slug: string, where: string, seconds: number): Error {
    return this.#ended(slug, 'loop', where, pluginProblems.loop_in_worker({ where, seconds }))
  }

  /** Code that took all the memory of a worker was ended. */
  fullWorker(slug: string, where: string): Error {
    return this.#ended(slug, 'memory', where, pluginProblems.memory({ where }))
  }

  /** Code that took more and more of the memory of the site itself was ended. */
  full(slug: string, where: string): Error {
    return this.#ended(slug, 'memory', where, pluginProblems.memory_of_site({ where }))
  }

  /**
   * It held up nobody for long: what a visitor asked for once, or a machine with too much to do, is no reason yet. Quarantine follows when it happens
   * again within ten minutes.
   */
  #ended(slug: string, kind: 'loop' | 'memory', where: string, problem: CodedError): Error {
    const error = Object.assign(new Error(problem.message), { stack: '' })
    this.charge(slug, kind, where, error)
    if (slug === 'kernel') return error
    const entry = this.#entry(slug)
    const now = this.#options.now()
    if (entry.endedAt !== 0 && now - entry.endedAt < FORGET_AFTER_SECONDS) this.#options.quarantine(slug, problem)
    entry.endedAt = now
    return error
  }

  /** Work at this place succeeded: what failed there before was not the rule. */
  well(slug: string, kind: FaultKind, where: string): void {
    if (this.#entries.size === 0) return
    const place = placeOf(kind, where)
    this.#entries.get(slug)?.rows.delete(place)
    // What is asked for here may have failed in what somebody else provides.
    for (const { places } of this.#entries.values()) places.delete(place)
  }

  /** Code that was right and took long. */
  slow(slug: string, where: string, ms: number): void {
    if (slug === 'kernel') return
    this.#entry(slug).slow++
    this.#log.write('warn', slug, `slow ${where}`, `${where} took ${Math.round(ms)} ms`)
  }

  /** A browser says that code of the plugin failed there. Hearsay: it is shown and changes nothing. */
  reported(slug: string, message: string): void {
    const entry = this.#entry(slug)
    entry.reported++
    entry.lastReport = message.slice(0, MAX_MESSAGE)
  }

  summary(slug: string): FaultSummary {
    const { count, slow, reported, last, lastReport } = this.#entries.get(slug) ?? nothing()
    return { count, slow, reported, last, lastReport }
  }

  #entry(slug: string): Entry {
    let entry = this.#entries.get(slug)
    if (!entry) {
      entry = nothing()
      this.#entries.set(slug, entry)
    }
    return entry
  }
}

const nothing = (): Entry => ({
  count: 0,
  slow: 0,
  reported: 0,
  last: null,
  lastReport: '',
  rows: new Map(),
  places: new LRUCache({ max: MOST_PLACES }),
  endedAt: 0,
})

const isOutage = (error: unknown): boolean => OUTAGE.test(String((error as { code?: unknown } | null)?.code ?? ''))

/** Pages are asked for by address, of which a visitor may make up as many as they like. */
const placeOf = (kind: FaultKind, where: string): string => (kind === 'page' ? kind : `${kind} ${where}`)

/** As stacks have it: `1.2.0-0123abcd`. */
const versionName = ({ manifest, generation }: DiscoveredPlugin): string => `${manifest.version}-${generation.slice(0, 8)}`

/** Version of the plugin's innermost frame. */
function versionOfStack(error: unknown, slug: string): string | undefined {
  const stack = typeof error === 'object' && error !== null ? (error as { stack?: unknown }).stack : undefined
  return typeof stack === 'string' ? new RegExp(`plugin://${slug}@([^/]+)/`).exec(stack)?.[1] : undefined
}

/** Plugin of the innermost frame that is a plugin's; frames of the kernel above it were called by it. */
export function slugOfStack(error: unknown): string | undefined {
  const stack = typeof error === 'object' && error !== null ? (error as { stack?: unknown }).stack : undefined
  return typeof stack === 'string' ? /plugin:\/\/([\w-]+)@/.exec(stack)?.[1] : undefined
}
