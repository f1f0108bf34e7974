import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import type { CallMethod, CallSchemas, CallToken, LiveToken, Person, ReadToken } from '../shared/index.ts'

export type Awaitable<T> = T | Promise<T>

/**
 * Who may call, decided before the body is looked at.
 * `open`: anybody, also on a private site. `visitor`: anybody; on a private site 401 for visitors and 403 `inactive` for unactivated people.
 * `member`: any logged-in state. `active`: activated and not suspended. `staff`, `admin`: role. `install`: only while the site is not set up.
 */
export type Access = 'open' | 'visitor' | 'member' | 'active' | 'staff' | 'admin' | 'install'

/** Who calls: somebody, where a login is demanded. */
type Caller<A extends Access> = A extends 'open' | 'visitor' | 'install' ? Person | null : Person

/** How often somebody may call. */
export interface RouteLimit {
  /** What is counted, unique within the plugin; calls of the same action count together. */
  action: string
  /** Calls within `seconds`; more are refused with `base.too_many_requests`. Staff are exempt. */
  max: number
  seconds: number
  /** Whose calls are counted together. Default: a person's, and those of visitors by address. */
  by?: 'person' | 'address'
  /** Where tries are guesses, those of staff are counted too. */
  countsStaff?: true
}

/** A file that came with a multipart body. */
export interface UploadedFile {
  /** As the sender calls it; empty when no file came. */
  name: string
  /** Media type that the sender claims; nobody has looked. */
  type: string
  /** Bytes. */
  size: number
  /** Where it lies while the call lasts; it is deleted afterwards. */
  path: string
  stream(): Readable
  /** All of it, read into memory when it is asked for. */
  data: Buffer
  /** The form's other members. */
  fields: Record<string, string>
}

/**
 * The call can be made by a plain form too, for people without scripts: `POST /stoa/form` and its path, from pages of this site only, as whom the
 * session cookie names. Members are read as the schema of the body has them; what is refused comes back on the page that the form stands on.
 */
export interface RouteForm<Data = unknown> {
  /** Where it leads: a path of this site, or a part (`#entry-7`) of the page that the form stands on. Default: that page. */
  to?: string | ((data: Data) => string)
  /** Members that stand in the form again when it is refused; never a secret. */
  keeps?: readonly string[]
  /** What scripts check beside the call, such as a field that repeats another. @returns keys of texts by field */
  check?: (fields: Record<string, string>) => Record<string, string>
  /** Bytes accepted, percent-encoded: a Chinese character is nine. Default 16 KiB. */
  bodyLimit?: number
}

export interface RouteRequest<Q = unknown, B = unknown, P = unknown, W = Person | null> {
  query: Q
  body: B
  params: P
  headers: IncomingHttpHeaders
  person: W
  /** Token the session was opened with, for logout; null for visitors. */
  token: string | null
  language: string
  /** Of the caller, after trusted proxies. */
  ip: string
  /** The machine at the other end of the connection: the caller's, or a proxy's. Empty for a request of the server itself. */
  peer: string
  id: string
  /** The server itself asks, to render a page that many may get: `kernelHooks.documentServed` tells who does. */
  isInternal: boolean
  /** A browser asks before anybody wants to see it: should it be shown, `kernelHooks.documentServed` tells. */
  isAhead: boolean
  signal: AbortSignal
  /** The file of a multipart body; only with `upload`. */
  file?: UploadedFile
}

/** What a handler may do besides returning `data`. */
export interface RouteReply {
  status(code: number): void
  header(name: string, value: string): void
  /** HttpOnly, SameSite=Lax, Secure when the site's address is https. `value` null deletes it. */
  cookie(name: string, value: string | null, options?: { maxAge?: number; path?: string }): void
}

