import { createHash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import type { Person } from '@stoa/sdk'
import { baseErrors, isCodedError, isStaff } from '@stoa/sdk'
import type { RequestInfo, Route, RouteLimit, RouteReply, RouteRequest, SiteInfo } from '@stoa/sdk/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify from 'fastify'
import { laneOf } from '../../sdk/legacy/lanes.ts'
import type { FaultBook } from '../kernel/faults/fault-book.ts'
import { TimedOut, withTimeout } from '../kernel/faults/with-timeout.ts'
import { scope } from '../kernel/runtime/scope.ts'
import type { View } from '../kernel/runtime/view.ts'
import { guard } from './access.ts'
import type { Attempt } from './breaker.ts'
import { Breaker } from './breaker.ts'
import type { Translate } from './envelope.ts'
import { failure, SUCCESS, success, wrapJson } from './envelope.ts'
import type { IncomingFiles } from './incoming-files.ts'
import { FORM_BYTES, tooLarge } from './incoming-files.ts'
import { replyCheck } from './reply-check.ts'
import { formError, useValidation } from './validation.ts'

/** What the kernel lends to each plugin's routes. */
export interface HttpServices {
  site: SiteInfo
  authenticate(authorization: string | undefined): Promise<{ person: Person; token: string } | null>
  /** Addresses whose forwarding headers count. */
  trustProxy: string[]
  /** Composes a read wholly in a read worker; resolves to finished JSON in UTF-8. */
  readJson(view: View, lane: 'short' | 'slow', id: string, params: unknown, request: RequestInfo): Promise<Uint8Array>
  faults: Pick<FaultBook, 'charge' | 'slow' | 'well'>
  /** Refuses a body that the same person sent to the same path within 5 minutes; `forget` when the call failed. */
  duplicates: { take(key: string): boolean; forget(key: string): void }
  /** Refuses a flood of writes from one address, whatever plugins do. @throws `base.too_many_requests` */
  limitWrites(ip: string): Promise<void>
  /** Counts one call of a route's own limit. @throws `base.too_many_requests` */
  limit(slug: string, limit: RouteLimit, key: string): Promise<void>
  /** Files of multipart bodies. */
  incoming: IncomingFiles
  /** Milliseconds a handler may take before the caller gets a 504. */
  handlerTimeoutMs: number
  /** Refuses replies that are not of their schema: for development and tests, where somebody can mend them. */
  checkReplies: boolean
}

interface Caller {
  info: RequestInfo
  person: Person | null
  token: string | null
  view: View
  translate: Translate
  duplicate?: string
  /** Of the file of an upload. */
  maxBytes?: number
}

const VIEW = Symbol('view')
const CALLER = Symbol('caller')
const INTERNAL = Symbol('internal')

/** Kept on the request itself: a WeakMap of things that live this shortly is most of what the garbage collector does. */
interface Carrier {
  [VIEW]?: View
  [CALLER]?: Caller
  [INTERNAL]?: boolean
}

/** The view a request began with; set by the dispatcher before the plugin's own instance sees it. */
export function setView(request: object, view: View): void {
  ;(request as Carrier)[VIEW] = view
}

/** Marks a request that the server asks itself. */
export function setInternal(request: object): void {
  ;(request as Carrier)[INTERNAL] = true
}

/** The view of a request that has another one than everybody else. */
export const viewOf = (request: object): View | undefined => (request as Carrier)[VIEW]

/** fastify wants a server; ours belongs to the kernel, so each instance gets one that never listens. */
function silentServer(): Server {
  const server = new EventEmitter() as unknown as Record<string, unknown>
  server.setTimeout = () => server
  server.close = (done?: () => void) => done?.()
  server.listening = false
  server.closeIdleConnections = () => {}
  server.closeAllConnections = () => {}
  return server as unknown as Server
}

/** Builds the fastify instance of one plugin version and waits until its routes stand. @throws when a route is wrong or doubled. */
export async function buildInstance(slug: string, routes: readonly Route[], services: HttpServices): Promise<FastifyInstance> {
  const app = Fastify({
    serverFactory: silentServer,
    exposeHeadRoutes: true,
    bodyLimit: 1024 * 1024,
    logger: false,
    ...(services.trustProxy.length > 0 && { trustProxy: services.trustProxy }),
  })
  useValidation(app)
  await app.register(cookie)
  if (routes.some((route) => route.upload)) await app.register(multipart)
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // A form of another site can send text, and a browser asks nobody before it does.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  const lenient = (request: FastifyRequest, body: string, done: (error: Error | null, value?: unknown) => void) => {
    if (body.trim() === '') return done(null, {})
    return parseJson(request, body, done as never)
  }
  app.addContentTypeParser('application/json', { parseAs: 'string' }, lenient as never)
  // Callbacks, since most requests have nothing to wait for here.
  app.addHook('onRequest', (request, _reply, done) => {
    try {
      const waiting = identify(request, slug, services)
      if (waiting) waiting.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.body === undefined || request.body === null) (request as { body: unknown }).body = {}
    done()
  })
  const breaker = new Breaker()
  app.setErrorHandler((error, request, reply) => fail(slug, error, request, reply, services, breaker))
  for (const route of routes) addRoute(app, slug, route, services, breaker)
  await app.ready()
  return app
}

