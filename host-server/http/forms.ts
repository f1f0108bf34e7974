import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { baseErrors, fieldErrors, isCodedError } from '@stoa/sdk'
import type { Route } from '@stoa/sdk/server'
import { sessionCookie } from '@stoa/sdk/server'
import type { HTTPMethod, HTTPVersion, Instance } from 'find-my-way'
import createRouter from 'find-my-way'
import inject from 'light-my-request'
import type { SentForm } from '../../sdk/pages/page-state.ts'
import { FORM_MEMBERS, FORM_PREFIX } from '../../sdk/pages/page-state.ts'
import { LANGUAGE_COOKIE, readCookie } from '../../sdk/pages/preferences.ts'
import { isReserved } from '../../sdk/pages/reserved-paths.ts'
import type { Envelope } from '../calls/envelope.ts'
import { JSON_TYPE } from '../calls/envelope.ts'
import type { View } from '../kernel/runtime/view.ts'
import { ROUTER_OPTIONS } from '../shared/router-options.ts'
import { bodyOf, fieldsOf } from './form-body.ts'
import { isOfThisSite, pathOfThisSite } from './same-site.ts'

export interface FormsOptions {
  site: { readonly url: string; readonly language: string }
  /** Answers a request as if it came from outside. */
  call(path: string, req: IncomingMessage, res: ServerResponse): void
  /** The page of `sent.at`, with what was refused. @returns false where there are no pages */
  refuse(req: IncomingMessage, res: ServerResponse, status: number, sent: SentForm): Promise<boolean>
  /** An error as a call says it. */
  tell(error: unknown): Envelope
  /** Answers with an error as a call does. */
  fail(error: unknown): void
  /** Something that a plugin says of its form failed. */
  charge(slug: string, where: string, error: unknown): void
}

/** A call that takes forms, and whose it is. */
interface Taken {
  slug: string
  route: Route
  form: NonNullable<Route['form']>
}

const DEFAULT_LIMIT = 16 * 1024
/** What forms carry beside the members of their call. */
const OWN_BYTES = 4 * 1024
/** Where the form stands. */
const AT = 'stoa:at'
/** Where it leads, if not where its call says. */
const TO = 'stoa:to'

/** Said of the form's own request; its call has others. */
const notHandedOn = new Set([
  'accept-encoding',
  'accept-language',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'transfer-encoding',
])

const routers = new WeakMap<View, Instance<HTTPVersion.V1>>()

/** Finds the calls of a set that take forms, by their path. */
function routerOf(view: View): Instance<HTTPVersion.V1> {
  let router = routers.get(view)
  if (!router) {
    router = createRouter(ROUTER_OPTIONS)
    for (const { manifest, routes } of view.plugins) {
      for (const route of routes) {
        // One path has one form, whichever way its call is sent.
        if (!route.form || router.hasRoute('POST' as HTTPMethod, route.path)) continue
        router.on('POST', route.path, () => undefined, { slug: manifest.slug, route, form: route.form } satisfies Taken)
      }
    }
    routers.set(view, router)
  }
  return router
}

/**
 * A form that was sent without scripts. It becomes the call it is named after, with the same guards, limits and checks: by the person of the
 * session cookie, which is why only a page of this site may send it.
 */
