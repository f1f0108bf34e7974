import type { OutgoingCall, Repeat } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { CallReply, CallRequest, Transport } from './call.ts'
import type { Outcome } from './outcome.ts'
import { opened, outcomeOf, replySubjectOf, subjectOf } from './outcome.ts'
import type { Taps } from './taps.ts'

/** Source: decision 48. */
const MOST_REPEATS = 5

export interface TappedCallParts {
  taps: Taps
  token(): string | undefined
  skip: ReadonlySet<string>
  send: Transport
}

/** A call that taps add to or have repeated. @param known how it came out, when it was sent already */
export async function tappedCall({ taps, token, skip, send }: TappedCallParts, request: CallRequest, known?: Outcome): Promise<CallReply> {
  const { signal } = request
  let sent = request
  if (!known) {
    const options = { subject: subjectOf(request), signal, skip, accept: checkedCall }
    sent = laid(request, (await taps.run(webHooks.beforeRequest, outgoing(request), options)) ?? {})
  }
  let first: Outcome | undefined
  /** Taps that had it repeated without asking anybody. */
  const spent = new Set<string>()
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    const outcome = (attempt === 1 && known) || (await outcomeOf(send(sent)))
    signal?.throwIfAborted()
    const subject = replySubjectOf(sent, outcome)
    const mayRepeat = attempt <= MOST_REPEATS && (subject.status !== 0 || sent.method === 'GET')
    let wasCancelled = false
    const repeat = await taps.run(webHooks.replied, exchangeOf(sent, outcome, attempt), {
      subject,
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
    })
    signal?.throwIfAborted()
    if (!repeat) return opened(wasCancelled ? (first ?? outcome) : outcome)
    first ??= outcome
    sent = { ...laid(sent, repeat), token: token() }
  }
}

function exchangeOf(sent: CallRequest, outcome: Outcome, attempt: number) {
  const { status = 0, reason = '', fields = {} } = replySubjectOf(sent, outcome)
  const envelope = 'reply' in outcome ? outcome.reply.envelope : null
  return { call: outgoing(sent), status, reason, fields, msg: envelope?.msg ?? '', data: envelope?.data ?? null, attempt }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const pathOf = (url: string): string => url.split('?', 1)[0] as string
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

/** What else is wrong with it, the shape of the hook says. */
function checkedCall(result: unknown): unknown {
  if (isRecord(result)) checkHeaders(result.headers)
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
