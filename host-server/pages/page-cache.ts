import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { KeptBody } from './compress.ts'
import { sendBody, vary } from './compress.ts'
import type { Sources } from './page-calls.ts'

/** A finished document. */
export interface KeptPage extends KeptBody {
  etag: string
  /** What it was made of: while that is the same, so is the page. */
  sources: Sources
}

/** Emptied when it ends: former tables of a Map keep their last entries, see `in-flight.ts`. */
interface Making {
  page: Promise<KeptPage | undefined> | undefined
}

interface Entry extends KeptPage {
  /** State of the data that the page shows. */
  version: number
  /** Unix seconds. */
  until: number
}

/** What depends on the time (windows of days, "a minute ago" of readers without JavaScript) is this late at most. */
const KEPT_SECONDS = 10
const MAX_BYTES = 8 * 1024 * 1024
/** Each page costs this beside its bytes, most of it what it was made of. */
const OVERHEAD = 3000
/** Addresses that were asked for lately. */
const MOST_ASKED = 2000

/**
 * Documents of visitors, for exactly the state of the data they were made from; those used last stay. After a change of whatever data, a page
 * is compared by the replies it was made of: asking for them costs a fraction of rendering, and nobody has to say what depends on what.
 * A page is kept when it was asked for shortly before: most that crawlers read nobody asks for again, and keeping those took a tenth of the main
 * thread's time for each (measured).
 */
export class PageCache {
  readonly #kept = new LRUCache<string, Entry>({
    maxSize: MAX_BYTES,
    // Compressed, a page is a fifth of itself; two forms and the key stay below this.
    sizeCalculation: ({ body }, key) => Math.ceil(body.length * 1.5) + key.length * 2 + OVERHEAD,
  })
  /** When, in unix seconds, by key. */
  readonly #asked = new LRUCache<string, number>({ max: MOST_ASKED })
  readonly #making = new Map<string, Making>()
  readonly #now: () => number
  #clearings = 0
  /** When those are dropped that are too old, in unix seconds. */
  #sweepAt = 0

  /** @param now unix seconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * Whether nothing of it is kept and nobody has asked for it lately: then it is made whatever the state of the data, and not kept either. Counts as
   * asking for it.
   */
  isNew(key: string): boolean {
    const now = this.#now()
    if (this.#kept.has(key) || now - (this.#asked.get(key) ?? 0) < KEPT_SECONDS) return false
    this.#asked.set(key, now)
    return true
  }

  /** The page as it was made at this version of the data, where that is known already. */
  current(key: string, version: number): KeptPage | undefined {
    const now = this.#now()
    const kept = this.#kept.get(key)
    if (!kept || kept.version !== version || now >= kept.until) return undefined
    this.#asked.set(key, now)
    return kept
  }

  /**
   * The page as it was made at this version of the data, else what `make` makes of it: once, however many ask at a time.
   * @param make is given the page of another version, and returns that one when it would be the same now; undefined for what must not be
   * kept: then everybody who waits makes their own
   */
  async get(
    key: string,
    version: number,
    make: (before: KeptPage | undefined) => Promise<KeptPage | undefined>,
  ): Promise<KeptPage | undefined> {
    const now = this.#now()
    this.#asked.set(key, now)
    const kept = this.#kept.get(key)
    const found = kept && now < kept.until ? kept : undefined
    if (found?.version === version) return found
    const clearings = this.#clearings
    const name = `${clearings} ${version} ${key}`
    const making = this.#making.get(name)?.page
    if (making) return making
    const promise = make(found)
      .then((page) => {
        // What was being made when everything was forgotten may be of before.
        if (!page || clearings !== this.#clearings) return page
        if (page === found && this.#kept.peek(key) === found) found.version = version
        else if (page !== found) this.#keep(key, page, version)
        return page
      })
      .finally(() => {
        entry.page = undefined
        this.#making.delete(name)
      })
    const entry: Making = { page: promise }
    this.#making.set(name, entry)
    return promise
  }

  #keep(key: string, page: KeptPage, version: number): void {
    const now = this.#now()
    const until = now + KEPT_SECONDS
    if (now >= this.#sweepAt) {
      for (const [name, other] of [...this.#kept.entries()]) if (other.until <= now) this.#kept.delete(name)
      this.#sweepAt = until
    }
    this.#kept.set(key, Object.assign(page, { version, until }))
  }

  clear(): void {
    this.#clearings++
    this.#kept.clear()
  }
}

/** @param sources of a page that nobody is going to compare: none */
export function keptPage(body: Buffer, sources: Sources = new Map()): KeptPage {
  return { body, etag: `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`, sources, encoded: {} }
}

/**
 * Brotli's quality for who reads a page, and for who reads thousands: a sixth larger, in a third of the time (measured at 40 pages of 28 to 112 KB: 760 and
 * 270 µs; with 3, 310 µs and a fiftieth less). Only browsers say that they navigate.
 */
const levelFor = (req: IncomingMessage): number => (req.headers['sec-fetch-mode'] === 'navigate' ? 5 : 2)

/** Sends a kept page; 304 to who has it. */
export async function sendKept(req: IncomingMessage, res: ServerResponse, page: KeptPage): Promise<void> {
  res.setHeader('ETag', page.etag)
  if (req.headers['if-none-match']?.includes(page.etag)) {
    vary(res, 'Accept-Encoding')
    return void res.writeHead(304).end()
  }
  await sendBody(req, res, page, 'text/html; charset=utf-8', levelFor(req))
}