const routeOf = (request: FastifyRequest): Route | undefined => (request.routeOptions.config as { route?: Route }).route

/**
 * Everything that may refuse a call by who calls, how often and with how much; its body is not read before.
 * @returns nothing when there is nothing to wait for: a visitor who reads
 */
function identify(request: FastifyRequest, slug: string, services: HttpServices): Promise<void> | undefined {
  const { authorization } = request.headers
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const route = routeOf(request)
  if (!authorization && !isWrite && !route?.limit && !route?.before) return void admit(request, null, services)
  return services.authenticate(authorization).then(async (found) => {
    const info = admit(request, found, services)
    if (isWrite && !isStaff(info.person)) await services.limitWrites(info.ip)
    if (!route) return
    if (route.limit && !isStaff(info.person)) {
      for (const limit of [route.limit].flat() as RouteLimit[]) {
        const key = limit.by === 'address' || !info.person ? info.ip : String(info.person.id)
        await services.limit(slug, limit, key)
      }
    }
    const caller = (request.raw as Carrier)[CALLER] as Caller
    const { before } = route
    if (before) {
      await scope.run({ slug, request: info, view: caller.view }, () =>
        withTimeout(services.handlerTimeoutMs, 'The check before the body', before(new Asked(request, caller))),
      )
    }
    if (route.upload) {
      caller.maxBytes = await maxBytesOf(route.upload)
      if (Number(request.headers['content-length'] ?? 0) > caller.maxBytes + FORM_BYTES) throw tooLarge()
    }
  })
}

const maxBytesOf = async ({ maxBytes }: NonNullable<Route['upload']>): Promise<number> =>
  typeof maxBytes === 'function' ? await maxBytes() : maxBytes

function admit(request: FastifyRequest, found: { person: Person; token: string } | null, services: HttpServices): RequestInfo {
  const view = (request.raw as Carrier)[VIEW] as View
  const site = services.site.language
  const language = view.texts.negotiate(request.headers['accept-language'], site)
  const info: RequestInfo = {
    id: request.id,
    person: found?.person ?? null,
    language,
    ip: request.ip,
    userAgent: String(request.headers['user-agent'] ?? ''),
  }
  const translate: Translate = (key, params) =>
    key === SUCCESS ? successText(view, language, site) : view.texts.text(key, params, language, site)
  ;(request.raw as Carrier)[CALLER] = { info, person: info.person, token: found?.token ?? null, view, translate }
  const route = routeOf(request)
  if (route) guard(route.access, info.person, services.site)
  return info
}

const successTexts = new WeakMap<View, Map<string, string>>()

/** Said with nearly every reply, and a translation takes as long as all the rest of a small one. */
function successText(view: View, language: string, site: string): string {
  const known = successTexts.get(view) ?? new Map<string, string>()
  successTexts.set(view, known)
  const key = `${language} ${site}`
  const text = known.get(key) ?? view.texts.text(SUCCESS, undefined, language, site)
  known.set(key, text)
  return text
}

