import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAdmin, isCodedError } from '@stoa/sdk'
import type { PluginAdmin, PluginRow } from '@stoa/sdk/administration'
import type { Principal } from '@stoa/sdk/server'
import { browserCookie, sessionCookie } from '@stoa/sdk/server'
import { LANGUAGE_COOKIE, readCookie } from '../../sdk/pages/preferences.ts'
import { tokenOf } from '../data/identity/sessions.ts'
import { normalLogin } from '../data/identity/sign-in.ts'
import type { KernelData } from '../data/index.ts'
import { acting } from '../data/site/acting.ts'
import type { Lifecycle } from '../kernel/lifecycle/lifecycle.ts'
import { localeOf } from '../kernel/runtime/texts.ts'
import type { LogFunction } from '../shared/types.ts'
import { confirmPage, listPage, RESCUE_POLICY, signInPage } from './page.ts'
import type { Language, Translate } from './texts.ts'
import { chooseLanguage, translatorFor } from './texts.ts'

export const RESCUE_PATH = '/rescue'
const COOKIE = 'stoa_rescue'
const MAX_BODY_BYTES = 16 * 1024

export interface RescueOptions {
  lifecycle(): Lifecycle
  admin: PluginAdmin
  data: KernelData
  /** The address that a request came from, past the proxies that are trusted. */
  addressOf(req: IncomingMessage): string
  log: LogFunction
}

/** Who asks, and in which language. */
interface Visit {
  req: IncomingMessage
  res: ServerResponse
  url: URL
  translate: Translate
  language: Language
  /** Token of the page's own session; null for an admin's Authorization header. */
  session: string | null
}

/** An admin, or whoever has a link of the command line. */
interface Known extends Visit {
  /** 0: nobody knows who. */
  personId: number
}

const csrfOf = (session: string | null): string =>
  session === null ? '' : createHash('sha256').update(`form ${session}`).digest('base64url')

