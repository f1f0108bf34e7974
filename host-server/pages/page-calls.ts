import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { InsideReply } from '../http/inside.ts'

/** Address of each call that a page was made of → digest of its reply, null when it failed. */
export type Sources = ReadonlyMap<string, string | null>

/** What many pages ask for is the same reply, see {@link SharedReplies}. */
const digests = new WeakMap<InsideReply, string>()

/** Of status and body. */
export function digestOf(reply: InsideReply): string {
  const digest = digests.get(reply) ?? `${reply.status} ${hash('sha256', reply.body, 'base64')}`
  digests.set(reply, digest)
  return digest
}

/** Milliseconds for what a page is expected to ask for, before it is drawn. */
const FORESEEN_MS = 1000

/** The calls that one page is made of: each is asked once, however often it is needed. */
export class PageCalls {
  readonly #ask: (url: string) => Promise<InsideReply>
  readonly #asked = new Map<string, Promise<InsideReply>>()

  /** @param ask as a visitor, in the page's language */
  constructor(ask: (url: string) => Promise<InsideReply>) {
    this.#ask = ask
  }

  call(url: string): Promise<InsideReply> {
    let reply = this.#asked.get(url)
    if (!reply) {
      reply = this.#ask(url)
      this.#asked.set(url, reply)
    }
    return reply
  }

  /**
   * Replies by address; those that fail are left out, and asked for again by whoever needs them. So are those that have not come within
   * {@link FORESEEN_MS}: whoever needs them waits for them, and the rest of the page does not.
   */
  async together(urls: readonly string[]): Promise<Map<string, InsideReply>> {
    if (urls.length === 0) return new Map()
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), FORESEEN_MS)
    const inTime = async (url: string) => [url, await Promise.race([this.call(url).catch(() => undefined), late])] as const
    const found = await Promise.all(urls.map(inTime)).finally(() => clearTimeout(timer))
    return new Map(found.filter((row): row is [string, InsideReply] => row[1] !== undefined))
  }

  /** What a page that was made with these depends on. */
  async sources(): Promise<Sources> {
    return new Map(await Promise.all([...this.#asked.keys()].map(async (url) => [url, await this.#digest(url)] as const)))
  }

  /** Whether a page made of `sources` would be the same now. */
  async areStill(sources: Sources): Promise<boolean> {
    const same = await Promise.all([...sources].map(async ([url, digest]) => digest !== null && (await this.#digest(url)) === digest))
    return same.every(Boolean)
  }

  async #digest(url: string): Promise<string | null> {
    const reply = await this.call(url).catch(() => null)
    return reply && digestOf(reply)
  }
}

const MOST_SHARED = 200
/** Calls of which it is known that a page has asked for them lately: most are of one page alone. */
const MOST_ASKED = 1000
/** What depends on the time is this late at most, as a kept page is. */
const SHARED_SECONDS = 10

/**
 * Replies to calls that many pages make, such as the facts of the site: asked for once for a state of the data, and kept from the second page on that
 * asks. What is kept for a moment only is what the old generation fills with: with each page's own replies it was collected every ten seconds (measured
 * at 180 pages a second), and without them not at all. Those of a former state serve nobody, and go at once: 61 of them were 4 MB (measured).
 */
export class SharedReplies {
  readonly #asked = new LRUCache<string, true>({ max: MOST_ASKED })
  readonly #kept = new LRUCache<string, Promise<InsideReply>>({ max: MOST_SHARED })
  readonly #now: () => number
  /** State of the data that the kept ones belong to, and unix seconds of their end. */
  #version = Number.NaN
  #until = 0

  /** @param now unix seconds */
  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * @param key everything that the reply depends on beside the data
   * @param version state of the data, which grows; who asks first does not wait for it
   */
  get(key: string, version: Promise<number>, ask: () => Promise<InsideReply>): Promise<InsideReply> {
    if (this.#asked.get(key)) return version.then((known) => this.#share(key, known, ask))
    this.#asked.set(key, true)
    return ask()
  }

  #share(key: string, version: number, ask: () => Promise<InsideReply>): Promise<InsideReply> {
    const now = this.#now()
    if (version > this.#version || now >= this.#until) {
      this.#kept.clear()
      this.#version = version
      this.#until = now + SHARED_SECONDS
    }
    if (version !== this.#version) return ask()
    const kept = this.#kept.get(key)
    if (kept) return kept
    const reply = ask()
    this.#kept.set(key, reply)
    const drop = () => this.#kept.peek(key) === reply && this.#kept.delete(key)
    reply.then(({ status }) => status === 200 || drop(), drop)
    return reply
  }

  clear(): void {
    this.#kept.clear()
  }
}
