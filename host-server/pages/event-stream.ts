import type { IncomingMessage, ServerResponse } from 'node:http'

const HEARTBEAT_MS = 25_000

/** Streams to open browsers: the tag of what is on, at once and after each switch. */
export class EventStream {
  readonly #open = new Set<ServerResponse>()
  readonly #heartbeat: ReturnType<typeof setInterval>

  constructor() {
    this.#heartbeat = setInterval(() => this.#write(': still here\n\n'), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  handle(req: IncomingMessage, res: ServerResponse, tag: string): void {
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    })
    if (req.method === 'HEAD') return void res.end()
    req.socket.setTimeout(0)
    res.write(`retry: 1000\n\n${message(tag)}`)
    this.#open.add(res)
    res.on('close', () => this.#open.delete(res))
  }

  tell(tag: string): void {
    this.#write(message(tag))
  }

  /** Something that only pages of `npm run dev` listen to. */
  say(about: object): void {
    this.#write(`event: dev\ndata: ${JSON.stringify(about)}\n\n`)
  }

  #write(text: string): void {
    for (const res of this.#open) res.write(text)
  }

  close(): void {
    clearInterval(this.#heartbeat)
    for (const res of this.#open) res.end()
    this.#open.clear()
  }
}

const message = (tag: string): string => `event: map\ndata: ${tag}\n\n`
