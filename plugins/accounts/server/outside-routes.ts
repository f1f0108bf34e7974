import type { Route } from '@stoa/sdk/server'
import { fieldErrors, route } from '@stoa/sdk/server'
import { outsideCalls, outsideErrors, outsidePaths } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { AccountTools } from './account-tools.ts'
import type { LoginOrder } from './login-order.ts'
import { createOutsideMail } from './outside-mail.ts'
import { askedAgain, isLedFromElsewhere, refusalOf, refusalPages, refusedAt } from './outside-refusals.ts'
import { codesOfAddress, limitMailsTo, looksOfAddress, mailsOfAddress, proofsOfAddress } from './rules.ts'
import type { Broker } from './sign-in-broker.ts'

/** Logins at other sites. */
export function outsideRoutes(tools: AccountTools, broker: Broker, order: LoginOrder): Route[] {
  const { ctx, identities, confirming } = tools
  const mail = createOutsideMail(tools, broker)
  const linkOf = (id: string) => `${ctx.site.url}${outsidePaths.login.replace(':slug', encodeURIComponent(id))}`

  return [
    route(outsideCalls.offered, schemas.outsideLogins, {
      access: 'open',
      summary: 'Outside logins on offer',
      handle: () => identities.methods().map(({ id, name, icon = '' }) => ({ name, icon, link: linkOf(id), is_first: order.isFirst(id) })),
    }),
    route.document(outsidePaths.login, {
      access: 'open',
      summary: 'Leads to another site to log in there',
      ...schemas.startOutside,
      limit: { action: 'outside', max: 60, seconds: 600, by: 'address', countsStaff: true },
      handle: async ({ params, query, ...request }, reply) => {
        if (request.person) return { redirect: refusalPages.bind }
        if (isLedFromElsewhere(request)) return { redirect: askedAgain(query.next) }
        const asked = { method: params.slug, intent: 'login', ...(query.next && { returnTo: query.next }) } as const
        try {
          return { redirect: new URL(await broker.service.begin(asked, request, reply)) }
        } catch (error) {
          return { redirect: refusedAt(refusalPages.login, error) }
        }
      },
    }),
    route.document(outsidePaths.callback, {
      access: 'open',
      summary: 'Where another site sends people back to',
      ...schemas.returned,
      limit: codesOfAddress,
      handle: async ({ params, query, ...request }) => ({ redirect: await broker.comeBack(params.slug, query, request) }),
    }),
    route.posted(outsidePaths.callback, {
      summary: 'Where another site sends people back to with a form',
      ...schemas.posted,
      bodyLimit: 128 * 1024,
      limit: codesOfAddress,
      handle: async ({ params, body }) => ({ redirect: await broker.takePosted(params.slug, body) }),
    }),
    route(outsideCalls.prove, schemas.proveOutside, {
      access: 'open',
      whileClosed: true,
      summary: 'Name and password for a login by a directory, in the browser that began. `path`: where it leads',
      limit: proofsOfAddress,
      form: { to: ({ path }) => path, keeps: ['name'] },
      handle: async ({ body, ...request }) => ({ path: await broker.prove(body, request) }),
    }),
    route(outsideCalls.showQr, schemas.showQr, {
      access: 'open',
      whileClosed: true,
      summary: 'A code to scan for a login, in the browser that began',
      limit: proofsOfAddress,
      handle: ({ body, ...request }) => broker.showQr(body.state, request),
    }),
    route(outsideCalls.lookQr, schemas.lookQr, {
      access: 'open',
      whileClosed: true,
      summary: 'What has become of that code. `path`: where it leads once it is confirmed',
      limit: looksOfAddress,
      handle: ({ body, ...request }) => broker.lookQr(body.state, request),
    }),
    route(outsideCalls.nameAddress, schemas.nameAddress, {
      access: 'open',
      summary: 'Name an address after a login at another site that has proven none; a link is mailed',
      limit: mailsOfAddress,
      form: { to: '/users/confirm-email?sent', keeps: ['email'] },
      handle: async ({ body, headers, language }) => {
        const email = body.email.trim().toLowerCase()
        await limitMailsTo(ctx, email)
        await ctx.db.write(async () => {
          const id = await broker.nameAddress(body.binding_key, email, headers.cookie)
          await mail(id, language)
        })
        return { email_exist_and_must_be_confirmed: false, access_token: '' }
      },
    }),
    route(outsideCalls.confirmAddress, schemas.confirmAddress, {
      access: 'open',
      summary: 'Prove the address by the mailed code, in the browser that began; the account is made and the session opened',
      limit: codesOfAddress,
      form: { to: '/' },
      handle: ({ body, headers }, reply) =>
        broker.confirmAddress(body.code, headers.cookie, reply).catch((error: unknown) => {
          const reason = refusalOf(error)
          throw reason === undefined ? error : fieldErrors({ code: `accounts.outside.${reason}` })
        }),
    }),
    route(outsideCalls.handOver, schemas.handOver, {
      access: 'open',
      whileClosed: true,
      summary: 'Fetch the session by the code of the page that a login at another site leads to, in the browser that began',
      limit: codesOfAddress,
      form: { to: '/' },
      handle: ({ body, headers }, reply) => broker.redeem(body.code, headers.cookie, reply),
    }),
    route(outsideCalls.own, schemas.ownOutsideLogins, {
      access: 'active',
      summary: 'Outside logins of the person',
      handle: async ({ person }) => {
        const own = new Map((await identities.of(person.id)).map((row) => [row.method, row.external_id]))
        return identities.methods().map(({ id, name, icon = '' }) => {
          const external_id = own.get(id) ?? ''
          return { name, icon, link: linkOf(id), binding: external_id !== '', external_id, slug: id }
        })
      },
    }),
    route(outsideCalls.bind, schemas.bind, {
      access: 'active',
      summary: 'Begin to bind a login at another site; the session must be confirmed. `url`: where to send the person',
      limit: { action: 'bind', max: 20, seconds: 600, countsStaff: true },
      handle: async ({ body, ...request }, reply) => {
        await confirming.service.require(request)
        try {
          return { url: await broker.service.begin({ method: body.slug, intent: 'bind' }, request, reply) }
        } catch (error) {
          throw refusalOf(error) === undefined ? error : outsideErrors.method_unavailable({ method: body.slug }, { type: 'toast' })
        }
      },
    }),
    route(outsideCalls.unbind, schemas.unbind, {
      access: 'active',
      summary: 'Remove a login at another site, unless nothing else would let the person in; the session must be confirmed',
      handle: async ({ body, person, ...request }) => {
        await confirming.service.require({ person, ...request })
        const rows = await identities.of(person.id)
        const row = rows.find(({ method, external_id }) => external_id === body.external_id && (!body.slug || method === body.slug))
        if (!row) throw outsideErrors.not_bound()
        const method = identities.method(row.method)
        const slug = method?.slug ?? row.method.split('.')[0] ?? ''
        const isLetIn =
          (await confirming.service.hasOtherWay(person.id, slug)) || (method && (await identities.hasOther(method, person.id)))
        const provider = method?.name ?? row.method
        if (!isLetIn) throw outsideErrors.last_way({ method: provider, id: person.id }, { type: 'toast' })
        const profile = await tools.profiles.find(person.id)
        await ctx.db.write(async () => {
          const isGone = await identities.unbind(row.method, row.external_id, person.id)
          if (isGone && profile) await tools.mails.queue('unbound', profile, broker.newsOf(row.method))
        })
      },
    }),
  ]
}
