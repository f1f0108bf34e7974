import type { Principal, RouteReply } from '@stoa/sdk/server'
import { isCodedError, uniqueOr } from '@stoa/sdk/server'
import { encode } from 'uqr'
import type { Identity, QrStatus, SignIn, SignInAttempt, SignInRequest } from '../shared/api.ts'
import { accountErrors, accountEvents, outsideErrors, outsidePaths } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { activatePerson } from './activate-person.ts'
import { sha256 } from './attempts.ts'
import { outsideRefusals, refusalPages, refusedAt } from './outside-refusals.ts'
import { refuseDomain } from './rules.ts'
import { signIn } from './sign-in.ts'
import type { Step } from './sign-in-attempts.ts'
import { createSignInAttempts } from './sign-in-attempts.ts'

const EMAIL = /^[^\s@,]+@[^\s@,]+\.[^\s@,]+$/
/** A path of this site, and nothing that a browser would read as another one. */
const PATH = /^\/(?![/\\])[^\s\\]*$/

/** Names that are guessed at, whoever guesses. */
const TRIES_OF_NAME = { max: 10, seconds: 900 }
const ANSWER_SECONDS = 10
/** A code that lies about for longer is one that somebody else may scan. */
const QR_SECONDS = 180

/** @throws where the answer takes longer than anybody waits */
async function inTime<T>(answer: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const end = setTimeout(() => timer.reject(new Error(`no answer after ${ANSWER_SECONDS} seconds`)), ANSWER_SECONDS * 1000)
  return Promise.race([answer, timer.promise]).finally(() => clearTimeout(end))
}

/** The first address that the other site has proven. */
const provenAddress = ({ emails = [] }: Identity): string | undefined =>
  emails.find(({ address, verified }) => verified === true && address.length <= 254 && EMAIL.test(address))?.address.toLowerCase()

/** Long ones have more squares than a phone reads off a screen. */
const LONGEST_QR = 1000

