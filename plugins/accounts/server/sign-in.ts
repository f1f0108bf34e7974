import type { Principal, RouteReply } from '@stoa/sdk/server'
import { accessErrors, browserCookie, sessionCookie } from '@stoa/sdk/server'
import { accountErrors } from '../shared/api.ts'
import type { AccountTools } from './account-tools.ts'
import { loginView } from './account-view.ts'
import { noteBrowser } from './devices.ts'
import { held } from './held.ts'

/** @returns undefined where the browser has sent none of that name */
export const cookieIn = (cookies = '', name: string): string | undefined =>
  cookies
    .split(/;\s*/)
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)

/**
 * What let somebody in has to be true when their session opens: who is deleted, suspended or given another password meanwhile does not come in.
 * @param principal as they were when they proved who they are
 * @throws `error.accounts.changed_meanwhile`, 403 `suspended`
 */
async function refuseChanged({ ctx }: AccountTools, principal: Principal): Promise<void> {
  const present = await held(ctx, principal.id)
  if (present?.state === 'suspended') throw accessErrors.suspended({}, { type: 'suspended' })
  if (present?.revision !== principal.revision) throw accountErrors.changed_meanwhile()
}

/**
 * Opens a session: the token in the reply for calls, an HttpOnly cookie for documents and the protocol's `visit` cookie for uploads.
 * @param cookies of the browser: the session that it has is over
 * @throws `error.accounts.changed_meanwhile`, 403 `suspended`
 */
export async function signIn(tools: AccountTools, principal: Principal, cookies: string | undefined, reply: RouteReply) {
  const { ctx, profiles, settings, departures, confirming } = tools
  if (principal.state === 'suspended') throw accessErrors.suspended({}, { type: 'suspended' })
  const mark = await noteBrowser(tools, principal)
  const replaced = cookieIn(cookies, sessionCookie.name)
  const { session, profile } = await ctx.db.write(async (tx) => {
    await refuseChanged(tools, principal)
    const profile = await profiles.ensure(principal)
    await departures.cancel(principal)
    const now = ctx.now()
    await tx.updateTable('accounts__profile').set({ last_login_at: now }).where('id', '=', principal.id).execute()
    const session = await ctx.host.credentials.openSession(principal.id, ctx.host.request() ?? undefined)
    if (replaced) await ctx.host.credentials.closeSession(replaced)
    await confirming.confirmed(session.token, principal.id)
    return { session, profile: { ...profile, last_login_at: now } }
  })
  reply.cookie(sessionCookie.name, session.token, { maxAge: sessionCookie.maxAge })
  if (mark) reply.cookie(browserCookie.name, mark, { maxAge: browserCookie.maxAge })
  reply.cookie('visit', session.visitToken, { maxAge: sessionCookie.maxAge })
  return loginView(profile, principal, session, await settings.get('users'))
}

/**
 * Signs in whoever followed a mailed link. Where more than that is demanded of them, what the link was for is done, and the second step is asked for.
 * @param act uses the link up, in a transaction
 * @throws `error.accounts.second_step`
 */
export async function signInByLink(tools: AccountTools, cookies: string | undefined, reply: RouteReply, act: () => Promise<Principal>) {
  const { ctx, confirming } = tools
  const done = await ctx.db.write(async () => {
    const { id } = await act()
    const principal = (await ctx.host.credentials.find(id)) as Principal
    return principal.needsMore ? { principal } : { view: await signIn(tools, principal, cookies, reply) }
  })
  if (done.view) return done.view
  await confirming.demandStep(done.principal, reply)
  return signIn(tools, done.principal, cookies, reply)
}

/** Forgets the cookies of {@link signIn}. */
export function forgetCookies(reply: RouteReply): void {
  reply.cookie(sessionCookie.name, null)
  reply.cookie('visit', null)
}