/** The page that works when every plugin is broken or off: no plugin, no JavaScript, its own sign-in. */
export function createRescue({ lifecycle, admin, data, addressOf, log }: RescueOptions) {
  return async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(`http://site${(req.url ?? '/').replace(/^\/{2,}/, '/')}`)
    const language = chooseLanguage(readCookie(req.headers.cookie, LANGUAGE_COOKIE), req.headers['accept-language'], data.site.language)
    const visit = { req, res, url, translate: translatorFor(language), language, session: null }
    res.setHeader('content-security-policy', RESCUE_POLICY)
    res.setHeader('cache-control', 'no-store')
    res.setHeader('referrer-policy', 'same-origin')
    if (req.method === 'GET' || req.method === 'HEAD') return await show(visit)
    if (req.method !== 'POST') return void res.writeHead(405, { allow: 'GET, HEAD, POST' }).end()
    // Browsers say where a form comes from; what does not say it is no browser, and carries its own right.
    const from = req.headers['sec-fetch-site']
    if (from !== undefined && from !== 'same-origin' && from !== 'none') return send(visit, 403, signInPage(visit))
    await act(visit, await readForm(req))
  }

  async function show(visit: Visit): Promise<void> {
    const { req, res, url, translate } = visit
    if (url.pathname !== RESCUE_PATH) return redirect(res)
    const link = url.searchParams.get('link')
    // A look at what is there uses nothing up.
    if (link !== null && req.method === 'HEAD') return send(visit, 200, signInPage(visit))
    if (link !== null) {
      const session = await data.rescue.redeem(link)
      if (session === null) return send(visit, 403, signInPage({ ...visit, alert: translate('link_used') }))
      setCookie(res, session)
      log('info', 'kernel', 'Somebody came to the rescue page by a link')
      return redirect(res)
    }
    const known = await identify(visit)
    if (known) list(known, 200)
    else send(visit, 401, signInPage({ ...visit, hasAdmin: (await adminHere(req)) !== undefined }))
  }

  /** The admin whose session on the site this browser has; a cookie that no other site can send along. */
  async function adminHere(req: IncomingMessage): Promise<Principal | undefined> {
    const token = readCookie(req.headers.cookie, sessionCookie.name)
    const person = token ? (await data.credentials.authenticate(token))?.person : undefined
    return person && isAdmin(person) && person.state === 'normal' ? await data.credentials.find(person.id) : undefined
  }

  async function act(visit: Visit, form: URLSearchParams): Promise<void> {
    const { res, url, translate } = visit
    const name = url.pathname.slice(RESCUE_PATH.length + 1)
    if (name === 'login') return await signIn(visit, form)
    if (name === 'session') {
      const admin = await adminHere(visit.req)
      if (!admin) return send(visit, 401, signInPage(visit))
      setCookie(res, await data.rescue.openSession(admin))
      return redirect(res)
    }
    const known = await identify(visit)
    if (!known) return send(visit, 401, signInPage(visit))
    if (known.session !== null && !isSame(form.get('csrf') ?? '', csrfOf(known.session))) return list(known, 403, translate('expired'))
    try {
      if (!(await acting.as({ way: 'rescue', personId: known.personId }, () => carryOut(known, name, form)))) return
    } catch (error) {
      if (!isCodedError(error)) throw error
      return list(known, error.status, `${translate('failed_action')} ${error.message}`)
    }
    log('info', form.get('slug') ?? 'kernel', `${name} ${form.get('on') ?? ''} by the rescue page`)
    redirect(res)
  }

  /** @returns false when the reply is made already */
  async function carryOut(visit: Known, name: string, form: URLSearchParams): Promise<boolean> {
    if (name === 'switch') return await switchPlugin(visit, form)
    if (name === 'rollback') await lifecycle().rollback(form.get('slug') ?? '')
    else if (name === 'safe-mode') await lifecycle().setSafeMode(form.get('on') === 'true')
    else if (name === 'logout' && visit.session !== null) {
      await data.rescue.closeSession(visit.session)
      setCookie(visit.res, null)
    } else {
      list(visit, 404)
      return false
    }
    return true
  }

  async function signIn(visit: Visit, form: URLSearchParams): Promise<void> {
    const { req, res, translate } = visit
    const attempt = {
      login: form.get('login') ?? '',
      password: form.get('password') ?? '',
      ip: addressOf(req),
      browser: readCookie(req.headers.cookie, browserCookie.name),
    }
    let found: Awaited<ReturnType<typeof data.credentials.signIn>>
    try {
      found = await data.credentials.signIn(attempt)
    } catch (error) {
      if (!isCodedError(error)) throw error
      return send(visit, error.status, signInPage({ ...visit, alert: translate('too_often') }))
    }
    if (!found || !isAdmin(found.principal) || found.principal.state !== 'normal') {
      const address = normalLogin(attempt.login)
      log('warn', 'kernel', 'A sign-in on the rescue page was refused', { ip: attempt.ip, ...(address !== undefined && { address }) })
      return send(visit, 403, signInPage({ ...visit, alert: translate('wrong') }))
    }
    if (found.principal.needsMore || data.credentials.isStaffHeldBack()) {
      log('warn', 'kernel', 'A password alone was refused on the rescue page', { ip: attempt.ip, person: found.principal.id })
      return send(visit, 403, signInPage({ ...visit, alert: translate('needs_more'), hasAdmin: (await adminHere(req)) !== undefined }))
    }
    setCookie(res, await data.rescue.openSession(found.principal), found.browser)
    redirect(res)
  }

  /** @returns null for anybody who is no admin */
  async function identify(visit: Visit): Promise<Known | null> {
    const { headers } = visit.req
    const token = tokenOf(headers.authorization)
    const person = token ? (await data.credentials.authenticate(token))?.person : undefined
    if (person && isAdmin(person) && person.state === 'normal') return { ...visit, session: null, personId: person.id }
    const session = readCookie(headers.cookie, COOKIE)
    const personId = session ? await data.rescue.holderOf(session) : undefined
    return session && personId !== undefined ? { ...visit, session, personId } : null
  }

  /** @returns false when the page asks for agreement instead */
  async function switchPlugin(visit: Visit, form: URLSearchParams): Promise<boolean> {
    const slug = form.get('slug') ?? ''
    const on = form.get('on') === 'true'
    const plugins = lifecycle()
    const { alsoOn, alsoOff } = plugins.consequences(slug, on)
    const isEssential = !on && plugins.find(slug)?.manifest.essential === true
    const isAgreed = form.get('agreed') === String(plugins.epoch)
    if (!isAgreed && (isEssential || alsoOn.length + alsoOff.length > 0)) {
      const names = (slugs: string[]) => slugs.map((other) => nameOf(other, visit.language))
      const parts = { slug, name: nameOf(slug, visit.language), on, epoch: plugins.epoch, isEssential, csrf: csrfOf(visit.session) }
      send(visit, 200, confirmPage({ ...visit, ...parts, alsoOn: names(alsoOn), alsoOff: names(alsoOff) }))
      return false
    }
    await plugins.switch(slug, on, undefined, isAgreed)
    return true
  }

  function list(visit: Visit, status: number, alert?: string): void {
    const plugins = admin.list().map((row) => ({ ...row, name: nameOf(row.slug, visit.language), reason: reasonOf(row, visit.language) }))
    const { safeMode, safeModeReason } = lifecycle()
    const state = { safeMode, isOwnSafeMode: safeModeReason !== '', hasSession: visit.session !== null }
    send(visit, status, listPage({ ...visit, ...state, alert, csrf: csrfOf(visit.session), plugins }))
  }

  function nameOf(slug: string, language: Language): string {
    const plugin = lifecycle().find(slug)
    try {
      const name = plugin && localeOf(plugin, language).web?.plugin_name
      return typeof name === 'string' ? name : slug
    } catch {
      // Its texts are broken too.
      return slug
    }
  }

  function reasonOf({ reason, problem }: PluginRow, language: Language): string {
    const text = problem && lifecycle().view.texts.text(problem.code, problem.params, language, language)
    return text === undefined || text === problem?.code ? reason : text
  }

  function setCookie(res: ServerResponse, session: string | null, browser?: string): void {
    const rest = `HttpOnly; SameSite=Lax${data.site.isSecure ? '; Secure' : ''}`
    res.setHeader('set-cookie', [
      `${COOKIE}=${session ?? ''}; Path=${RESCUE_PATH}; Max-Age=${session ? 3600 : 0}; ${rest}`,
      ...(browser === undefined ? [] : [`${browserCookie.name}=${browser}; Path=/; Max-Age=${browserCookie.maxAge}; ${rest}`]),
    ])
  }
}

function send({ req, res }: Visit, status: number, html: string): void {
  res.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-length': Buffer.byteLength(html) })
  res.end(req.method === 'HEAD' ? undefined : html)
}

function redirect(res: ServerResponse): void {
  res.writeHead(303, { location: RESCUE_PATH }).end()
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [a, b].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer]
  return timingSafeEqual(left, right)
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += (chunk as Buffer).length
    if (size <= MAX_BODY_BYTES) chunks.push(chunk as Buffer)
  }
  return new URLSearchParams(size > MAX_BODY_BYTES ? '' : Buffer.concat(chunks).toString('utf8'))
}
