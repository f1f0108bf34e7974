import type { CallRequest, Envelope, Transport } from '../kernel/call.ts'
import { CALL_TIMEOUT_MS } from '../kernel/call.ts'

/** Calls over the network: token, language, credentials and a time-out of 10 s. */
export const fetchTransport: Transport = async ({ method, url, body, headers: own, language, token, signal }: CallRequest) => {
  const headers = new Headers(own)
  headers.set('Accept-Language', language)
  if (token) headers.set('Authorization', token)
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  const late = AbortSignal.timeout(CALL_TIMEOUT_MS)
  const reply = await fetch(url, {
    method,
    headers,
    credentials: 'same-origin',
    signal: signal ? AbortSignal.any([signal, late]) : late,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  return { status: reply.status, envelope: parse(text) }
}

function parse(text: string): Envelope | null {
  try {
    return JSON.parse(text) as Envelope
  } catch {
    return null
  }
}