export interface Route {
  method: CallMethod
  /** Path of find-my-way: `/answer/api/v1/vote/:type`. */
  path: string
  access: Access
  /** One sentence for the API document. */
  summary: string
  query?: TSchema
  params?: TSchema
  body?: TSchema
  /** Shape of `data`; checked in development and tests. */
  reply: TSchema
  /**
   * Bytes of body accepted, with one value for every 64 of them. Default: what the schema of the body can hold and 16 KiB more, 1 MiB at most. Where
   * visitors may call, a text without `maxLength` and a list without `maxItems` count as 32 KiB each: say more where one may be longer.
   */
  bodyLimit?: number
  /** Multipart with one `file` of at most this many bytes. A function is asked for each call, before the body is read. */
  upload?: { maxBytes: number | (() => Awaitable<number>) }
  /** Counted before the body is read. */
  limit?: RouteLimit | readonly RouteLimit[]
  // biome-ignore lint/suspicious/noExplicitAny: data of any shape
  form?: RouteForm<any>
  /** Answered although the site serves staff only, or nobody may change anything: what it takes to log in and out. */
  whileClosed?: true
  /** Asked before the body is read: what is not permitted costs nothing more than this. It refuses by throwing. */
  before?: (request: Omit<RouteRequest, 'query' | 'params' | 'body' | 'file'>) => Awaitable<void>
  /** Refuses the same body by the same person within 5 minutes (`base.duplicate_request_error`); forgotten when the call fails. */
  duplicateGuard?: boolean
  /** Answer from the read workers: data is the read's result. A call that writes does so in `readParams`, and says there what to read back. */
  read?: ReadToken<unknown, unknown>
  /** Separate lane for expensive reads. */
  lane?: 'slow'
  readParams?: (request: RouteRequest) => Awaitable<unknown>
  handle?: (request: RouteRequest, reply: RouteReply) => Awaitable<unknown>
  /** Its body is not looked at, of whatever type it is: for calls of programs that send a fixed one, such as a mail program's to end mails. */
  ignoresBody?: true
  /** Reply is not an envelope: `handle` returns text, bytes or a {@link Stream} of them, sent with this content type. */
  raw?: string
  /** For browsers: `handle` gives a {@link DocumentReply}. A `POST` is a form of another site: nobody's, as no cookie is looked at. */
  document?: true
  // biome-ignore lint/suspicious/noExplicitAny: data of any shape
  kept?: KeptReply<any>
}

/** What ends the keeping of a reply: a push of one of these with the person's id as its topic; with an empty one, that of everybody's replies. */
interface KeptReply<Data> {
  // biome-ignore lint/suspicious/noExplicitAny: pushes of any shape
  until: readonly LiveToken<any>[]
  /** Whether this one is kept. Default: all are. */
  if?: (data: Data) => boolean
}

/** Text or bytes that are sent as they come. It ends when the caller goes, and with the plugin. */
export type Stream = Readable | AsyncIterable<string | Uint8Array>

/** What somebody's browser is answered who went to an address of `route.document`. */
export type DocumentReply =
  /** The page that a plugin has at this very address, in the frame of the site. */
  | 'page'
  /** To a path of this site; elsewhere only by a `URL`. */
  | { redirect: string | URL }
  /** `name`: saved as a file of this name. */
  | { stream: Stream | string | Uint8Array; type: string; name?: string }

/** A route whose reply is a stream, or that browsers go to. */
interface Bare<C extends Omit<CallSchemas, 'reply'>, A extends Access> {
  access: A
  /** One sentence for the API document. */
  summary: string
  query?: C['query']
  params?: C['params']
  limit?: Route['limit']
}

export interface Streaming<C extends Omit<CallSchemas, 'reply'>, A extends Access> extends Bare<C, A> {
  /** Media type of what is sent. */
  type: string
  handle: (request: RequestOf<C & { reply: TSchema }, A>, reply: RouteReply) => Awaitable<Stream>
}

