import type { Principal, Route, RouteReply, RouteRequest } from '@stoa/sdk/server'
import { baseErrors, browserCookie, isCodedError, route } from '@stoa/sdk/server'
import { accountCalls, accountErrors, accountEvents, outsideErrors } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import { personView } from './account-view.ts'
import { activatePerson, orTaken, refuseTaken } from './activate-person.ts'
import { refuseCommon } from './common-passwords.ts'
import { codesOfAddress, limitMailsTo, mailsOfAddress, refuseDomain } from './rules.ts'
import { cookieIn, forgetCookies, signIn, signInByLink } from './sign-in.ts'
import type { Broker } from './sign-in-broker.ts'

type LoginRequest = Pick<RouteRequest, 'ip' | 'headers'> & {
  body: { e_mail: string; pass: string; captcha_code?: string; captcha_id?: string }
}

/** Registration, activation, login, logout and the person who asks. */
export function loginRoutes(tools: AccountTools, broker: Broker): Route[] {
  const { ctx, settings, profiles, codes, confirming } = tools

  async function login({ body, ip, headers }: LoginRequest, reply: RouteReply) {
    const { allow_password_login } = await settings.get('login')
    const attempt = { login: body.e_mail, password: body.pass, ip, browser: cookieIn(headers.cookie, browserCookie.name) }
    const found = allow_password_login ? await ctx.host.credentials.signIn(attempt) : undefined
    if (!found) throw accountErrors.email_or_password_incorrect()
    reply.cookie(browserCookie.name, found.browser, { maxAge: browserCookie.maxAge })
    await confirming.demandStep(found.principal, reply, body.captcha_id ? undefined : body.captcha_code)
    return signIn(tools, found.principal, headers.cookie, reply)
  }

  async function register(
    body: { name: string; e_mail: string; pass: string },
    { language, headers }: Pick<RouteRequest, 'language' | 'headers'>,
    reply: RouteReply,
  ) {
    const address = body.e_mail.trim().toLowerCase()
    const rules = await settings.get('login')
    if (!rules.allow_new_registrations || !rules.allow_email_registrations) throw accountErrors.not_allowed_registration()
    refuseDomain(address, rules.allow_email_domains)
    await refuseCommon(body.pass, [address, body.name])
    // Before anybody is looked for, so that it takes as long for an address that is known; and nobody else's write waits for it.
    const password = await ctx.host.credentials.hash(body.pass)
    await refuseTaken(ctx, address, 0, 'e_mail')
    return ctx.db.write(async () => {
      const principal = await ctx.host.credentials.create({ login: address, password, state: 'inactive' }).catch(orTaken('e_mail'))
      await profiles.create(principal, body.name)
      await ctx.emit(accountEvents.registered, { id: principal.id })
      await codes.send(principal, 'activate', address, language)
      return signIn(tools, principal, headers.cookie, reply)
    })
  }

  const logout = {
    access: 'member',
    whileClosed: true,
    summary: 'End the session',
    handle: async ({ token }: Pick<RouteRequest, 'token'>, reply: RouteReply) => {
      if (token) await ctx.host.credentials.closeSession(token)
      forgetCookies(reply)
    },
  } as const

  /** Clients that hold the code of `/users/auth-landing` for a token redeem it by asking who they are. */
  async function outsideSession(code: string, cookies: string | undefined, reply: RouteReply) {
    try {
      const { access_token, visit_token, id } = await broker.redeem(code, cookies, reply)
      const principal = (await ctx.host.credentials.find(Number(id))) as Principal
      const view = personView(await profiles.ensure(principal), principal, access_token, await settings.get('users'))
      return { ...view, visit_token }
    } catch (error) {
      if (isCodedError(error) && error.code === outsideErrors.sign_in_over.code) return null
      throw error
    }
  }

  return [
    route(accountCalls.login, schemas.login, {
      access: 'open',
      whileClosed: true,
      summary: 'Log in by address and password',
      form: { to: '/', keeps: ['e_mail'] },
      handle: login,
    }),
    route(accountCalls.register, schemas.register, {
      access: 'open',
      summary: 'Register; the session begins unactivated and a link is mailed',
      limit: { action: 'register', max: 60, seconds: 3600, by: 'address' },
      form: { to: '/users/register?sent', keeps: ['name', 'e_mail'] },
      handle: (request, reply) => register(request.body, request, reply),
    }),
    route(accountCalls.logoutByGet, schemas.logout, logout),
    route(accountCalls.logout, schemas.logout, { ...logout, form: { to: '/' } }),
    route(accountCalls.ownInfo, schemas.ownInfo, {
      access: 'open',
      summary: 'The person who asks; null without a valid session',
      handle: async ({ person, token, headers }, reply) => {
        const principal = person && (await ctx.host.credentials.find(person.id))
        if (principal && token) return personView(await profiles.ensure(principal), principal, token, await settings.get('users'))
        const given = headers.authorization?.replace(/^Bearer\s+/i, '').trim()
        if (given && (await ctx.host.credentials.isOfDeleted(given))) throw baseErrors.unauthorized_error()
        return given ? outsideSession(given, headers.cookie, reply) : null
      },
    }),
    route(accountCalls.sendActivation, schemas.sendActivation, {
      access: 'member',
      summary: 'Mail the activation link again; nothing happens for somebody active',
      limit: mailsOfAddress,
      handle: async ({ person, language }) => {
        const principal = person && (await ctx.host.credentials.find(person.id))
        if (principal?.state !== 'inactive') return
        await limitMailsTo(ctx, principal.login)
        await ctx.db.write(() => codes.send(principal, 'activate', principal.login, language))
      },
    }),
    route(accountCalls.activate, schemas.byCode, {
      access: 'open',
      summary: 'Activate by the mailed code, and log in',
      limit: codesOfAddress,
      form: { to: '/' },
      handle: ({ body, headers }, reply) =>
        signInByLink(tools, headers.cookie, reply, async () => {
          const { principal, email: proven } = await codes.redeem(body.code, 'activate')
          return activatePerson(tools, principal, proven)
        }),
    }),
  ]
}