function drawn(content: string): { size: number; drawing: string } {
  if (content === '' || content.length > LONGEST_QR) throw new Error(`a code of ${content.length} characters`)
  const { size, data } = encode(content, { border: 2 })
  const drawing = data.map((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return { size, drawing }
}

const pathWith = (path: string, query: Record<string, string>): string =>
  `${path}?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''))}`

/** Logins at other sites: what is kept meanwhile, and what becomes of whoever comes back. */
export function createBroker(tools: AccountTools) {
  const { ctx, settings, profiles, identities } = tools
  const attempts = createSignInAttempts(ctx)

  const callbackOf = (method: string) => `${ctx.site.url}${outsidePaths.callback.replace(':slug', method)}`

  function attemptOf(
    method: string,
    state: string,
    { nonce, codeVerifier }: { nonce: string; codeVerifier: string },
    language: string,
  ): SignInAttempt {
    return { state, nonce, codeVerifier, codeChallenge: sha256(codeVerifier), callback: callbackOf(method), language }
  }

  const begin: SignIn['begin'] = async ({ method: id, intent, returnTo = '' }, { person, headers, language }, reply) => {
    const method = identities.method(id)
    if (!method) throw outsideRefusals.unavailable()
    if (intent === 'bind' && !person) throw outsideRefusals.other_person()
    const kept = { nonce: ctx.host.random(32), codeVerifier: ctx.host.random(32) }
    const browser = attempts.browser(headers.cookie, reply)
    const state = await attempts.add('begun', browser, {
      method: id,
      personId: intent === 'bind' && person ? person.id : 0,
      kept: { intent, returnTo: PATH.test(returnTo) ? returnTo : '', ...kept },
    })
    if (method.shape !== 'redirect') return `${ctx.site.url}${pathWith(outsidePaths[method.shape], { state, method: id })}`
    try {
      const to = new URL(await method.start(attemptOf(id, state, kept, language)))
      if (!/^https?:$/.test(to.protocol)) throw new Error(`no address of a site: ${to.protocol}`)
      return to.href
    } catch (error) {
      ctx.log.warn('a login at another site could not begin', { method: id, error: (error as Error).message })
      throw outsideRefusals.unavailable()
    }
  }

  /** A session waits for this browser. @returns where it is fetched */
  async function handOver({ id, revision }: Principal, method: string, browserHash: string, returnTo: string): Promise<string> {
    const code = await attempts.add('done', browserHash, { method, personId: id, kept: { revision } })
    return pathWith('/users/auth-landing', { access_token: code, next: returnTo })
  }

  /** In the current transaction. @throws a refusal, also where somebody else is quicker */
  /** Somebody comes back by an address, which a site that can only be read serves. */
  const takesNewMembers = async () => ctx.site.closure.degree === 'open' && (await settings.get('login')).allow_new_registrations

  async function create(method: string, identity: Identity, address: string): Promise<Principal> {
    const { allow_email_domains } = await settings.get('login')
    if (!(await takesNewMembers())) throw outsideRefusals.closed()
    try {
      refuseDomain(address, allow_email_domains)
    } catch {
      throw outsideRefusals.domain()
    }
    // Whoever has the address here may be somebody else: they log in as they do, and bind this login themselves.
    if (await ctx.host.credentials.findByLogin(address)) throw outsideRefusals.taken()
    const principal = await ctx.host.credentials.create({ login: address }).catch((error: unknown) => {
      throw uniqueOr(error, { 'kernel__principal.login': () => outsideRefusals.taken() })
    })
    await identities.bind(method, identity.externalId, principal.id)
    await profiles.create(principal, identity.displayName || identity.username || (address.split('@')[0] ?? ''))
    await ctx.emit(accountEvents.registered, { id: principal.id })
    return activatePerson(tools, principal, address)
  }

  async function known(method: string, externalId: string): Promise<Principal | undefined> {
    const id = await identities.ownerOf(method, externalId)
    if (id === undefined) return undefined
    const principal = await ctx.host.credentials.find(id)
    if (!principal || principal.state === 'deleted') throw outsideRefusals.failed()
    if (principal.state === 'suspended') throw outsideRefusals.suspended()
    await identities.used(method, externalId)
    return principal
  }

  async function bind(method: string, identity: Identity, personId: number, request: SignInRequest): Promise<string> {
    if (request.person?.id !== personId) throw outsideRefusals.other_person()
    if ((await identities.ownerOf(method, identity.externalId)) !== personId) {
      const profile = await profiles.find(personId)
      await ctx.db.write(async () => {
        await identities.bind(method, identity.externalId, personId)
        if (profile) await tools.mails.queue('bound', profile, newsOf(method))
      })
    }
    return '/users/settings/account?bound'
  }

  const newsOf = (method: string) => ({
    link: `${ctx.site.url}/users/settings/account`,
    provider: identities.method(method)?.name ?? method,
  })

  async function decide(step: Step<'begun'> & { browserHash: string }, identity: Identity, request: SignInRequest): Promise<string> {
    const { method, kept, personId, browserHash } = step
    const { externalId } = identity
    if (typeof externalId !== 'string' || externalId === '' || externalId.length > 255) throw outsideRefusals.failed()
    if (kept.intent === 'bind') return bind(method, identity, personId, request)
    const here = await known(method, externalId)
    if (here) return handOver(here, method, browserHash, kept.returnTo)
    const address = provenAddress(identity)
    if (address === undefined) {
      if (!(await takesNewMembers())) throw outsideRefusals.closed()
      const { displayName = '', username = '' } = identity
      const shown = { externalId, displayName: displayName.slice(0, 200), username: username.slice(0, 200) }
      const key = await attempts.add('address', browserHash, { method, personId: 0, kept: { identity: shown, returnTo: kept.returnTo } })
      return pathWith('/users/confirm-email', { binding_key: key })
    }
    const created = await createOrFind(method, identity, address)
    return handOver(created, method, browserHash, kept.returnTo)
  }

  /** Of two callbacks at once one creates; the other finds what was created. */
  async function createOrFind(method: string, identity: Identity, address: string): Promise<Principal> {
    try {
      return await ctx.db.write(() => create(method, identity, address))
    } catch (error) {
      const found = await known(method, identity.externalId)
      if (found) return found
      throw error
    }
  }

  const takeBegun = (state: string, request: SignInRequest) =>
    attempts.take('begun', state, request.headers.cookie).catch((error: unknown) => {
      throw isCodedError(error) && error.code === outsideErrors.sign_in_over.code ? outsideRefusals.expired() : error
    })

  /** A login by a code, in the browser that began it. */
  async function waitingFor(state: string, request: SignInRequest) {
    const step = await attempts.look('begun', state, request.headers.cookie)
    const method = identities.method(step.method)
    if (method?.shape !== 'qr') throw outsideErrors.method_unavailable({ method: step.method })
    return { step, method, attempt: attemptOf(method.id, state, step.kept, request.language) }
  }

  return {
    newsOf,

    /** For plugins. */
    service: {
      begin,
      async complete(state, identity, request) {
        return decide(await takeBegun(state, request), identity, request)
      },
      async externalIdOf(personId, method) {
        return (await identities.of(personId)).find((row) => row.method === method)?.external_id
      },
    } satisfies SignIn,

    /** A page of the other site has sent a form, with which no cookie comes. @returns path at which its browser comes with one */
    async takePosted(id: string, fields: Record<string, string>): Promise<string> {
      // SAML has another name for it.
      const state = fields.state ?? fields.RelayState ?? ''
      if (!(await attempts.keepPosted(id, state, fields))) return refusedAt(refusalPages.login, outsideRefusals.expired())
      return pathWith(outsidePaths.callback.replace(':slug', id), { state })
    },

    /** Somebody is back. @returns path to go to, be it the one that names a refusal */
    async comeBack(id: string, query: Record<string, string>, request: SignInRequest): Promise<string> {
      let page: string = request.person ? refusalPages.bind : refusalPages.login
      try {
        const step = await takeBegun(query.state ?? '', request)
        const given = step.kept.posted ?? query
        page = refusalPages[step.kept.intent]
        const method = identities.method(id)
        if (step.method !== id) throw outsideRefusals.expired()
        if (method?.shape !== 'redirect') throw outsideRefusals.unavailable()
        if (given.error === 'access_denied') throw outsideRefusals.denied()
        if (given.error !== undefined) {
          // Mostly a mistake of the settings there, such as another callback address: only the log can tell the owner.
          const { error, error_description: description = '' } = given
          ctx.log.warn('another site refused a login', { method: id, error: error.slice(0, 100), description: description.slice(0, 200) })
          throw outsideRefusals.failed()
        }
        const came = new URL(callbackOf(id))
        for (const [name, value] of Object.entries(given)) came.searchParams.set(name, value)
        const attempt = attemptOf(id, query.state ?? '', step.kept, request.language)
        const identity = await method.finish(attempt, came.href).catch((error: unknown) => {
          ctx.log.warn('another site proved nobody', { method: id, error: (error as Error).message })
          throw isCodedError(error) && error.code === outsideErrors.sign_in_denied.code
            ? outsideRefusals.denied()
            : outsideRefusals.failed()
        })
        return await decide(step, identity, request)
      } catch (error) {
        return refusedAt(page, error)
      }
    },

    /** Somebody has typed a name and a password. @returns path to go to, be it the one that names a refusal */
    async prove({ state, name, password }: { state: string; name: string; password: string }, request: SignInRequest): Promise<string> {
      const { method: id, kept } = await attempts.look('begun', state, request.headers.cookie)
      const method = identities.method(id)
      if (method?.shape !== 'form') throw outsideErrors.method_unavailable({ method: id })
      await ctx.host.limit('outside.name', { key: `${id} ${name.trim().toLowerCase()}`, ...TRIES_OF_NAME })
      const identity = await inTime(method.check({ name: name.trim(), password })).catch((error: unknown) => {
        ctx.log.warn('a directory did not answer', { method: id, error: (error as Error).message })
        throw outsideErrors.method_unavailable({ method: id })
      })
      if (!identity) throw outsideErrors.wrong_proof()
      try {
        return await decide(await takeBegun(state, request), identity, request)
      } catch (error) {
        return refusedAt(refusalPages[kept.intent], error)
      }
    },

    /** A new code for the page that waits. @throws `error.accounts.sign_in_over`, `error.accounts.method_unavailable` */
    async showQr(state: string, request: SignInRequest) {
      const { step, method, attempt } = await waitingFor(state, request)
      try {
        const { content, kept, seconds } = await inTime(method.start(attempt))
        const lasts = Math.min(Math.floor(seconds), QR_SECONDS)
        await attempts.keep(step, { ...step.kept, qr: { kept, until: ctx.now() + lasts } })
        return { ...drawn(content), link: /^https?:\/\//.test(content) ? content : '', seconds: lasts }
      } catch (error) {
        ctx.log.warn('no code can be had for a login', { method: method.id, error: (error as Error).message })
        throw outsideErrors.method_unavailable({ method: method.id })
      }
    },

    /** What has become of the code; whoever has confirmed it is told once, and only to the browser that began. */
    async lookQr(state: string, request: SignInRequest): Promise<{ status: QrStatus | 'done'; path: string }> {
      const { step, method, attempt } = await waitingFor(state, request)
      const { qr, intent } = step.kept
      if (!qr || qr.until <= ctx.now()) return { status: 'expired', path: '' }
      const found = await inTime(method.poll(attempt, qr.kept)).catch((error: unknown) => {
        if (isCodedError(error) && error.code === outsideErrors.sign_in_denied.code) return undefined
        ctx.log.warn('nobody says what became of the code of a login', { method: method.id, error: (error as Error).message })
        throw outsideErrors.method_unavailable({ method: method.id })
      })
      if (typeof found === 'string') return { status: found, path: '' }
      try {
        const begun = await takeBegun(state, request)
        if (!found) throw outsideRefusals.denied()
        return { status: 'done', path: await decide(begun, found, request) }
      } catch (error) {
        return { status: 'done', path: refusedAt(refusalPages[intent], error) }
      }
    },

    /** Opens the session that waits for this browser. @throws `error.accounts.second_step` where more is demanded */
    async redeem(code: string, cookies: string | undefined, reply: RouteReply) {
      const { method, personId, kept } = await attempts.take('done', code, cookies)
      // Whoever switches a login off means everybody who is on their way.
      if (!identities.method(method)) throw outsideErrors.method_unavailable({ method })
      const principal = await ctx.host.credentials.find(personId)
      if (!principal || principal.state === 'deleted' || principal.revision !== kept.revision) throw outsideErrors.sign_in_over()
      await tools.confirming.demandStep(principal, reply)
      return signIn(tools, principal, cookies, reply)
    },

    /** Asks for proof of an address that the other site has not proven. The answer is the same whether somebody here has it. */
    async nameAddress(key: string, email: string, cookies: string | undefined): Promise<string> {
      const { allow_new_registrations, allow_email_domains } = await settings.get('login')
      if (!allow_new_registrations) throw accountErrors.not_allowed_registration()
      refuseDomain(email, allow_email_domains)
      const id = await attempts.toMailed(key, cookies, email)
      if (id === undefined) throw outsideErrors.sign_in_over()
      return id
    },

    /** The mailed link was opened, in the browser that began: only now there is an account. */
    async confirmAddress(code: string, cookies: string | undefined, reply: RouteReply) {
      const { method, kept } = await attempts.take('mailed', code, cookies)
      if (!identities.method(method)) throw outsideErrors.method_unavailable({ method })
      const principal = await createOrFind(method, kept.identity, kept.address)
      await tools.confirming.demandStep(principal, reply)
      return signIn(tools, principal, cookies, reply)
    },

    keyFor: attempts.keyFor,
    drop: attempts.drop,
  }
}
export type Broker = ReturnType<typeof createBroker>
