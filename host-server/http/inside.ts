import { EventEmitter } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

export interface InsideRequest {
  method: 'GET'
  url: string
  /** Names in small letters. */
  headers: Record<string, string>
}

/** A reply that has not left this process. */
export interface InsideReply {
  status: number
  /** UTF-8. */
  body: Uint8Array
}

/** What is read of a request that has no body and no connection. */
class Message extends EventEmitter {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly socket = Object.assign(new EventEmitter(), { remoteAddress: '127.0.0.1' })
  readonly complete = true
  readonly aborted = false
  closed = false
  destroyed = false

  constructor({ method, url, headers }: InsideRequest) {
    super()
    this.method = method
    this.url = url
    this.headers = { host: 'localhost', ...headers }
  }

  resume(): this {
    return this
  }

  destroy(): this {
    this.destroyed = true
    return this
  }
}

/** Keeps what would be sent, without the streams of a response that could go to a connection. */
class Response extends EventEmitter {
  statusCode = 200
  headersSent = false
  writableEnded = false
  finished = false
  destroyed = false
  readonly req: Message
  readonly #headers = new Map<string, OutgoingHttpHeaders[string]>()
  readonly #chunks: Buffer[] = []
  readonly #done: (error: Error | null, reply: InsideReply) => void

  constructor(req: Message, done: (error: Error | null, reply: InsideReply) => void) {
    super()
    this.req = req
    this.#done = done
  }

  setHeader(name: string, value: OutgoingHttpHeaders[string]): this {
    this.#headers.set(name.toLowerCase(), value)
    return this
  }

  getHeader(name: string): OutgoingHttpHeaders[string] {
    return this.#headers.get(name.toLowerCase())
  }

  getHeaders(): OutgoingHttpHeaders {
    return Object.fromEntries(this.#headers)
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()]
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase())
  }

  removeHeader(name: string): void {
    this.#headers.delete(name.toLowerCase())
  }

  writeHead(status: number): this {
    this.statusCode = status
    this.headersSent = true
    return this
  }

  write(chunk: string | Uint8Array): boolean {
    this.headersSent = true
    this.#chunks.push(Buffer.from(chunk as Uint8Array))
    return true
  }

  end(chunk?: string | Uint8Array | null): this {
    if (this.writableEnded) return this
    if (typeof chunk === 'string') this.#chunks.push(Buffer.from(chunk))
    else if (chunk) this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
    this.headersSent = true
    this.writableEnded = true
    this.finished = true
    const [only] = this.#chunks
    this.#leave(null, { status: this.statusCode, body: this.#chunks.length === 1 ? (only as Buffer) : Buffer.concat(this.#chunks) })
    this.emit('finish')
    return this
  }

  destroy(error?: Error): this {
    if (this.destroyed) return this
    this.destroyed = true
    if (!this.writableEnded) this.#leave(error ?? new Error('The reply was given up'), { status: this.statusCode, body: Buffer.alloc(0) })
    return this
  }

  #leave(error: Error | null, reply: InsideReply): void {
    this.#done(error, reply)
    // Whoever waits for the end of a reply listens once the handler has returned.
    queueMicrotask(() => {
      this.req.closed = true
      this.req.emit('close')
      this.emit('close')
    })
  }
}

/**
 * Has a request of this process answered, as if it had come from a visitor of this machine without a cookie.
 * @param handle a handler that reads no body and writes text or bytes
 */
export function inside(handle: (req: IncomingMessage, res: ServerResponse) => void, request: InsideRequest): Promise<InsideReply> {
  return new Promise((resolve, reject) => {
    const req = new Message(request)
    const res = new Response(req, (error, reply) => (error ? reject(error) : resolve(reply)))
    handle(req as unknown as IncomingMessage, res as unknown as ServerResponse)
  })
}
