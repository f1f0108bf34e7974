import type { Principal, RouteReply } from '@stoa/sdk/server'
import { accessErrors } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'
import { loginView } from './account-view.ts'

const LIFETIME_SECONDS = 7 * 24 * 3600

/**
 * Opens a session: the token in the reply for calls, an HttpOnly cookie for documents and the protocol's `visit` cookie for uploads.
 * @throws 403 `suspended`
 */
export async function signIn({ ctx, profiles, settings }: AccountTools, principal: Principal, reply: RouteReply) {
  if (principal.state === 'suspended') throw accessErrors.suspended({}, { type: 'suspended' })
  const { session, profile } = await ctx.db.write(async (tx) => {
    const profile = await profiles.ensure(principal)
    const now = ctx.now()
    await tx.updateTable('accounts__profile').set({ last_login_at: now }).where('id', '=', principal.id).execute()
    return { session: await ctx.credentials.openSession(principal.id), profile: { ...profile, last_login_at: now } }
  })
  reply.cookie('stoa_session', session.token, { maxAge: LIFETIME_SECONDS })
  reply.cookie('visit', session.visitToken, { maxAge: LIFETIME_SECONDS })
  return loginView(profile, principal, session, await settings.get('users'))
}

/** Forgets the cookies of {@link signIn}. */
export function forgetCookies(reply: RouteReply): void {
  reply.cookie('stoa_session', null)
  reply.cookie('visit', null)
}