function addRoute(app: FastifyInstance, slug: string, route: Route, services: HttpServices, breaker: Breaker): void {
  const schema: Record<string, unknown> = {}
  if (route.query) schema.querystring = route.query
  if (route.params) schema.params = route.params
  if (route.body && !route.upload) schema.body = route.body
  const where = `${route.method} ${route.path}`
  const check = services.checkReplies && !route.raw ? replyCheck(route) : undefined
  app.route({
    method: route.method,
    url: route.path,
    schema,
    config: { route } as never,
    bodyLimit: route.bodyLimit ?? 1024 * 1024,
    handler: async (request, reply) => {
      const attempt = attemptOf(request)
      const openMs = breaker.openForMs(attempt)
      if (openMs > 0) {
        const seconds = Math.ceil(openMs / 1000)
        reply.header('retry-after', String(seconds))
        throw baseErrors.resting({ seconds })
      }
      const result = await answer(slug, route, request, reply, services, check).catch((error: unknown) => {
        // Whatever else is thrown fastify would not hand on.
        throw error instanceof Error ? error : new Error(`${String(error)} was thrown`)
      })
      breaker.succeeded(attempt)
      for (const kind of ['request', 'timeout'] as const) services.faults.well(slug, kind, where)
      return result
    },
  })
}

function attemptOf(request: FastifyRequest): Attempt {
  const caller = (request.raw as Carrier)[CALLER] as Caller
  const { method, url, body } = request
  return { route: `${method} ${request.routeOptions.url}`, client: clientOf(caller), url, body }
}

/** A request as a handler gets it. */
class Asked implements RouteRequest {
  readonly query: unknown
  readonly body: unknown
  readonly params: unknown
  readonly headers: RouteRequest['headers']
  readonly person: Person | null
  readonly token: string | null
  readonly language: string
  readonly ip: string
  readonly id: string
  readonly isInternal: boolean
  file?: NonNullable<RouteRequest['file']>
  readonly #raw: IncomingMessage
  #signal: AbortSignal | undefined

  constructor({ query, body, params, headers, raw, id }: FastifyRequest, { person, token, info }: Caller) {
    this.query = query
    this.body = body
    this.params = params
    this.headers = headers
    this.person = person
    this.token = token
    this.language = info.language
    this.ip = info.ip
    this.id = id
    this.isInternal = (raw as Carrier)[INTERNAL] === true
    this.#raw = raw
  }

