import type { Principal } from '@stoa/sdk/server'
import type { AccountTools } from './account-tools.ts'
import { avatarUrl } from './cards.ts'
import { deviceOf, networkOf } from './devices.ts'

/** What an admin decides by about one person. */
export async function adminPersonView({ ctx, profiles, settings }: AccountTools, principal: Principal) {
  const profile = await profiles.ensure(principal)
  const sessions = await ctx.host.credentials.sessionsOf(principal.id)
  const names = await ctx.db.query
    .selectFrom('accounts__name')
    .select('username_lower')
    .where('person_id', '=', principal.id)
    .where('username_lower', '!=', profile.username.toLowerCase())
    .orderBy('taken_at', 'desc')
    .limit(20)
    .execute()
  const isSuspended = principal.state === 'suspended'
  return {
    user_id: String(principal.id),
    created_at: profile.created_at,
    last_login_date: profile.last_login_at,
    suspended_at: isSuspended ? profile.suspended_at : 0,
    suspended_until: isSuspended ? profile.suspended_until : 0,
    suspension_reason: isSuspended ? profile.suspension_reason : '',
    username: profile.username,
    former_names: names.map(({ username_lower }) => username_lower),
    e_mail: principal.login,
    rank: profile.rank,
    status: principal.state,
    display_name: profile.display_name,
    avatar: avatarUrl(profile, await settings.get('users')),
    role_id: principal.role,
    role_name: ctx.host.texts.text(`role.${principal.role}.name`),
    experience_count: profile.experience_count,
    answer_count: profile.answer_count,
    follow_count: profile.follow_count,
    has_password: principal.hasPassword,
    sessions: sessions.map(({ id, ip, userAgent, createdAt, usedAt }) => ({
      id,
      ...deviceOf(userAgent),
      network: networkOf(ip),
      created_at: createdAt,
      used_at: usedAt,
    })),
  }
}