export interface ForBrowsers<C extends Omit<CallSchemas, 'reply'>, A extends Access> extends Bare<C, A> {
  handle: (request: RequestOf<C & { reply: TSchema }, A>, reply: RouteReply) => Awaitable<DocumentReply>
}

export interface Posted<C extends Omit<CallSchemas, 'reply' | 'query'>> extends Pick<Route, 'summary' | 'limit' | 'bodyLimit'> {
  body: C['body']
  params?: C['params']
  handle: (request: RequestOf<C & { reply: TSchema }, 'open'>, reply: RouteReply) => Awaitable<{ redirect: string }>
}

type S<T> = T extends TSchema ? Static<T> : unknown
type RequestOf<C extends CallSchemas, A extends Access> = RouteRequest<S<C['query']>, S<C['body']>, S<C['params']>, Caller<A>>

/** What every route says, however it answers. */
interface About<C extends CallSchemas, A extends Access> extends Pick<Route, 'summary' | 'bodyLimit' | 'duplicateGuard' | 'limit'> {
  access: A
  form?: RouteForm<S<C['reply']>>
  /** Asked before the body is read: what is not permitted costs nothing more than this. It refuses by throwing. */
  before?: (request: Omit<RequestOf<C, A>, 'query' | 'params' | 'body' | 'file'>) => Awaitable<void>
}

/** A call without data may return nothing. */
type Given<T> = null extends T ? T | undefined | void : T

interface Handled<C extends CallSchemas, A extends Access>
  extends About<C, A>,
    Pick<Route, 'upload' | 'raw' | 'ignoresBody' | 'whileClosed'> {
  handle: (request: RequestOf<C, A>, reply: RouteReply) => Awaitable<Given<S<C['reply']>>>
}

/** A read is asked with the query; where that does not fit, with what `params` makes of the request. */
type AskedWith<C extends CallSchemas, A extends Access, P> = [S<C['query']>] extends [P]
  ? { params?: (request: RequestOf<C, A>) => Awaitable<P> }
  : { params: (request: RequestOf<C, A>) => Awaitable<P> }

type Reading<C extends CallSchemas, A extends Access, P> = About<C, A> & {
  read: ReadToken<P, S<C['reply']>>
  /** Separate lane for expensive reads. */
  lane?: 'slow'
} & AskedWith<C, A, P>

interface Writing<C extends CallSchemas, A extends Access, P> extends About<C, A> {
  /** Makes the change; what it gives is what `read` is asked with, after the commit. */
  write: (request: RequestOf<C, A>) => Awaitable<P>
  read: ReadToken<P, S<C['reply']>>
}

interface Kept<C extends CallSchemas, A extends Access> extends Pick<Route, 'summary'> {
  access: A
  kept: KeptReply<S<C['reply']>>
  handle: (caller: Pick<RequestOf<C, A>, 'person' | 'language'>) => Awaitable<S<C['reply']>>
}

// biome-ignore lint/suspicious/noExplicitAny: the method of any call
type Token<C extends CallSchemas, M extends CallMethod = any> = CallToken<C, M>

/** What only the token knows, beside its schemas. */
const placeOf = <C extends CallSchemas>({ method, path }: Token<C>, { query, params, body, reply }: C) => ({
  method,
  path,
  reply,
  ...(query && { query }),
  ...(params && { params }),
  ...(body && { body }),
})

/** @deprecated Name the call by a token: `route(call, schemas, { … })`. */
function makeRoute<
  Q extends TSchema | undefined = undefined,
  B extends TSchema | undefined = undefined,
  P extends TSchema | undefined = undefined,
  A extends Access = Access,