  /** Made for handlers that look at it: aborting one costs more than finding the route. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal
    const controller = new AbortController()
    if (this.#raw.closed) controller.abort()
    else this.#raw.once('close', () => controller.abort())
    this.#signal = controller.signal
    return controller.signal
  }
}

async function answer(
  slug: string,
  route: Route,
  raw: FastifyRequest,
  reply: FastifyReply,
  services: HttpServices,
  check: ReturnType<typeof replyCheck> | undefined,
): Promise<unknown> {
  const caller = (raw.raw as Carrier)[CALLER] as Caller
  const request = new Asked(raw, caller)
  const work = () => run(route, raw, request, caller, reply, services, check)
  return scope.run({ slug, request: caller.info, view: caller.view }, async () => {
    if (!route.upload) return await work()
    const { file, remove } = await services.incoming.receive(raw, clientOf(caller), caller.maxBytes as number)
    request.file = file
    try {
      return await work()
    } finally {
      await remove()
    }
  })
}

const clientOf = ({ person, info }: Caller): string => (person ? `person ${person.id}` : info.ip)

async function run(
  route: Route,
  raw: FastifyRequest,
  request: Asked,
  caller: Caller,
  reply: FastifyReply,
  services: HttpServices,
  check: ReturnType<typeof replyCheck> | undefined,
): Promise<unknown> {
  if (route.duplicateGuard) guardDuplicate(route, raw, caller, services)
  if (route.read) {
    const ms = services.handlerTimeoutMs
    const params = route.readParams ? await withTimeout(ms, 'The parameters', route.readParams(request)) : request.query
    // What is written stays, whatever becomes of reading it back: to send it again is to send it twice.
    delete caller.duplicate
    const json = await withTimeout(
      ms,
      'The read',
      services.readJson(caller.view, laneOf(route.lane) ?? 'short', route.read.id, params, caller.info),
    )
    check?.(JSON.parse(Buffer.from(json).toString()))
    return reply.type('application/json; charset=utf-8').send(wrapJson(caller.translate, json))
  }
  const result = await withTimeout(services.handlerTimeoutMs, 'The handler', route.handle?.(request, replyFor(raw, reply, services)))
  if (reply.sent) return reply
  if (route.raw) return reply.type(route.raw).send(result as string | Buffer)
  // What goes out is what JSON makes of it.
  check?.(JSON.parse(JSON.stringify(result ?? null)))
  return reply.send(success(caller.translate, result))
}

function replyFor(request: FastifyRequest, reply: FastifyReply, services: HttpServices): RouteReply {
  return {
    status: (code) => void reply.code(code),
    header: (name, value) => void reply.header(name, value),
    cookie(name, value, options = {}) {
      // What another site has sent here opens no session in this browser.
      if (value !== null && isFromElsewhere(request, services.site.url)) return
      const secure = services.site.url.startsWith('https:')
      const common = { path: options.path ?? '/', httpOnly: true, sameSite: 'lax' as const, secure }
      if (value === null) void reply.clearCookie(name, common)
      else void reply.setCookie(name, value, { ...common, ...(options.maxAge === undefined ? {} : { maxAge: options.maxAge }) })
    },
  }
}

/** Sent by a page of another site. Who is no browser says nothing of it. */
function isFromElsewhere({ headers }: FastifyRequest, siteUrl: string): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'cross-site'
  const { origin, host } = headers
  if (origin === undefined) return false
  return !URL.canParse(origin) || ![host, URL.parse(siteUrl)?.host].includes(new URL(origin).host)
}

function guardDuplicate(route: Route, raw: FastifyRequest, caller: Caller, services: HttpServices): void {
  const body = createHash('sha256').update(JSON.stringify(raw.body)).digest('base64url')
  const key = `${caller.person?.id ?? caller.info.ip} ${route.method} ${route.path} ${body}`
  if (!services.duplicates.take(key)) throw baseErrors.duplicate_request_error()
  caller.duplicate = key
}

/** Error handler of every instance: field errors from validation, coded errors as they are, anything else as one 500. */
async function fail(
  slug: string,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  services: HttpServices,
  breaker: Breaker,
): Promise<unknown> {
  const caller = (request.raw as Carrier)[CALLER]
  if (caller?.duplicate) services.duplicates.forget(caller.duplicate)
  const translate: Translate = caller?.translate ?? ((key) => key)
  let known: unknown = error
  const details = error as { validation?: Parameters<typeof formError>[0]; statusCode?: number; code?: string }
  const where = `${request.method} ${request.routeOptions.url ?? ''}`
  if (error instanceof TimedOut) {
    services.faults.charge(slug, 'timeout', where, error)
    breaker.failed(attemptOf(request), true)
    return reply.code(504).send({ ...failure(translate, error), code: 504 })
  }
  if (details.validation) known = formError(details.validation)
  else if (!isCodedError(error) && details.statusCode === 413) {
    known = baseErrors.request_format_error({ detail: 'too large' }, [{ error_field: 'file', error_msg: 'validation.too_large' }])
  } else if (!isCodedError(error) && details.statusCode && details.statusCode < 500) {
    known = baseErrors.request_format_error({ detail: details.code ?? 'malformed' })
  }
  const isFault = !isCodedError(known) || (known.status >= 500 && known.code !== baseErrors.resting.code)
  if (isFault) {
    services.faults.charge(slug, 'request', where, error)
    if (caller) breaker.failed(attemptOf(request), false)
  }
  const envelope = failure(translate, known)
  return reply.code(envelope.code).send(envelope)
}
