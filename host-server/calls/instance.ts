import { hash } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import multipart from '@fastify/multipart'
import type { Person } from '@stoa/sdk'
import { baseErrors, isAdmin, isCodedError, isStaff } from '@stoa/sdk'
import type { CallAbout, DocumentReply, RequestInfo, Route, RouteLimit, RouteReply, RouteRequest } from '@stoa/sdk/server'
import { accessErrors, browserCookie, kernelHooks } from '@stoa/sdk/server'
import { stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Fastify, { errorCodes as fastifyErrors } from 'fastify'
import { laneOf } from '../../sdk/legacy/lanes.ts'
import { readCookie } from '../../sdk/pages/preferences.ts'
import { hearStandstills } from '../kernel/faults/watchdog.ts'
import { TimedOut, withTimeout } from '../kernel/faults/with-timeout.ts'
import { scope } from '../kernel/runtime/scope.ts'
import type { Instance, View } from '../kernel/runtime/view.ts'
import { isAhead } from '../shared/ahead.ts'
import { hasEtag } from '../shared/has-etag.ts'
import type { Timing } from '../shared/measuring.ts'
import { newTiming, timingText } from '../shared/measuring.ts'
import { ROUTER_OPTIONS } from '../shared/router-options.ts'
import { guard, guardClosure } from './access.ts'
import { bodyLimitOf, hasTooManyValues } from './body-limit.ts'
import type { Attempt } from './breaker.ts'
import { Breaker } from './breaker.ts'
import type { Envelope, Translate } from './envelope.ts'
import { failure, JSON_TYPE, SUCCESS, success, wrapJson } from './envelope.ts'
import type { HttpServices } from './http-services.ts'
import { FORM_BYTES, tooLarge } from './incoming-files.ts'
import type { KeptReplies } from './kept-replies.ts'
import { keepReplies } from './kept-replies.ts'
import { replyCheck } from './reply-check.ts'
import { isStream, OutgoingStreams } from './streams.ts'
import { formError, schemaCompilers } from './validation.ts'

interface Caller {
  info: RequestInfo
  person: Person | null
  token: string | null
  view: View
  translate: Translate
  duplicate?: string
  /** For whoever is told where the time went. */
  timing?: Timing | undefined
  /** Of the file of an upload. */
  maxBytes?: number
}

const VIEW = Symbol('view')
const CALLER = Symbol('caller')
const INTERNAL = Symbol('internal')
const STREAMS = Symbol('streams')
const PATTERN = Symbol('pattern')
const INTERRUPTED = Symbol('interrupted')

/** Kept on the request itself: a WeakMap of things that live this shortly is most of what the garbage collector does. */
interface Carrier {
  [VIEW]?: View
  [CALLER]?: Caller
  [INTERNAL]?: boolean
  [PATTERN]?: string
  [INTERRUPTED]?: boolean
}

/** The view a request began with; set by the dispatcher before the plugin's own instance sees it. */
export function setView(request: object, view: View): void {
  ;(request as Carrier)[VIEW] = view
}

/** Marks a request that the server asks itself. */
export function setInternal(request: object): void {
  ;(request as Carrier)[INTERNAL] = true
}

/** Pattern of the call that a request found; empty for one that was refused before. */
export const patternOf = (request: object): string => (request as Carrier)[PATTERN] ?? ''

/** Marks a request that was being answered when an endless loop was ended: it may wait for what was ended with it. */
export function setInterrupted(request: object): void {
  ;(request as Carrier)[INTERRUPTED] = true
}

/** What plugins know of a request; undefined while nobody has looked at it. */
export const infoOf = (request: object): RequestInfo | undefined => (request as Carrier)[CALLER]?.info

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
export async function buildInstance(slug: string, routes: readonly Route[], services: HttpServices): Promise<Instance> {
  const app = Fastify({
    serverFactory: silentServer,
    // What the router over all plugins finds is found here too, or fastify would answer in its own words.
    routerOptions: ROUTER_OPTIONS,
    schemaController: schemaCompilers(),
    exposeHeadRoutes: true,
    bodyLimit: bodyLimitOf(undefined, true),
    logger: false,
  })
  if (routes.some((route) => route.upload)) await app.register(multipart)
  const parseJson = app.getDefaultJsonParser('error', 'error')
  // A form of another site can send text, and a browser asks nobody before it does.
  app.removeContentTypeParser(['application/json', 'text/plain'])
  const lenient = (request: FastifyRequest, body: string, done: (error: Error | null, value?: unknown) => void) => {
    if (body.trim() === '') return done(null, {})
    if (hasTooManyValues(body, request.routeOptions.bodyLimit)) return done(new fastifyErrors.FST_ERR_CTP_BODY_TOO_LARGE())
    return parseJson(request, body, done as never)
  }
  app.addContentTypeParser('application/json', { parseAs: 'string' }, lenient as never)
  if (routes.some((route) => route.ignoresBody)) app.addContentTypeParser('*', ignore as never)
  if (routes.some(isPosted)) app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, fieldsSent as never)
  // Callbacks, since most requests have nothing to wait for here.
  app.addHook('onRequest', (request, reply, done) => {
    try {
      const waiting = identify(request, reply, slug, services)
      if (waiting) waiting.then(() => done(), done)
      else done()
    } catch (error) {
      done(error as Error)
    }
  })
  const breaker = new Breaker()
  const streams = new OutgoingStreams()
  app.addHook('onClose', async () => streams.end())
  app.decorateRequest(STREAMS, { getter: () => streams } as never)
  app.setErrorHandler((error, request, reply) => fail(slug, error, request, reply, services, breaker))
  const kept = keepReplies(routes, services)
  app.addHook('onClose', async () => kept?.close())
  for (const route of routes) addRoute(app, { slug, route, services, kept }, breaker)
  await app.ready()
  return {
    kept,
    routing(req, res) {
      const identifying = kept?.identify(req)
      if (!identifying) return app.routing(req, res)
      const enter = () => {
        const found = kept?.find((req as Carrier)[VIEW] as View, req)
        if (!found) return app.routing(req, res)
        if (services.measuring.isOn) (req as Carrier)[PATTERN] = found.path
        res.setHeader('content-type', JSON_TYPE)
        res.end(found.text)
      }
      identifying.then(enter, enter)
    },
    close: () => app.close(),
  }
}

