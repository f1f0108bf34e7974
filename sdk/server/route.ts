import type { IncomingHttpHeaders } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { Person, ReadToken } from '../shared/index.ts'

export type Awaitable<T> = T | Promise<T>

/**
 * Who may call, decided before the body is looked at.
 * `open`: anybody, also on a private site. `visitor`: anybody; on a private site 401 for visitors and 403 `inactive` for unactivated people.
 * `member`: any logged-in state. `active`: activated and not suspended. `staff`, `admin`: role. `install`: only while the site is not set up.
 */
export type Access = 'open' | 'visitor' | 'member' | 'active' | 'staff' | 'admin' | 'install'

export interface RouteRequest<Q = unknown, B = unknown, P = unknown> {
  query: Q
  body: B
  params: P
  headers: IncomingHttpHeaders
  person: Person | null
  /** Token the session was opened with, for logout; null for visitors. */
  token: string | null
  language: string
  ip: string
  id: string
  /** The server itself asks, to render a page that many may get: `kernelHooks.documentServed` tells who does. */
  isInternal: boolean
  signal: AbortSignal
  /** Files of a multipart body; only with `upload`. */
  file?: { name: string; type: string; data: Buffer; fields: Record<string, string> }
}

/** What a handler may do besides returning `data`. */
export interface RouteReply {
  status(code: number): void
  header(name: string, value: string): void
  /** HttpOnly, SameSite=Lax, Secure when the site's address is https. `value` null deletes it. */
  cookie(name: string, value: string | null, options?: { maxAge?: number; path?: string }): void
}

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path of find-my-way: `/answer/api/v1/vote/:type`. */
  path: string
  access: Access
  /** One sentence for the API document. */
  summary: string
  query?: TSchema
  params?: TSchema
  body?: TSchema
  /** Shape of `data`. */
  reply: TSchema
  /** Bytes of body accepted; default 1 MiB. */
  bodyLimit?: number
  /** Multipart with one `file` of at most this many bytes. */
  upload?: { maxBytes: number }
  /** Refuses the same body by the same person within 5 minutes (`base.duplicate_request_error`); forgotten when the call fails. */
  duplicateGuard?: boolean
  /** Answer from the read workers: data is the read's result. A call that writes does so in `readParams`, and says there what to read back. */
  read?: ReadToken<unknown, unknown>
  /** Separate lane for expensive reads. */
  lane?: 'search'
  readParams?: (request: RouteRequest) => Awaitable<unknown>
  handle?: (request: RouteRequest, reply: RouteReply) => Awaitable<unknown>
  /** Reply is not an envelope: `handle` returns text or a buffer, sent with this content type. */
  raw?: string
}

type S<T> = T extends TSchema ? Static<T> : unknown

/** Typed by its schemas: `request.query` and `request.body` have the validated shape. Unknown members are ignored, defaults filled, numbers in queries coerced. */
export function route<
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  P extends TSchema | undefined = undefined,
>(
  definition: Omit<Route, 'query' | 'body' | 'params' | 'handle' | 'read' | 'readParams'> & {
    query?: Q
    body?: B
    params?: P
    handle?: (request: RouteRequest<S<Q>, S<B>, S<P>>, reply: RouteReply) => Awaitable<unknown>
    // biome-ignore lint/suspicious/noExplicitAny: a read of any shape
    read?: ReadToken<any, any>
    /** Default: the validated query. */
    readParams?: (request: RouteRequest<S<Q>, S<B>, S<P>>) => Awaitable<unknown>
  },
): Route {
  return definition as unknown as Route
}
