import type { IncomingMessage, ServerResponse } from 'node:http'
import type { CodedError } from '@stoa/sdk'
import { baseErrors } from '@stoa/sdk'
import type { RequestInfo } from '@stoa/sdk/server'
import { FORM_PREFIX } from '../../sdk/pages/page-state.ts'
import { LANGUAGE_COOKIE, readCookie } from '../../sdk/pages/preferences.ts'
import { isBusy, tooMuchWaits } from '../../sdk/server/turns.ts'
import { failure, JSON_TYPE } from '../calls/envelope.ts'
import { infoOf, patternOf, setInternal, setInterrupted, setView } from '../calls/instance.ts'
import type { KernelData } from '../data/index.ts'
import type { FaultBook } from '../kernel/faults/fault-book.ts'
import type { PluginLoads } from '../kernel/faults/plugin-loads.ts'
import type { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import type { Router } from '../kernel/plugin-set/router.ts'
import type { Running, View } from '../kernel/runtime/view.ts'
import type { Pages } from '../pages/index.ts'
import { RESCUE_PATH } from '../rescue/index.ts'
import { InFlight } from '../shared/in-flight.ts'
import type { Measuring } from '../shared/measuring.ts'
import type { LogFunction } from '../shared/types.ts'
import { CallTurns } from './call-turns.ts'
import { takeForm } from './forms.ts'
import type { Health } from './health.ts'
import type { InsideReply, InsideRequest } from './inside.ts'
import { inside } from './inside.ts'
import { createSafeSessions } from './safe-view.ts'
import { createUploads } from './uploads.ts'

/** One that a plugin's server code answers. */
interface Call {
  slug: string
  req: IncomingMessage
  res: ServerResponse
  view: View
}

export interface Dispatcher {
  handle(req: IncomingMessage, res: ServerResponse): void
  /** Calls that wait for others. */
  readonly waiting: number
  /** Requests so far, without those of whoever watches over the site: they come all the time. */
  readonly asked: number
  /**
   * An endless loop of this plugin was ended, and with it what waited for it: its requests and the one that it ran for are answered now, others that
   * do not come to an end within the time of a handler, then.
   */
  abandon(slug: string, request?: RequestInfo | null): void
  /** A call from inside, for server rendering; what is no plugin's call is not found. */
  inside(request: InsideRequest): Promise<InsideReply>
}

export interface DispatcherOptions {
  lifecycle(): Lifecycle
  pages(): Pages | null
  /** Serves the rescue page, before any plugin is asked. */
  rescue(req: IncomingMessage, res: ServerResponse): Promise<void>
  faults: FaultBook
  loads: PluginLoads
  measuring: Measuring
  health: Health
  data: KernelData
  log: LogFunction
  handlerTimeoutMs: number
  /** Calls of one person or network to one plugin that may wait. */
  waitingOfOne: number
  /** Milliseconds after which slow calls hold up no others. */
  roomMs: number
  /** Whose request it is, as far as that is known without asking the database. */
  whoAsks(req: IncomingMessage): string
}

/** Of every reply but scripts and sheets, to which they mean nothing: a page has nine of those, and each would carry them. */
const documentHeaders = {
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}
/** For replies that are data: nothing in them may run, wherever they are opened. */
const dataHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}
/** Of every reply. */
const anyHeaders = { 'x-content-type-options': 'nosniff' }
const secureHeaders = { 'strict-transport-security': 'max-age=31536000' }
/** Names and values by turns: what node:http takes with the least work. */
const keptHeaders = Object.entries({ ...anyHeaders, ...documentHeaders, ...dataHeaders, 'content-type': JSON_TYPE }).flat()
const secureKeptHeaders = [...keptHeaders, ...Object.entries(secureHeaders).flat()]

const pathOf = ({ url = '/' }: IncomingMessage): string => url.split('?', 1)[0] as string

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodOf = ({ method }: IncomingMessage): string => (METHODS.has(method ?? '') ? (method as string) : 'other')

