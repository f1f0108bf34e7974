import type { Route, RouteReply, RouteRequest } from '@stoa/sdk/server'
import { baseErrors, browserCookie, route, Type } from '@stoa/sdk/server'
import { accountErrors, accountEvents } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { loginReply, personReply, personView } from './account-view.ts'
import { activatePerson, refuseTaken } from './activate-person.ts'
import { limitMails, refuseDomain } from './rules.ts'
import { code, email, password } from './schemas.ts'
import { forgetCookies, signIn } from './sign-in.ts'

type LoginRequest = Pick<RouteRequest, 'ip' | 'headers'> & { body: { e_mail: string; pass: string } }

const browserOf = (cookies = ''): string | undefined =>
  cookies
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${browserCookie.name}=`))
    ?.slice(browserCookie.name.length + 1)

/** Registration, activation, login, logout and the person who asks. */
export function loginRoutes(tools: AccountTools): Route[] {
  const { ctx, settings, profiles, codes } = tools

  async function login({ body, ip, headers }: LoginRequest, reply: RouteReply) {
    const { allow_password_login } = await settings.get('login')
    const attempt = { login: body.e_mail, password: body.pass, ip, browser: browserOf(headers.cookie) }
    const found = allow_password_login ? await ctx.credentials.signIn(attempt) : undefined
    if (!found) throw accountErrors.email_or_password_incorrect()
    const view = await signIn(tools, found.principal, reply)
    reply.cookie(browserCookie.name, found.browser, { maxAge: browserCookie.maxAge })
    return view
  }

  async function register(
    body: { name: string; e_mail: string; pass: string },
    { ip, language }: Pick<RouteRequest, 'ip' | 'language'>,
    reply: RouteReply,
  ) {
    const address = body.e_mail.trim().toLowerCase()
    const rules = await settings.get('login')
    if (!rules.allow_new_registrations || !rules.allow_email_registrations) throw accountErrors.not_allowed_registration()
    refuseDomain(address, rules.allow_email_domains)
    await ctx.limit('register', { key: ip, max: 60, seconds: 3600 })
    await refuseTaken(ctx, address, 0, 'e_mail')
    return ctx.db.write(async () => {
      const principal = await ctx.credentials.create({ login: address, password: body.pass, state: 'inactive' })
      await profiles.create(principal, body.name)
      await ctx.emit(accountEvents.registered, { id: principal.id })
      await codes.send(principal, 'activate', address, language)
      return signIn(tools, principal, reply)
    })
  }

  const logout = (method: 'GET' | 'POST') =>
    route({
      method,
      path: '/answer/api/v1/user/logout',
      access: 'member',
      summary: 'End the session',
      reply: Type.Null(),
      handle: async ({ token }, reply) => {
        if (token) await ctx.credentials.closeSession(token)
        forgetCookies(reply)
      },
    })

  return [
    route({
      method: 'POST',
      path: '/answer/api/v1/user/login/email',
      access: 'open',
      summary: 'Log in by address and password',
      body: Type.Object({ e_mail: email, pass: password }),
      reply: loginReply,
      handle: login,
    }),
    route({
      method: 'POST',
      path: '/answer/api/v1/user/register/email',
      access: 'open',
      summary: 'Register; the session begins unactivated and a link is mailed',
      body: Type.Object({ name: Type.String({ minLength: 2, maxLength: 30 }), e_mail: email, pass: password }),
      reply: loginReply,
      handle: ({ body, ip, language }, reply) => register(body, { ip, language }, reply),
    }),
    logout('GET'),
    logout('POST'),
    route({
      method: 'GET',
      path: '/answer/api/v1/user/info',
      access: 'open',
      summary: 'The person who asks; null without a valid session',
      reply: personReply,
      handle: async ({ person, token, headers }) => {
        const principal = person && (await ctx.credentials.find(person.id))
        if (principal && token) return personView(await profiles.ensure(principal), principal, token, await settings.get('users'))
        const given = headers.authorization?.replace(/^Bearer\s+/i, '').trim()
        if (given && (await ctx.credentials.isOfDeleted(given))) throw baseErrors.unauthorized_error()
        return null
      },
    }),
    route({
      method: 'POST',
      path: '/answer/api/v1/user/email/verification/send',
      access: 'member',
      summary: 'Mail the activation link again; nothing happens for somebody active',
      reply: Type.Null(),
      handle: async ({ person, ip, language }) => {
        const principal = person && (await ctx.credentials.find(person.id))
        if (principal?.state !== 'inactive') return
        await limitMails(ctx, principal.login, ip)
        await ctx.db.write(() => codes.send(principal, 'activate', principal.login, language))
      },
    }),
    route({
      method: 'POST',
      path: '/answer/api/v1/user/email/verification',
      access: 'open',
      summary: 'Activate by the mailed code, and log in',
      body: Type.Object({ code }),
      reply: loginReply,
      handle: ({ body }, reply) =>
        ctx.db.write(async () => {
          const { principal, email: proven } = await codes.redeem(body.code, 'activate')
          return signIn(tools, await activatePerson(tools, principal, proven), reply)
        }),
    }),
  ]
}
