import type { OutgoingCall, Repeat } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { CallReply, CallRequest, Transport } from './call.ts'
import { fieldsOf } from './call.ts'
import type { Taps } from './taps.ts'

/** Source: decision 48. */
const MOST_REPEATS = 5

/** Lets the taps of plugins take part in what a transport carries. */
export type Through = (send: Transport) => Transport

/** How a call came out; without a reply, why. */
type Outcome = { reply: CallReply } | { lost: unknown }

/**
 * The way of every call: taps add to it, see its reply and may have it repeated. What the error catalogue shows, and whether a session is
 * over, is decided behind it, by the last reply.
 * @param skip ids of taps that do not see these calls
 */
export function createPipe(taps: Taps, token: () => string | undefined): (skip?: ReadonlySet<string>) => Through {
  return (skip = new Set()) =>
    (send) =>
    async (request) => {
      const about = { path: pathOf(request.url), method: request.method }
      const { signal } = request
      const adding = taps.run(webHooks.beforeRequest, outgoing(request), { subject: about, signal, skip, accept: checkedCall })
      let sent = adding ? laid(request, (await adding) ?? {}) : request
      let first: Outcome | undefined
      const spent = new Set<string>()
      for (let attempt = 1; ; attempt++) {
        signal?.throwIfAborted()
        const outcome = await send(sent).then(
          (reply): Outcome => ({ reply }),
          (lost: unknown): Outcome => ({ lost }),
        )
        signal?.throwIfAborted()
        const { status, envelope } = 'reply' in outcome ? outcome.reply : { status: 0, envelope: null }
        const data = envelope?.data ?? null
        const said = { reason: envelope?.reason ?? '', fields: fieldsOf(data) }
        const mayRepeat = attempt <= MOST_REPEATS && (status !== 0 || sent.method === 'GET')
        let wasCancelled = false
        const asking = taps.run(
          webHooks.replied,
          { call: outgoing(sent), status, ...said, msg: envelope?.msg ?? '', data, attempt },
          {
            subject: { ...about, status, ...said },
            signal,
            skip,
            accept(result, { id, answered }) {
              const repeat = checkedRepeat(result)
              if (!mayRepeat || (!answered && spent.has(id))) return undefined
              if (!answered) spent.add(id)
              return repeat
            },
            onCancel() {
              wasCancelled = true
            },
          },
        )
        const repeat = await asking
        signal?.throwIfAborted()
        if (!repeat) return opened(wasCancelled ? (first ?? outcome) : outcome)
        first ??= outcome
        sent = { ...laid(sent, repeat), token: token() }
      }
    }
}

function opened(outcome: Outcome): CallReply {
  if ('lost' in outcome) throw outcome.lost
  return outcome.reply
}

const pathOf = (url: string): string => url.split('?', 1)[0] as string
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const queryOf = (url: string): URLSearchParams => new URLSearchParams(url.slice(pathOf(url).length))

function outgoing({ method, url, body, headers = {} }: CallRequest): OutgoingCall {
  const fields = method === 'GET' ? Object.fromEntries(queryOf(url)) : isRecord(body) ? body : {}
  return { method, path: pathOf(url), fields: { ...fields }, headers: { ...headers } }
}

/** Headers of the kernel; what taps say of them does not count. */
const OWN_HEADERS = /^(authorization|accept-language|content-type)$/i

/** The same request with more fields and headers. */
function laid(request: CallRequest, { fields = {}, headers = {} }: Repeat): CallRequest {
  const added = Object.entries(headers).filter(([name]) => !OWN_HEADERS.test(name))
  const next: CallRequest = { ...request, headers: { ...request.headers, ...Object.fromEntries(added) } }
  if (request.method === 'GET') {
    const query = queryOf(request.url)
    for (const [name, value] of Object.entries(fields)) if (query.get(name) !== String(value)) query.set(name, String(value))
    if (query.size > 0) next.url = `${pathOf(request.url)}?${query}`
  } else if (Object.keys(fields).length > 0 && (request.body === undefined || isRecord(request.body))) {
    next.body = { ...request.body, ...fields }
  }
  return next
}

/** @throws when a tap returned something else */
function checkedCall(result: unknown): unknown {
  if (!isRecord(result) || !isRecord(result.fields) || !isRecord(result.headers))
    throw new TypeError('A tap of kernel.beforeRequest returns the call')
  checkHeaders(result.headers)
  return result
}

/** @throws when a tap returned something else */
function checkedRepeat(result: unknown): Repeat {
  if (!isRecord(result) || !isRecord(result.fields ?? {}) || !isRecord(result.headers ?? {}))
    throw new TypeError('A tap of kernel.replied returns fields and headers of the repeated call')
  checkHeaders(result.headers ?? {})
  return result as Repeat
}

/** @throws for a name or a value that no request can carry */
const checkHeaders = (headers: unknown): void => void new Headers(headers as Record<string, string>)