/** Decides who answers a request: a plugin's call, a page or file, an upload, or nobody. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const safe = createSafeSessions(options.data)
  const uploads = createUploads(options.data)
  let asked = 0
  const handle = (req: IncomingMessage, res: ServerResponse): void => {
    if (giveKept(req, res)) return void asked++
    const path = pathOf(req)
    setHeaders(res, anyHeaders)
    if (!/^\/static\/.+\.(js|css)$/.test(path)) setHeaders(res, documentHeaders)
    if (options.data.site.isSecure) setHeaders(res, secureHeaders)
    if (options.health.handle(path, req, res)) return
    asked++
    if (path === RESCUE_PATH || path.startsWith(`${RESCUE_PATH}/`)) return void rescue(path, req, res)
    const lifecycle = options.lifecycle()
    if (safe.maybe(req)) return void handleSafe(path, req, res, lifecycle)
    serve(path, req, res, lifecycle.view, lifecycle.router, callInTurn)
  }

  /** Answers at once where a reply is kept for who asks. @returns whether it did */
  function giveKept(req: IncomingMessage, res: ServerResponse): boolean {
    const { view } = options.lifecycle()
    const keeper = view.keeperOf(req.url ?? '')
    if (!keeper?.app.kept || options.health.phase === 'starting' || safe.maybe(req)) return false
    const since = performance.now()
    const found = keeper.app.kept.find(view, req)
    if (!found) return false
    const { text, path } = found
    const headers = options.data.site.isSecure ? secureKeptHeaders : keptHeaders
    res.writeHead(200, [...headers, 'content-length', String(Buffer.byteLength(text))])
    res.end(text)
    const ms = performance.now() - since
    const { slug } = keeper.manifest
    options.loads.answered(slug, 200, ms)
    if (options.measuring.isOn) options.measuring.request({ slug, method: 'GET', route: path, status: 200, ms })
    return true
  }

  function serve(path: string, req: IncomingMessage, res: ServerResponse, view: View, router: Router, answer = call): void {
    const method = req.method === 'HEAD' ? 'GET' : (req.method ?? 'GET')
    const found = router.find(method as never, path)
    // A path that cannot be decoded is found without a plugin; it is nobody's.
    if (found?.store) return answer(view, found.store as Running, req, res)
    if (path.startsWith(`${FORM_PREFIX}/`)) return void form(path, req, res, view, router)
    void elsewhere(path, req, res, view)
  }

  async function form(path: string, req: IncomingMessage, res: ServerResponse, view: View, router: Router): Promise<void> {
    const release = view.hold()
    const language = readCookie(req.headers.cookie, LANGUAGE_COOKIE)
    const tell = (error: unknown) => failure((key, params) => translate(req, view, key, params, language), error)
    const fail = (error: unknown) => json(res, tell(error))
    try {
      await takeForm(req, res, view, {
        site: options.data.site,
        call: (callPath, inner, innerRes) => serve(callPath, inner, innerRes, view, router),
        refuse: async (...refused) => (await options.pages()?.refuse(...refused)) ?? false,
        tell,
        fail,
        charge: (slug, where, error) => options.faults.charge(slug, 'request', where, error),
      })
    } catch (error) {
      options.faults.charge('kernel', 'page', path, error)
      if (res.headersSent) res.destroy()
      else fail(error)
    } finally {
      release()
    }
  }

  /** An admin who looks at the site without what was installed; everybody else goes on as usual. */
  async function handleSafe(path: string, req: IncomingMessage, res: ServerResponse, lifecycle: Lifecycle): Promise<void> {
    try {
      if (await safe.enter(req, res)) return
      if (await safe.isSafe(req)) {
        const { view, router, base } = await lifecycle.safeView()
        res.once('close', base.hold())
        setView(req, view)
        return serve(path, req, res, view, router)
      }
    } catch (error) {
      options.log('error', 'kernel', `Safe view: ${(error as Error).message}`, { stack: (error as Error).stack })
    }
    serve(path, req, res, lifecycle.view, lifecycle.router)
  }

  const turns = new CallTurns(options)

  /** A call that has no body to wait for, as those have their own limits; what is switched meanwhile is looked for anew. */
  function callInTurn(view: View, plugin: Running, req: IncomingMessage, res: ServerResponse): void {
    if (req.method !== 'GET' && req.method !== 'HEAD') return call(view, plugin, req, res)
    const begin = () => {
      const now = options.lifecycle()
      if (now.view === view) call(view, plugin, req, res)
      else serve(pathOf(req), req, res, now.view, now.router)
    }
    if (turns.take(res, () => `${plugin.manifest.slug} ${options.whoAsks(req)}`, begin)) return
    putOff(req, res, view, tooMuchWaits())
  }

  const inFlight = new InFlight<Call>()

  function call(view: View, plugin: Running, req: IncomingMessage, res: ServerResponse): void {
    const release = view.hold()
    const { slug } = plugin.manifest
    const since = performance.now()
    const id = inFlight.add({ slug, req, res, view })
    res.on('close', () => {
      inFlight.end(id)
      const ms = performance.now() - since
      options.loads.answered(slug, res.statusCode, ms)
      if (options.measuring.isOn)
        options.measuring.request({ slug, method: methodOf(req), route: patternOf(req), status: res.statusCode, ms })
      release()
    })
    setHeaders(res, dataHeaders)
    setView(req, view)
    plugin.app.routing(req, res)
  }

  async function rescue(path: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
    try {
      await options.rescue(req, res)
    } catch (error) {
      options.faults.charge('kernel', 'page', path, error)
      if (!res.headersSent) res.writeHead(500, { 'content-type': 'text/plain' })
      res.end()
    }
  }

  /** A page, a file or an upload: no kind of address that a visitor could invent more of. */
  function measureDocument(path: string, req: IncomingMessage, res: ServerResponse): void {
    const since = performance.now()
    res.once('close', () => {
      const type = String(res.getHeader('content-type') ?? '')
      // A stream that stays open says nothing about how long a reply takes.
      if (type.startsWith('text/event-stream')) return
      const route = path.startsWith('/uploads/') ? 'upload' : type.startsWith('text/html') ? 'page' : 'file'
      options.measuring.request({ slug: 'kernel', method: methodOf(req), route, status: res.statusCode, ms: performance.now() - since })
    })
  }

  async function elsewhere(path: string, req: IncomingMessage, res: ServerResponse, view: View): Promise<void> {
    const release = view.hold()
    if (options.measuring.isOn) measureDocument(path, req, res)
    try {
      if (path.startsWith('/uploads/') ? await uploads(path, req, res) : await options.pages()?.handle(req, res)) return
      notFound(req, res, view)
    } catch (error) {
      if (isBusy(error)) return putOff(req, res, view, error)
      options.faults.charge('kernel', 'page', path, error)
      if (res.headersSent) res.destroy()
      else refuse(req, res, view, error)
    } finally {
      // A stream of events outlives this: it belongs to no plugin and must not keep the old ones waiting.
      release()
    }
  }

  function translate(req: IncomingMessage, view: View, key: string, params?: Record<string, unknown>, chosen?: string): string {
    const site = options.data.site.language
    return view.texts.text(key, params, view.texts.negotiate(chosen ?? req.headers['accept-language'], site), site)
  }

  function notFound(req: IncomingMessage, res: ServerResponse, view: View): void {
    refuse(req, res, view, baseErrors.route_not_found({ method: req.method, path: req.url }))
  }

  function putOff(req: IncomingMessage, res: ServerResponse, view: View, error: CodedError): void {
    res.setHeader('retry-after', String(error.params.seconds))
    refuse(req, res, view, error)
  }

  function refuse(req: IncomingMessage, res: ServerResponse, view: View, error: unknown): void {
    req.resume()
    json(
      res,
      failure((key, params) => translate(req, view, key, params), error),
    )
  }

  function giveUp(id: number): void {
    const waiting = inFlight.get(id)
    if (!waiting || waiting.res.writableEnded) return
    const { res } = waiting
    if (res.headersSent) return void res.destroy()
    // The parser of this connection may have been unwound with the loop.
    res.setHeader('connection', 'close')
    json(
      res,
      failure((key) => translate(waiting.req, waiting.view, key), null),
    )
  }

  return {
    handle,
    get waiting() {
      return turns.waiting
    },
    get asked() {
      return asked
    },
    abandon(slug, request) {
      for (const { id, value } of inFlight.all()) {
        // What else stood in the queue of this thread is lost as well.
        setInterrupted(value.req)
        if (value.slug === slug || (request && infoOf(value.req) === request)) giveUp(id)
        else setTimeout(() => giveUp(id), options.handlerTimeoutMs).unref()
      }
    },
    inside: (request) =>
      inside((req, res) => {
        setInternal(req)
        const { view, router } = options.lifecycle()
        const found = router.find('GET', request.url.split('?', 1)[0] as string)
        if (found?.store) call(view, found.store as Running, req, res)
        else notFound(req, res, view)
      }, request),
  }
}

function setHeaders(res: ServerResponse, headers: Record<string, string>): void {
  for (const name in headers) res.setHeader(name, headers[name] as string)
}

function json(res: ServerResponse, envelope: { code: number }): void {
  res.writeHead(envelope.code, {
    'content-type': JSON_TYPE,
    ...dataHeaders,
  })
  res.end(JSON.stringify(envelope))
}