export async function takeForm(req: IncomingMessage, res: ServerResponse, view: View, options: FormsOptions): Promise<void> {
  const path = (req.url ?? '').split('?', 1)[0]?.slice(FORM_PREFIX.length) ?? ''
  const { site } = options
  // Somebody reloads what a refused form left in the address bar.
  if (req.method === 'GET' || req.method === 'HEAD') return seeOther(res, '/')
  const refuse = (error: unknown) => {
    req.resume()
    options.fail(error)
  }
  const taken = routerOf(view).find('POST', path)?.store as Taken | undefined
  if (req.method !== 'POST' || !taken) return refuse(baseErrors.route_not_found({ method: req.method, path: req.url }))
  if (!isOfThisSite(req.headers, site.url)) return refuse(baseErrors.forbidden_error({ action: 'form' }))
  if (!/^application\/x-www-form-urlencoded\b/i.test(req.headers['content-type'] ?? ''))
    return refuse(baseErrors.request_format_error({ detail: 'content-type' }))
  const { slug, route } = taken
  const charge = (error: unknown) => options.charge(slug, `${FORM_PREFIX}${path}`, error)
  let form: URLSearchParams
  try {
    const sent = new URLSearchParams(await textOf(req, (taken.form.bodyLimit ?? DEFAULT_LIMIT) + OWN_BYTES))
    form = new URLSearchParams([...new URLSearchParams(sent.get(FORM_MEMBERS) ?? ''), ...sent])
  } catch (error) {
    // What is still coming is not read.
    res.setHeader('connection', 'close')
    return options.fail(isCodedError(error) ? error : baseErrors.request_format_error({ detail: 'cut off' }))
  }
  const at = pageOf(form.get(AT)) ?? '/'
  const kept = Object.entries(fieldsOf(form, route.body)).filter(([name]) => taken.form.keeps?.includes(name))
  const comeBack = ({ code, data, msg }: Envelope) =>
    options.refuse(req, res, code, { call: path, at, values: Object.fromEntries(kept), errors: errorsOf(data), message: msg })
  let wrong: Record<string, string>
  try {
    wrong = taken.form.check?.(Object.fromEntries(form)) ?? {}
  } catch (error) {
    charge(error)
    return options.fail(error)
  }
  if (Object.keys(wrong).length > 0) {
    const error = fieldErrors(wrong)
    return void ((await comeBack(options.tell(error))) || options.fail(error))
  }
  const reply = await inject(
    (inner, innerRes) => options.call(path, inner as unknown as IncomingMessage, innerRes as unknown as ServerResponse),
    {
      method: route.method,
      url: path,
      headers: { ...headersOf(req.headers, site.language), 'content-type': 'application/json' },
      payload: JSON.stringify(bodyOf(form, route.body)),
      ...(req.socket.remoteAddress !== undefined && { remoteAddress: req.socket.remoteAddress }),
    },
  )
  const cookies = reply.headers['set-cookie']
  if (cookies !== undefined) res.setHeader('set-cookie', cookies as string[])
  const envelope = JSON.parse(reply.payload) as Envelope
  if (reply.statusCode === 200) {
    const leadsTo = () => {
      try {
        return leadsToPage(taken.form, envelope.data, at)
      } catch (error) {
        charge(error)
        // The call is done: only where it leads is not known.
        return at
      }
    }
    return seeOther(res, pageOf(form.get(TO)) ?? leadsTo())
  }
  if (!(await comeBack(envelope))) {
    res.writeHead(reply.statusCode, { 'content-type': JSON_TYPE, 'cache-control': 'no-store' })
    res.end(reply.payload)
  }
}

/** @throws `base.request_format_error` when it is longer */
async function textOf(req: IncomingMessage, most: number): Promise<string> {
  const tooLarge = () => baseErrors.request_format_error({ detail: 'too large' })
  if (Number(req.headers['content-length'] ?? 0) > most) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > most) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function headersOf(headers: IncomingHttpHeaders, siteLanguage: string): Record<string, string> {
  const token = readCookie(headers.cookie, sessionCookie.name)
  const handedOn = Object.entries(headers).filter(([name, value]) => typeof value === 'string' && !notHandedOn.has(name))
  return {
    ...(Object.fromEntries(handedOn) as Record<string, string>),
    'accept-language': readCookie(headers.cookie, LANGUAGE_COOKIE) ?? siteLanguage,
    ...(token && { authorization: token }),
  }
}

/** A page of this site; undefined for other addresses. */
function pageOf(address: string | null, from?: string): string | undefined {
  const path = address === null ? undefined : pathOfThisSite(address, from)
  return path === undefined || isReserved(path) ? undefined : path
}

function leadsToPage({ to: given }: Taken['form'], data: unknown, at: string): string {
  const to = typeof given === 'function' ? given(data) : given
  return (to === undefined ? undefined : pageOf(to, at)) ?? at
}

function errorsOf(data: unknown): Record<string, string> {
  if (!Array.isArray(data)) return {}
  return Object.fromEntries(
    (data as { error_field?: unknown; error_msg?: unknown }[])
      .filter(({ error_field }) => typeof error_field === 'string')
      .map(({ error_field, error_msg }) => [error_field, String(error_msg ?? '')]),
  )
}

function seeOther(res: ServerResponse, path: string): void {
  res.writeHead(303, { location: path, 'cache-control': 'no-store' })
  res.end()
}
