import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it came over the wire, and the status it was answered with (0: none). */
export interface Call {
  host: string
  method: string
  path: string
  query: URLSearchParams
  headers: IncomingMessage['headers']
  body: string
  status: number
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  body?: string
}

/**
 * How a vendor breaks. Whatever loses an answer (`silence`, `half`, `drip`, `endless`, `reset`) loses it after the vendor has done its work: whoever
 * asks again asks with a used code. `twice` is a request delivered two times, of which the second is answered.
 */
export type Failure = 'error' | 'silence' | 'half' | 'html' | 'twice' | 'drip' | 'endless' | 'redirect' | 'reset'

interface Fault {
  how: Failure | Answer
  path: string
  times: number
}

export interface Vendor<Host extends string> {
  /** The address that stands for each of the vendor's hosts, without a slash at its end. */
  urls: Record<Host, string>
  transcript: Call[]
  /** The calls to one path, in order. */
  callsTo(path: string): Call[]
  /** The vendor's own clock, in milliseconds. */
  now(): number
  advance(seconds: number): void
  /** Breaks the next calls to a path (all of the vendor's, where none is named) until `times` are over or `recover` is called. */
  fail(how: Failure | Answer, where?: { path?: string; times?: number }): void
  recover(): void
  close(): Promise<void>
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})
export const page = (status: number, text: string): Answer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: `<!doctype html><title>${text}</title><h1>${text}</h1>`,
})
export const sendTo = (address: string): Answer => ({ status: 302, headers: { location: address } })

/** An address with more in its query; what is undefined is left out. */
export function withQuery(address: string, more: Record<string, string | undefined>): string {
  const url = new URL(address)
  for (const [name, value] of Object.entries(more)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

export const token = (bytes = 20) => randomBytes(bytes).toString('hex')
/** Compares in constant time. */
export const same = (one: string, other: string) =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

/** Starts one server for each host of the vendor on 127.0.0.1, so that a call to the right path of the wrong host finds nothing. */
export async function startVendor<Host extends string>(hosts: Record<Host, (call: Call) => Answer>): Promise<Vendor<Host>> {
  const transcript: Call[] = []
  const servers: Server[] = []
  const timers = new Set<NodeJS.Timeout>()
  const urls = {} as Record<Host, string>
  let faults: Fault[] = []
  let ahead = 0

  const faultFor = (path: string) => {
    const fault = faults.find((one) => one.times > 0 && path.startsWith(one.path))
    if (fault) fault.times -= 1
    return fault?.how
  }

  const every = (milliseconds: number, work: () => void) => {
    const timer = setInterval(work, milliseconds)
    timers.add(timer)
    return () => {
      clearInterval(timer)
      timers.delete(timer)
    }
  }

  /** Sends an answer, or what the fault leaves of it. */
  function deliver(call: Call, answer: Answer, fault: Failure | undefined, response: ServerResponse) {
    const { body = '', headers, status } = answer
    if (fault === 'silence') return
    if (fault === 'reset') return void response.socket?.destroy()
    call.status = status
    if (fault === 'half') {
      response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
      response.write(body.slice(0, body.length / 2), () => response.socket?.destroy())
    } else if (fault === 'drip') {
      response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body)) })
      const bytes = Buffer.from(body)
      let sent = 0
      const stop = every(1_000, () => {
        response.write(bytes.subarray(sent, sent + 1))
        sent += 1
        if (sent < bytes.length) return
        stop()
        response.end()
      })
      response.on('close', stop)
    } else if (fault === 'endless') {
      response.writeHead(status, headers)
      const more = Buffer.alloc(256 * 1024, ' ')
      const stop = every(1, () => response.write(more))
      response.on('close', stop)
    } else {
      response.writeHead(status, headers)
      response.end(body)
    }
  }

  async function answer(host: Host, request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://vendor.test')
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const call: Call = {
      host,
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(parts).toString('utf8'),
      status: 0,
    }
    transcript.push(call)
    const fault = faultFor(call.path)
    if (typeof fault === 'object') return deliver(call, fault, undefined, response)
    if (fault === 'error') return deliver(call, page(500, 'Internal Server Error'), undefined, response)
    if (fault === 'html') return deliver(call, page(200, 'Sign in to the network'), undefined, response)
    if (fault === 'redirect') return deliver(call, sendTo(`${urls[host]}/elsewhere`), undefined, response)
    if (fault === 'twice') hosts[host](call)
    deliver(call, hosts[host](call), fault, response)
  }

  for (const host of Object.keys(hosts) as Host[]) {
    const server = createServer((request, response) => void answer(host, request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    urls[host] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  return {
    urls,
    transcript,
    callsTo: (path) => transcript.filter((call) => call.path === path),
    now: () => Date.now() + ahead,
    advance: (seconds) => {
      ahead += seconds * 1000
    },
    fail: (how, { path = '/', times = Number.POSITIVE_INFINITY } = {}) => {
      faults.push({ how, path, times })
    },
    recover: () => {
      faults = []
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      for (const server of servers) {
        server.close()
        server.closeAllConnections()
        await once(server, 'close')
      }
    },
  }
}
