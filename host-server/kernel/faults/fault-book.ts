import type { CodedError } from '@stoa/sdk'
import { isCodedError } from '@stoa/sdk'
import { pluginProblems } from '@stoa/sdk/kernel'
import type { FaultSummary } from '@stoa/sdk/server'
import type { LogFunction } from '../../types.ts'

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
  | 'exit'
  | 'stop'

/** Faults of a plugin's own making, in a row at one place, after which it goes into quarantine. */
const MOST_IN_A_ROW = 3
/** A row ends when nothing failed there for so long, for places that cannot report success. */
const FORGET_AFTER_SECONDS = 600
const MAX_MESSAGE = 300

/** What the machine or the database ran out of is nobody's fault in particular. */
const OUTAGE =
  /^(ECONN|ENOTFOUND|ETIMEDOUT|EPIPE|EAI_AGAIN|ENOSPC|EMFILE|ENFILE|SQLITE_(BUSY|FULL|IOERR|CANTOPEN)|57P0|53\d\d\d|08\d\d\d|40001|40P01)/

interface Entry extends FaultSummary {
  rows: Map<string, { times: number; at: number }>
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
  /** Errors that were charged: one that several layers see counts once. */
  readonly #seen = new WeakSet<object>()

  constructor(options: FaultBookOptions) {
    this.#options = options
  }

  /**
   * Charges an error to the plugin whose code threw it, as its stack says, else to `slug`.
   * Refusals of a contract (below 500) are answers, not faults, where somebody gets them.
   * @returns who was charged; undefined for what is no fault or was charged before
   */
  charge(slug: string, kind: FaultKind, where: string, error: unknown): string | undefined {
    if (kind === 'request' && isCodedError(error) && error.status < 500) return undefined
    if (typeof error === 'object' && error !== null) {
      if (this.#seen.has(error)) return undefined
      this.#seen.add(error)
    }
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE)
    const charged = slugOfStack(error) ?? slug
    this.#options.log('error', charged, `${kind} ${where}: ${message}`, error instanceof Error && error.stack ? { stack: error.stack } : {})
    if (charged === 'kernel') return charged
    const entry = this.#entry(charged)
    entry.count++
    entry.last = { at: this.#options.now(), kind, where, message }
    if (this.#options.current().own && !isOutage(error)) this.#count(charged, entry, kind, where, message)
    return charged
  }

  /** Nobody caught this error: it is charged to whose code threw it, else to whose code runs now. */
  uncaught(kind: 'exception' | 'rejection', error: unknown): void {
    this.charge(this.#options.current().slug, kind, `unhandled ${kind}`, error)
  }

  #count(slug: string, entry: Entry, kind: FaultKind, where: string, message: string): void {
    const place = `${kind} ${where}`
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

  /** Work at this place succeeded: what failed there before was not the rule. */
  well(slug: string, kind: FaultKind, where: string): void {
    this.#entries.get(slug)?.rows.delete(`${kind} ${where}`)
  }

  /** Code that was right and took long. */
  slow(slug: string, where: string, ms: number): void {
    if (slug === 'kernel') return
    this.#entry(slug).slow++
    this.#options.log('warn', slug, `${where} took ${Math.round(ms)} ms`)
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

const nothing = (): Entry => ({ count: 0, slow: 0, reported: 0, last: null, lastReport: '', rows: new Map() })

const isOutage = (error: unknown): boolean => OUTAGE.test(String((error as { code?: unknown } | null)?.code ?? ''))

/** Plugin of the innermost frame that is a plugin's; frames of the kernel above it were called by it. */
export function slugOfStack(error: unknown): string | undefined {
  const stack = typeof error === 'object' && error !== null ? (error as { stack?: unknown }).stack : undefined
  return typeof stack === 'string' ? /plugin:\/\/([a-z0-9-]+)@/.exec(stack)?.[1] : undefined
}
