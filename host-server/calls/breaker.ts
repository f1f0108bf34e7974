import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/** Failures of one request, by one client, after which it rests. */
const MOST_REPEATS = 5
/** Clients that must have waited in vain, and nobody been served, before a call rests for everybody. */
const MOST_CLIENTS = 5
const FORGET_MS = 60_000
const REST_MS = 10_000
/** The one used longest ago makes room: a flood of different requests cannot fill the memory. */
const MOST_ENTRIES = 1000

interface Entry {
  failures: number
  at: number
  restsUntil: number
}

/** A request as the breaker tells them apart. */
export interface Attempt {
  /** Method and path of the route. */
  route: string
  /** Person, else address. */
  client: string
  url: string
  body: unknown
}

/**
 * Breaker over the calls of one plugin version. It is no tool for a visitor to take a call from others: what fails quickly rests only
 * for the client that repeats the same request; a call rests for everybody only while each of several clients waited in vain.
 */
export class Breaker {
  /** By route, client and input. */
  readonly #repeats = new LRUCache<string, Entry>({ max: MOST_ENTRIES })
  /** By route: who waited in vain since somebody was served last. */
  readonly #late = new LRUCache<string, Entry & { clients: Set<string> }>({ max: MOST_ENTRIES })
  readonly #now: () => number

  /** @param now milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** @returns milliseconds until the request may be tried; 0: now. After a rest one is let through to see whether it works again. */
  openForMs(attempt: Attempt): number {
    if (this.#repeats.size === 0 && this.#late.size === 0) return 0
    const late = this.#late.get(attempt.route)
    const entries = [this.#repeats.get(keyOf(attempt)), late && late.clients.size >= MOST_CLIENTS ? late : undefined]
    const left = Math.max(0, ...entries.map((entry) => (entry ? entry.restsUntil - this.#now() : 0)))
    if (left > 0) return left
    for (const entry of entries) if (entry && entry.restsUntil > 0) entry.restsUntil = this.#now() + REST_MS
    return 0
  }

  /** @param inVain it was given up after the time a handler has */
  failed(attempt: Attempt, inVain: boolean): void {
    const now = this.#now()
    const key = keyOf(attempt)
    const entry = recent(this.#repeats.get(key), now) ?? { failures: 0, at: now, restsUntil: 0 }
    entry.failures++
    entry.at = now
    if (entry.failures >= MOST_REPEATS) entry.restsUntil = now + REST_MS
    this.#repeats.set(key, entry)
    if (!inVain) return
    const late = recent(this.#late.get(attempt.route), now) ?? { failures: 0, at: now, restsUntil: 0, clients: new Set<string>() }
    late.at = now
    // More would change nothing.
    if (late.clients.size < MOST_CLIENTS) late.clients.add(attempt.client)
    if (late.clients.size >= MOST_CLIENTS) late.restsUntil = now + REST_MS
    this.#late.set(attempt.route, late)
  }

  succeeded(attempt: Attempt): void {
    if (this.#repeats.size > 0) this.#repeats.delete(keyOf(attempt))
    if (this.#late.size > 0) this.#late.delete(attempt.route)
  }
}

const recent = <E extends Entry>(entry: E | undefined, now: number): E | undefined =>
  entry && now - entry.at < FORGET_MS ? entry : undefined

function keyOf({ route, client, url, body }: Attempt): string {
  return createHash('sha256')
    .update(JSON.stringify([route, client, url, body ?? null]))
    .digest('base64url')
}
