import { LRUCache } from 'lru-cache'
import type { LogFunction } from '../../shared/types.ts'
import { sourceStack } from './source-stack.ts'

const MINUTE_MS = 60_000
/** Different faults that are written in full within a minute. */
const MOST_A_MINUTE = 30
const REMEMBERED = 1_000
const MAX_STACK = 4_000

interface Known {
  level: 'warn' | 'error'
  slug: string
  message: string
  /** Since it was last written. */
  times: number
}

/**
 * Faults as the log has them: the first of each kind with its stack, the rest as a number, once a minute. A visitor who has found one sets it off
 * as often as they like, and a log that is full of it tells nothing else (measured: 3 MB in minutes).
 */
export class FaultLog {
  readonly #log: LogFunction
  readonly #known = new LRUCache<string, Known>({ max: REMEMBERED })
  /** Kinds that were set off again since they were written. */
  readonly #again = new Set<Known>()
  #written = 0
  #left = 0
  #timer: NodeJS.Timeout | undefined

  constructor(log: LogFunction) {
    this.#log = log
  }

  /** @param where route, hook or file; with the innermost line of the stack it tells one fault from another, whatever their messages say */
  write(level: 'warn' | 'error', slug: string, where: string, message: string, error?: unknown): void {
    const stack = error instanceof Error ? error.stack : undefined
    const key = `${slug}\n${where}\n${/^\s+at .*$/m.exec(stack ?? '')?.[0] ?? (stack === undefined ? message.replaceAll(/\d+/g, '0') : '')}`
    const known = this.#known.get(key)
    this.#timer ??= setTimeout(() => this.#sum(), MINUTE_MS).unref()
    if (known) {
      known.times++
      this.#again.add(known)
    } else if (this.#written >= MOST_A_MINUTE) this.#left++
    else {
      this.#written++
      this.#known.set(key, { level, slug, message, times: 0 })
      this.#log(level, slug, message, stack === undefined ? undefined : { stack: sourceStack(stack).slice(0, MAX_STACK) })
    }
  }

  /** Writes how often each has come again. */
  #sum(): void {
    this.#timer = undefined
    this.#written = 0
    for (const known of this.#again) {
      this.#log(known.level, known.slug, `${known.times} times more: ${known.message}`)
      known.times = 0
    }
    this.#again.clear()
    if (this.#left > 0) this.#log('error', 'kernel', `${this.#left} faults more, of other kinds, were not written within a minute`)
    this.#left = 0
  }
}