/** Lets a body of any type go by where the route says so. */
function ignore(request: FastifyRequest, body: IncomingMessage, done: (error: Error | null, value?: unknown) => void): void {
  if (!routeOf(request)?.ignoresBody) return done(new fastifyErrors.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']))
  body.resume()
  done(null, {})
}

const isPosted = (route: Route | undefined): boolean => route?.document === true && route.method === 'POST'

/** A form, which a page of another site may send where a route says so and nowhere else. */
function fieldsSent(request: FastifyRequest, body: string, done: (error: Error | null, value?: unknown) => void): void {
  if (!isPosted(routeOf(request))) return done(new fastifyErrors.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']))
  done(null, Object.fromEntries(new URLSearchParams(body)))
}

const routeOf = (request: FastifyRequest): Route | undefined => (request.routeOptions.config as { route?: Route }).route

/**
 * Everything that may refuse a call by who calls, how often and with how much; its body is not read before.
 * @returns nothing when there is nothing to wait for: a visitor who reads, or somebody whose session is known
 */
function identify(request: FastifyRequest, reply: FastifyReply, slug: string, services: HttpServices): Promise<void> | undefined {
  const { authorization } = request.headers
  const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
  const route = routeOf(request)
  const isDocument = route?.document === true && !authorization
  // Who is logged in here has not sent what a page of another site sends.
  const finding = isPosted(route)
    ? null
    : isDocument
      ? services.authenticateBrowser(request.headers.cookie)
      : services.authenticate(authorization)
  const enter = (found: Awaited<typeof finding>): RequestInfo => {
    const info = admit(request, found, services)
    if (found) services.noteUse(found.token, info)
    return info
  }
  if (!(finding instanceof Promise) && !isWrite && !route?.limit && !route?.before) return void enter(finding)
  return Promise.resolve(finding).then(async (found) => {
    const info = enter(found)
    if (isWrite && !isStaff(info.person)) await services.limitWrites(info.ip)
    if (!route) return
    if (route.limit) {
      for (const limit of [route.limit].flat() as RouteLimit[]) {
        if (isStaff(info.person) && !limit.countsStaff) continue
        const key = limit.by === 'address' || !info.person ? info.ip : String(info.person.id)
        await services.limit(slug, limit, key)
      }
    }
    const caller = (request.raw as Carrier)[CALLER] as Caller
    const { before } = route
    if (before) {
      await scope.run({ slug, request: info, view: caller.view }, () =>
        withTimeout(services.handlerTimeoutMs, 'The check before the body', before(new Asked(request, reply, caller))),
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
    ip: services.addressOf(request.raw),
    userAgent: String(request.headers['user-agent'] ?? ''),
    browser: readCookie(request.headers.cookie, browserCookie.name),
  }
  const translate: Translate = (key, params) =>
    key === SUCCESS ? successText(view, language, site) : view.texts.text(key, params, language, site)
  ;(request.raw as Carrier)[CALLER] = { info, person: info.person, token: found?.token ?? null, view, translate }
  const route = routeOf(request)
  if (route && services.measuring.isOn) (request.raw as Carrier)[PATTERN] = route.path
  if (route) {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD'
    guardClosure({ ...route, isWrite }, info.person, services.site.closure)
    guard(route.access, info.person, services.site)
  }
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

/** One call with what answering it takes. */
interface Served {
  slug: string
  route: Route
  services: HttpServices
  /** Absent where replies are not looked at. */
  check: ReturnType<typeof replyCheck> | undefined
  kept: KeptReplies | undefined
}

function addRoute(app: FastifyInstance, served: Omit<Served, 'check'>, breaker: Breaker): void {
  const { slug, route, services } = served
  const schema: Record<string, unknown> = {}
  if (route.query) schema.querystring = route.query
  if (route.params) schema.params = route.params
  if (route.body && !route.upload) schema.body = route.body
  const where = `${route.method} ${route.path}`
  const check = services.checkReplies && !route.raw ? replyCheck(route) : undefined
  const checked = { ...served, check }
  app.route({
    method: route.method,
    url: route.path,
    schema,
    config: { route } as never,
    bodyLimit: route.bodyLimit ?? bodyLimitOf(route.upload ? undefined : route.body, route.access === 'open'),
    ...(schema.body !== undefined && { preValidation: fillBody }),
    handler: async (request, reply) => {
      const attempt = attemptOf(request)
      const openMs = breaker.openForMs(attempt)
      if (openMs > 0) {
        throw baseErrors.resting({ seconds: Math.ceil(openMs / 1000) })
      }
      // Also once the caller has gone: what is being done goes on, and needs its services and reads to the end.
      const release = ((request.raw as Carrier)[CALLER] as Caller).view.hold()
      try {
        const result = await answer(checked, request, reply)
        breaker.succeeded(attempt)
        for (const kind of ['request', 'timeout'] as const) services.faults.well(slug, kind, where)
        return result
      } catch (error) {
        // Whatever else is thrown fastify would not hand on.
        throw error instanceof Error ? error : new Error(`${String(error)} was thrown`)
      } finally {
        release()
      }
    },
  })
}

/** Who sends nothing sends an object of nothing. */
function fillBody(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  request.body ??= {}
  done()
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
  readonly peer: string
  readonly id: string
  readonly isInternal: boolean
  readonly isAhead: boolean
  file?: NonNullable<RouteRequest['file']>
  readonly #response: ServerResponse
  #signal: AbortSignal | undefined

  constructor({ query, body, params, headers, raw, id }: FastifyRequest, reply: FastifyReply, { person, token, info }: Caller) {
    this.query = query
    this.body = body ?? {}
    this.params = params
    this.headers = headers
    this.person = person
    this.token = token
    this.language = info.language
    this.ip = info.ip
    this.id = id
    this.isInternal = (raw as Carrier)[INTERNAL] === true
    this.peer = this.isInternal ? '' : (raw.socket.remoteAddress ?? '')
    this.isAhead = isAhead(headers)
    this.#response = reply.raw
  }

  /** Made for handlers that look at it: aborting one costs more than finding the route. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal
    const controller = new AbortController()
    // Of the response: a request is closed as soon as its body has been read.
    const response = this.#response
    if (response.destroyed) controller.abort()
    else response.once('close', () => response.writableEnded || controller.abort())
    this.#signal = controller.signal
    return controller.signal
  }
}

async function answer(served: Served, raw: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { slug, route, services } = served
  const caller = (raw.raw as Carrier)[CALLER] as Caller
  const request = new Asked(raw, reply, caller)
  const work = () => run(served, raw, request, caller, reply)
  if (services.measuring.isOn && isAdmin(caller.person)) caller.timing = newTiming()
  return scope.run({ slug, request: caller.info, view: caller.view, timing: caller.timing }, async () => {
    if (!route.upload) return await observed(route, request, caller.view, work)
    const { file, remove } = await services.incoming.receive(raw, clientOf(caller), caller.maxBytes as number)
    request.file = file
    try {
      return await observed(route, request, caller.view, work)
    } finally {
      await remove()
    }
  })
}

/** Asks those who may refuse a call before it is handled, and tells them how it came out. */
async function observed(route: Route, request: Asked, view: View, work: () => Promise<unknown>): Promise<unknown> {
  if (request.isInternal) return await work()
  const { person, ip } = request
  const fields = ((route.method === 'GET' ? request.query : request.body) ?? {}) as Record<string, unknown>
  const about: CallAbout = { method: route.method, path: route.path, fields, person, ip }
  const [isAsked, isTold] = [view.wants(kernelHooks.calling, about), view.wants(kernelHooks.called, about)]
  if (!isAsked && !isTold) return await work()
  const refusal = isAsked ? await view.run(kernelHooks.calling, [about]) : undefined
  if (refusal instanceof Error) throw refusal
  const tell = (status: number, reason = '') => (isTold ? view.run(kernelHooks.called, [about, { status, reason }]) : undefined)
  try {
    const result = await work()
    await tell(200)
    return result
  } catch (error) {
    await (isCodedError(error) ? tell(error.status, error.code) : tell(500))
    throw error
  }
}

const clientOf = ({ person, info }: Caller): string => (person ? `person ${person.id}` : info.ip)

async function run(served: Served, raw: FastifyRequest, request: Asked, caller: Caller, reply: FastifyReply): Promise<unknown> {
  const { route, services, check, kept } = served
  if (route.duplicateGuard) await guardDuplicate(route, raw, caller, services)
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
    sayTiming(reply, caller)
    return reply.type(JSON_TYPE).send(wrapJson(caller.translate, json))
  }
  const { person, view } = caller
  const keep = route.kept && person ? kept?.begin(route, { person, view, language: request.language }) : undefined
  const result = await withTimeout(services.handlerTimeoutMs, 'The handler', route.handle?.(request, replyFor(raw, reply, services)))
  if (reply.sent) return reply
  sayTiming(reply, caller)
  if (route.document) return sendDocument(result as DocumentReply, raw, reply, services)
  if (route.raw) return sendBody(result, raw, reply.type(route.raw), services)
  // What goes out is what JSON makes of it.
  check?.(JSON.parse(JSON.stringify(result ?? null)))
  if (hasIt(raw, reply)) return reply.code(304).send()
  const envelope = success(caller.translate, result)
  if (!keep) return reply.send(envelope)
  const text = JSON.stringify(envelope)
  keep(result, text)
  return reply.type(JSON_TYPE).send(text)
}

/** Whether the caller has this reply already, by the ETag that the handler gave it. */
function hasIt({ method, headers }: FastifyRequest, reply: FastifyReply): boolean {
  const etag = reply.getHeader('etag')
  return typeof etag === 'string' && ['GET', 'HEAD'].includes(method) && hasEtag(headers['if-none-match'], etag)
}

function sayTiming(reply: FastifyReply, { timing }: Caller): void {
  if (timing) void reply.header('server-timing', timingText({ total: performance.now() - timing.since, db: timing.db, read: timing.read }))
}

/** Text and bytes as they are, streams piece by piece. */
function sendBody(body: unknown, request: FastifyRequest, reply: FastifyReply, services: HttpServices): FastifyReply {
  if (!isStream(body)) return reply.send(body as string | Buffer)
  const now = scope.current()
  const streams = (request as unknown as { [STREAMS]: OutgoingStreams })[STREAMS]
  const where = `${request.method} ${request.routeOptions.url ?? ''}`
  const stream = streams.send(
    body,
    (fn) => scope.run(now, fn),
    (error) => services.faults.charge(now.slug, 'request', where, error),
  )
  // Nothing of it is asked for by whoever wants to know the headers.
  if (request.method === 'HEAD') {
    stream.destroy()
    return reply.send('')
  }
  return reply.send(stream)
}

async function sendDocument(
  answer: DocumentReply,
  request: FastifyRequest,
  reply: FastifyReply,
  services: HttpServices,
): Promise<FastifyReply> {
  if (answer === 'page') return sendPage(request, reply, services)
  if ('redirect' in answer) return reply.redirect(addressOf(answer.redirect), request.method === 'POST' ? 303 : 302)
  if (answer.name !== undefined)
    reply.header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(answer.name.toWellFormed())}`)
  const body = answer.stream instanceof Uint8Array ? Buffer.from(answer.stream) : answer.stream
  return sendBody(body, request, reply.type(answer.type), services)
}

/** Text leads nowhere but into this site. */
function addressOf(to: string | URL): string {
  if (to instanceof URL) return ['http:', 'https:'].includes(to.protocol) ? to.href : '/'
  const url = /^\/(?![/\\])/.test(to) ? URL.parse(to, 'http://site') : null
  return url?.host === 'site' ? url.pathname + url.search + url.hash : '/'
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, services: HttpServices): Promise<FastifyReply> {
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) reply.raw.setHeader(name, value)
  if (!(await services.page(request.raw, reply.raw))) {
    const { status } = baseErrors.route_not_found.definition
    reply.raw.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end()
  }
  return reply
}

/** A refusal for somebody who went to an address. */
function refuseDocument({ code, msg }: Envelope, request: FastifyRequest, reply: FastifyReply, services: HttpServices) {
  const places = (((request.raw as Carrier)[VIEW] as View | undefined)?.plugins ?? []).map(
    ({ manifest }) => manifest.contributes.places?.login,
  )
  const login = places.find((path) => path !== undefined)
  if (code === 401 && login) return reply.redirect(login, 302)
  if (code === 403) return reply.redirect('/403', 302)
  if (code === 404) return sendPage(request, reply, services)
  return reply.code(code).type('text/plain; charset=utf-8').send(msg)
}

function replyFor(request: FastifyRequest, reply: FastifyReply, services: HttpServices): RouteReply {
  return {
    status: (code) => void reply.code(code),
    header: (name, value) => void reply.header(name, value),
    cookie(name, value, options = {}) {
      // What another site has sent here opens no session in this browser.
      if (value !== null && isFromElsewhere(request, services.site.url)) return
      const secure = services.site.url.startsWith('https:')
      const common = { name, path: options.path ?? '/', httpOnly: true, sameSite: 'lax' as const, secure }
      const cookie =
        value === null
          ? { ...common, value: '', maxAge: 0, expires: new Date(0) }
          : { ...common, value, ...(options.maxAge === undefined ? {} : { maxAge: options.maxAge }) }
      void reply.header('set-cookie', stringifySetCookie(cookie))
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

async function guardDuplicate(route: Route, raw: FastifyRequest, caller: Caller, services: HttpServices): Promise<void> {
  const body = hash('sha256', JSON.stringify(raw.body ?? {}), 'base64url')
  const key = `${caller.person?.id ?? caller.info.ip} ${route.method} ${route.path} ${body}`
  if (!(await services.duplicates.take(key))) throw baseErrors.duplicate_request_error()
  caller.duplicate = key
}

/** Refusals by the server that are nobody's mistake. */
const NO_FAULTS = new Set([baseErrors.resting.code, baseErrors.busy.code, accessErrors.closed.code])

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
  if (caller?.duplicate) await services.duplicates.forget(caller.duplicate)
  const translate: Translate = caller?.translate ?? ((key) => key)
  let known: unknown = error
  const details = error as { validation?: Parameters<typeof formError>[0]; statusCode?: number; code?: string }
  const where = `${request.method} ${request.routeOptions.url ?? ''}`
  if (error instanceof TimedOut) {
    // Nobody is charged for what another one's loop has taken along.
    hearStandstills()
    const isInterrupted = (request.raw as Carrier)[INTERRUPTED] === true
    services.faults.charge(isInterrupted ? 'kernel' : slug, 'timeout', where, error)
    if (!isInterrupted) breaker.failed(attemptOf(request), true)
    return reply.code(504).send({ ...failure(translate, error), code: 504 })
  }
  if (details.validation) known = formError(details.validation)
  else if (!isCodedError(error) && details.statusCode === 413) {
    known = routeOf(request)?.upload
      ? baseErrors.request_format_error({ detail: 'too large' }, [{ error_field: 'file', error_msg: 'validation.too_large' }])
      : baseErrors.body_too_large()
  } else if (!isCodedError(error) && details.statusCode && details.statusCode < 500) {
    known = baseErrors.request_format_error({ detail: details.code ?? 'malformed' })
  }
  const isFault = !isCodedError(known) || (known.status >= 500 && !NO_FAULTS.has(known.code))
  if (isFault) {
    services.faults.charge(slug, 'request', where, error)
    if (caller) breaker.failed(attemptOf(request), false)
  }
  if (isCodedError(known) && [429, 503].includes(known.status) && typeof known.params.seconds === 'number')
    reply.header('retry-after', String(known.params.seconds))
  const envelope = failure(translate, known)
  if (routeOf(request)?.document) return refuseDocument(envelope, request, reply, services)
  return reply.code(envelope.code).send(envelope)
}
