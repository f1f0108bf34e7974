import type { IncomingMessage, ServerResponse } from 'node:http'

const HEARTBEAT_MS = 25_000

/** A stream with listeners ends after this time: whoever comes back is asked anew who they are and what they may hear. */
const LISTENING_MS = 10 * 60_000
/** How long a browser waits before it comes back: not all in the same moment after a restart, and each asks again for what it may have missed. */
const RETRY_MS = 1000
const SPREAD_MS = 2000

/** What a browser has not taken yet; one that takes nothing is let go. */
const MOST_WAITING = 256 * 1024

/** Saving one page of settings may change facts in several places. */
const SETTLE_MS = 100

/** Streams to open browsers: the tag of what is on, at once and after each switch, that facts of the site have changed, and what is pushed to those that listen. */
export class EventStream {
  readonly #open = new Set<ServerResponse>()
  /** Id and topic → who listens. */
  readonly #listening = new Map<string, Set<ServerResponse>>()
  readonly #heartbeat: ReturnType<typeof setInterval>
  #settling: ReturnType<typeof setTimeout> | undefined

  constructor() {
    this.#heartbeat = setInterval(() => this.#write(': still here\n\n'), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  /** @param keys id and topic of what this browser may hear */
  handle(req: IncomingMessage, res: ServerResponse, tag: string, keys: readonly string[] = []): void {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    })
    if (req.method === 'HEAD') return void res.end()
    req.socket.setTimeout(0)
    res.write(`retry: ${RETRY_MS + Math.floor(Math.random() * SPREAD_MS)}\n\n${message(tag)}`)
    this.#open.add(res)
    for (const key of keys) this.#listening.set(key, (this.#listening.get(key) ?? new Set()).add(res))
    const ending = keys.length > 0 ? setTimeout(() => res.end(), LISTENING_MS).unref() : undefined
    res.on('close', () => {
      clearTimeout(ending)
      this.#open.delete(res)
      for (const key of keys) {
        const others = this.#listening.get(key)
        others?.delete(res)
        if (others?.size === 0) this.#listening.delete(key)
      }
    })
  }

  push(key: string, payload: unknown): void {
    const text = `event: push\ndata: ${JSON.stringify({ key, payload })}\n\n`
    for (const res of this.#listening.get(key) ?? []) send(res, text)
  }

  tell(tag: string): void {
    this.#write(message(tag))
  }

  /** Settings have changed: what pages show of them is asked for again. */
  tellFacts(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      this.#write('event: facts\ndata: changed\n\n')
    }, SETTLE_MS)
  }

  /** Something that only pages of `npm run dev` listen to. */
  say(about: object): void {
    this.#write(`event: dev\ndata: ${JSON.stringify(about)}\n\n`)
  }

  #write(text: string): void {
    for (const res of this.#open) send(res, text)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#settling)
    for (const res of this.#open) res.end()
    this.#open.clear()
  }
}

function send(res: ServerResponse, text: string): void {
  if (res.writableLength > MOST_WAITING) res.destroy()
  else res.write(text)
}

const message = (tag: string): string => `event: map\ndata: ${tag}\n\n`
