import type { CallToken } from '@stoa/sdk'
import type { ApiError, ApiOptions } from '@stoa/sdk/web'

export interface Envelope {
  code: number
  reason: string
  msg: string
  data: unknown
}

export interface CallRequest {
  method: string
  /** Path with query. */
  url: string
  language: string
  token: string | undefined
  body?: unknown
  /** Of plugins, beside those of the kernel. */
  headers?: Record<string, string>
  signal?: AbortSignal | undefined
}

export interface CallReply {
  status: number
  envelope: Envelope | null
}

/** Carries a call: fetch in the browser, a port to the kernel's dispatcher on the server. Resolves for any HTTP status. */
export type Transport = (request: CallRequest) => Promise<CallReply>

export const CALL_TIMEOUT_MS = 10_000

export function makeApiError(status: number, envelope: Partial<Envelope> | null, shown = false): ApiError {
  const data = envelope?.data ?? null
  const error = new Error(envelope?.msg || envelope?.reason || `HTTP ${status}`) as ApiError
  error.name = 'ApiError'
  error.code = envelope?.code ?? status
  error.reason = envelope?.reason ?? ''
  error.msg = envelope?.msg ?? ''
  error.data = data
  error.fields = fieldsOf(data)
  error.shown = shown
  return error
}

export const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === 'ApiError'
/** The server understood and said no: gone, not permitted, not like this. */
export const isRefusal = (error: unknown): boolean => isApiError(error) && error.code >= 400 && error.code < 500

/** Form errors by field name, of the `data` of a refusal. */
export function fieldsOf(data: unknown): Record<string, string> {
  if (!Array.isArray(data)) return {}
  const rows = data.filter((row): row is { error_field: string; error_msg: string } => typeof row?.error_field === 'string')
  return Object.fromEntries(rows.map((row) => [row.error_field, row.error_msg]))
}

/** Path of a call, with the members of it that are parameters. */
export function pathOf(call: string | CallToken, params: Record<string, unknown> = {}): string {
  if (typeof call === 'string') return call
  return call.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])))
}

/** `/path?a=1`, members that are undefined left out; sorted, so that the same question has one address. */
export function addressOf(path: string, query?: ApiOptions['query']): string {
  const rows = Object.entries(query ?? {}).filter((row): row is [string, string | number | boolean] => row[1] !== undefined)
  if (rows.length === 0) return path
  rows.sort((a, b) => (a[0] < b[0] ? -1 : 1))
  const search = new URLSearchParams(rows.map(([key, value]) => [key, String(value)]))
  return `${path}${path.includes('?') ? '&' : '?'}${search}`
}

/** Sends a call and opens the envelope. Rejects with an `ApiError` that nobody has seen yet; code 0 is a lost connection or a time-out. */
export async function call(transport: Transport, request: CallRequest): Promise<unknown> {
  let reply: CallReply
  try {
    reply = await transport(request)
  } catch (error) {
    if (request.signal?.aborted) throw error
    throw makeApiError(0, { code: 0, reason: 'network', msg: '' })
  }
  const { status, envelope } = reply
  if (status === 204) return status
  if (status >= 200 && status < 300) return envelope ? envelope.data : null
  throw makeApiError(status, envelope ? { ...envelope, code: status } : null)
}
