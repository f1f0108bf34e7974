import type { Principal } from '@stoa/sdk/server'
import type { SettingsGroups } from '../../site/shared/api.ts'
import { avatarObject, avatarUrl } from './cards.ts'
import type { ProfileRow } from './tables.ts'

/** A person as that person sees themself. */
function ownView(profile: ProfileRow, principal: Principal, tokens: { access_token: string; visit_token: string }) {
  return {
    id: String(profile.id),
    created_at: profile.created_at,
    last_login_date: profile.last_login_at,
    username: profile.username,
    e_mail: principal.login,
    mail_status: principal.state === 'inactive' ? 2 : 1,
    notice_status: 0,
    follow_count: profile.follow_count,
    answer_count: profile.answer_count,
    experience_count: profile.experience_count,
    rank: profile.rank,
    authority_group: 0,
    display_name: profile.display_name,
    mobile: '',
    bio: profile.bio,
    bio_html: profile.bio_html,
    website: profile.website,
    location: profile.location,
    language: profile.language,
    color_scheme: profile.color_scheme,
    time_zone: profile.time_zone,
    ...tokens,
    role_id: principal.role,
    status: principal.state,
    have_password: principal.hasPassword,
    ...(principal.state === 'suspended' && { suspended_until: profile.suspended_until, suspension_reason: profile.suspension_reason }),
  }
}

type Avatars = Pick<SettingsGroups['users'], 'default_avatar' | 'gravatar_base_url'>

export function loginView(profile: ProfileRow, principal: Principal, session: { token: string; visitToken: string }, avatars: Avatars) {
  return {
    ...ownView(profile, principal, { access_token: session.token, visit_token: session.visitToken }),
    avatar: avatarUrl(profile, avatars),
  }
}

export function personView(profile: ProfileRow, principal: Principal, token: string, avatars: Avatars) {
  return { ...ownView(profile, principal, { access_token: token, visit_token: '' }), avatar: avatarObject(profile, avatars) }
}
