/** How clients of the protocol show a 400: beside the action, as a toast, or as a dialog. */
export type ErrorDisplay = 'toast' | 'alert' | 'modal'

export interface FieldError {
  /** JSON name of the request field. */
  error_field: string
  /** Translated text; the kernel fills it from `reason` when it is left out. */
  error_msg: string
}

export interface ErrorDefinition {
  /** HTTP status, 400 to 599. */
  status: number
  /** For logs: names the thing, what was found, what would be right. `{name}` is replaced from `params`. */
  message: string
  display?: ErrorDisplay
  /** Marks this request field as the wrong one. */
  field?: string
}

/** An error that is part of a contract. It leaves the server as `{ code: status, reason: code, msg: <translation>, data }`. */
export class CodedError extends Error {
  override readonly name = 'CodedError'
  readonly code: string
  readonly status: number
  readonly params: Record<string, unknown>
  /** Body of the reply's `data`; `undefined` means null, or the field list when `field` is set. */
  readonly data: unknown
  readonly display: ErrorDisplay | undefined
  readonly field: string | undefined

  constructor(code: string, definition: ErrorDefinition, params: Record<string, unknown> = {}, data?: unknown) {
    super(definition.message.replace(/\{(\w+)\}/g, (_, key: string) => String(params[key] ?? '?')))
    this.code = code
    this.status = definition.status
    this.display = definition.display
    this.field = definition.field
    this.params = params
    this.data = data
  }
}

/** Works across bundles: an error is recognised by its shape, not by its class. */
export function isCodedError(error: unknown): error is CodedError {
  return error instanceof Error && error.name === 'CodedError' && typeof (error as CodedError).code === 'string'
}

type ErrorTable<T extends Record<string, ErrorDefinition>> = {
  readonly [K in keyof T]: ((params?: Record<string, unknown>, data?: unknown) => CodedError) & {
    readonly code: string
    readonly definition: ErrorDefinition
  }
}

/**
 * Makes one function per error. `defineErrors('error.votes', { own_post: … }).own_post({ postId })` has the code `error.votes.own_post`.
 * The translation stands in the plugin's `locales/<language>.json` under `server`, keyed by the code.
 */
export function defineErrors<T extends Record<string, ErrorDefinition>>(prefix: string, table: T): ErrorTable<T> {
  const entries = Object.entries(table).map(([key, definition]) => {
    const code = `${prefix}.${key}`
    const make = (params?: Record<string, unknown>, data?: unknown) => new CodedError(code, definition, params, data)
    return [key, Object.assign(make, { code, definition })]
  })
  return Object.fromEntries(entries) as ErrorTable<T>
}

/** Errors of the protocol that any plugin may throw. */
export const baseErrors = defineErrors('base', {
  request_format_error: { status: 400, message: 'The request is malformed: {detail}' },
  body_too_large: { status: 400, message: 'The body has more bytes than this call takes' },
  unauthorized_error: { status: 401, message: 'A valid session is needed' },
  forbidden_error: { status: 403, message: 'Not permitted: {action}' },
  duplicate_request_error: { status: 400, message: 'The same body was posted within the last 5 minutes' },
  too_many_requests: { status: 429, message: 'Too many requests: {action}' },
  route_not_found: { status: 404, message: 'No active plugin answers {method} {path}' },
  resting: { status: 503, message: 'The call keeps failing and rests for {seconds} s' },
  busy: { status: 503, message: 'Too much waits to be done; again in {seconds} s' },
  unknown: { status: 500, message: 'Unexpected error' },
})

/**
 * A form error with several fields: 400 `base.request_format_error` whose data is the list.
 * Each message is a text key of the `server` branch, translated for the caller.
 */
export function fieldErrors(fields: Record<string, string>, params: Record<string, unknown> = {}): CodedError {
  const list = Object.entries(fields).map(([error_field, error_msg]) => ({ error_field, error_msg }))
  return baseErrors.request_format_error({ detail: Object.keys(fields).join(', '), ...params }, list)
}
