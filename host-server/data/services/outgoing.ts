import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import type { OutgoingRequest } from '@stoa/sdk/server'
import { isCodedError, outgoingErrors } from '@stoa/sdk/server'
import ipaddr from 'ipaddr.js'
import { CalledHosts } from './called-hosts.ts'

const SECONDS = 10
const MOST_BYTES = 1024 * 1024
/** Replies that have no body. */
const BARE = new Set([101, 204, 205, 304])

/**
 * @param allowed addresses and ranges that may be called although they are not public
 * @param hosts what is known of those that are called
 */
export function createOutgoing(allowed: readonly string[], hosts = new CalledHosts()) {
  const ranges = allowed.map((range) => ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`))

  /** Public, or allowed by whoever runs the server. */
  function isAllowed(address: string): boolean {
    if (!ipaddr.isValid(address)) return false
    const parsed = ipaddr.process(address)
    if (parsed.range() === 'unicast') return true
    return ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits))
  }

  /** The addresses that are connected to are the ones that are judged: a name cannot lead elsewhere in between. */
  const guardedLookup: LookupFunction = (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, '')
      if (found.length === 0 || !found.every(({ address }) => isAllowed(address)))
        return done(outgoingErrors.forbidden({ host: hostname }), '')
      const [first] = found as [LookupAddress]
      return options.all ? done(null, found) : done(null, first.address, first.family)
    })
  }

  /**
   * Sends a request to another server. Redirects are not followed: what came is the reply.
   * @throws `error.outgoing.…`, or what the network says
   */
  return async function send(to: string, options: OutgoingRequest = {}): Promise<Response> {
    const url = URL.canParse(to) ? new URL(to) : undefined
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') throw outgoingErrors.forbidden({ host: url?.protocol ?? '' })
    const literal = url.hostname.replace(/^\[|\]$/g, '')
    if (ipaddr.isValid(literal) && !isAllowed(literal)) throw outgoingErrors.forbidden({ host: literal })
    const { method = 'GET', body, headers = {}, maxBytes = MOST_BYTES, seconds = SECONDS } = options
    const limit = AbortSignal.timeout(seconds * 1000)
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit
    const bytes = body === undefined ? undefined : Buffer.from(body)
    const send = () => sendTo(url, { method, headers, bytes, signal, maxBytes })
    const isNoReply = (error: unknown) => !isCodedError(error) && !options.signal?.aborted
    try {
      return await hosts.call(url.host, signal, send, isNoReply)
    } catch (error) {
      throw limit.aborted && !isCodedError(error) ? outgoingErrors.slow({ host: url.hostname, seconds }) : error
    }
  }

  async function sendTo(url: URL, { method, headers, bytes, signal, maxBytes }: Sent): Promise<Response> {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      headers: { ...headers, 'accept-encoding': 'identity', ...(bytes && { 'content-length': bytes.length }) },
      lookup: guardedLookup,
      signal,
      agent: false,
    })
    try {
      const reply = await answer(request, bytes)
      return await whole(reply, maxBytes)
    } finally {
      request.destroy()
    }
  }
}

interface Sent {
  method: string
  headers: Record<string, string>
  bytes: Buffer | undefined
  signal: AbortSignal
  maxBytes: number
}

const answer = (request: ClientRequest, body: Buffer | undefined) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request.on('response', resolve)
    request.on('error', reject)
    request.end(body)
  })

async function whole(reply: IncomingMessage, maxBytes: number): Promise<Response> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of reply as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxBytes) throw outgoingErrors.large({ maxBytes })
    parts.push(part)
  }
  const headers = new Headers()
  for (let at = 0; at + 1 < reply.rawHeaders.length; at += 2)
    headers.append(reply.rawHeaders[at] as string, reply.rawHeaders[at + 1] as string)
  const status = reply.statusCode ?? 502
  return new Response(BARE.has(status) ? null : Buffer.concat(parts), { status: status < 200 ? 502 : status, headers })
}