>(
  definition: Omit<Route, 'access' | 'query' | 'body' | 'params' | 'handle' | 'read' | 'readParams'> & {
    access: A
    query?: Q
    body?: B
    params?: P
    handle?: (request: RouteRequest<S<Q>, S<B>, S<P>, Caller<A>>, reply: RouteReply) => Awaitable<unknown>
    // biome-ignore lint/suspicious/noExplicitAny: a read of any shape
    read?: ReadToken<any, any>
    /** Default: the validated query. */
    readParams?: (request: RouteRequest<S<Q>, S<B>, S<P>, Caller<A>>) => Awaitable<unknown>
  },
): Route
/**
 * A call that a function answers. Typed by its schemas: `request.query` and `request.body` have the validated shape, what is returned has that of
 * `reply`. Unknown members are ignored, defaults filled, numbers in queries coerced.
 */
function makeRoute<C extends CallSchemas, A extends Access>(call: Token<C>, schemas: C, definition: Handled<C, A>): Route
function makeRoute(first: object, schemas?: CallSchemas, definition?: object): Route {
  return (schemas ? { ...definition, ...placeOf(first as Token<CallSchemas>, schemas) } : first) as Route
}

/** A call that only reads: a read worker composes the whole reply. */
function readRoute<C extends CallSchemas, A extends Access, P>(call: Token<C, 'GET'>, schemas: C, definition: Reading<C, A, P>): Route {
  const { params, ...rest } = definition
  return { ...rest, ...placeOf(call, schemas), ...(params && { readParams: params }) } as unknown as Route
}

/** A call that changes something and then shows it, as a read worker sees it after the commit. */
function writeRoute<C extends CallSchemas, A extends Access, P>(call: Token<C>, schemas: C, definition: Writing<C, A, P>): Route {
  const { write, ...rest } = definition
  return { ...rest, ...placeOf(call, schemas), readParams: write } as unknown as Route
}

/** A `GET` whose reply is sent piece by piece: exports, feeds, what is too large to be made whole. */
function streamRoute<Q extends TSchema, P extends TSchema, A extends Access>(
  path: string,
  { type, ...definition }: Streaming<{ query: Q; params: P }, A>,
): Route {
  return { method: 'GET', path, reply: Type.Unknown(), raw: type, ...definition } as unknown as Route
}

/**
 * A call that the tabs and clients of one person repeat every few seconds. Its reply depends on nothing but who asks, their language, settings of the
 * site and of plugins, and what is pushed: the kernel keeps it until one of those changes, for a minute at most, and gives it again without asking.
 */
function keptRoute<C extends Omit<CallSchemas, 'query' | 'params' | 'body'>, A extends 'member' | 'active' | 'staff' | 'admin'>(
  call: Token<C, 'GET'>,
  schemas: C,
  definition: Kept<C, A>,
): Route {
  return { ...definition, ...placeOf(call, schemas) } as unknown as Route
}

/**
 * An address that browsers go to: a page, a redirect or a file. Who asks is known by the session's cookie. A refusal leads to the login, or is
 * told as a page. Links to it carry `rel="external"` or `download`: what is no page of the site, tabs would look for in vain.
 */
function documentRoute<Q extends TSchema, P extends TSchema, A extends Access>(
  path: string,
  definition: ForBrowsers<{ query: Q; params: P }, A>,
): Route {
  return { method: 'GET', path, reply: Type.Unknown(), raw: 'text/html', document: true, ...definition } as unknown as Route
}

/**
 * An address to which a page of another site sends somebody with a form. Their browser withholds this site's cookies from it, so it is nobody's whoever
 * is logged in: keep what was sent under a secret that it carries, and lead to an address of `route.document`, to which they come with their cookies.
 */
function postedRoute<B extends TSchema, P extends TSchema>(path: string, definition: Posted<{ body: B; params: P }>): Route {
  return {
    method: 'POST',
    path,
    reply: Type.Unknown(),
    raw: 'text/html',
    document: true,
    access: 'open',
    whileClosed: true,
    ...definition,
  } as unknown as Route
}

export const route = Object.assign(makeRoute, {
  read: readRoute,
  kept: keptRoute,
  write: writeRoute,
  stream: streamRoute,
  document: documentRoute,
  posted: postedRoute,
})
