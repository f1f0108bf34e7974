import type { Route } from '@stoa/sdk/server'
import { route, Type } from '@stoa/sdk/server'

const setting = Type.Object({ enabled: Type.Boolean(), redirect_url: Type.String() })
const off = { enabled: false, redirect_url: '' }
const captchaActions = [
  'email',
  'password',
  'edit_userinfo',
  'experience',
  'answer',
  'comment',
  'edit',
  'invitation_answer',
  'search',
  'report',
  'delete',
  'vote',
]

/**
 * What clients ask at start-up about features that no plugin offers yet: outside logins, a user centre, captchas.
 * The plugin that brings the feature takes its call over.
 */
export const neutralRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/answer/api/v1/connector/info',
    access: 'open',
    summary: 'Outside logins on offer',
    reply: Type.Array(Type.Object({ name: Type.String(), icon: Type.String(), link: Type.String() })),
    handle: () => [],
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/connector/user/info',
    access: 'active',
    summary: 'Outside logins of the person',
    reply: Type.Array(
      Type.Object({ name: Type.String(), icon: Type.String(), link: Type.String(), binding: Type.Boolean(), external_id: Type.String() }),
    ),
    handle: () => [],
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user-center/agent',
    access: 'open',
    summary: 'The user centre that people log in with, if there is one',
    reply: Type.Object({ enabled: Type.Boolean(), agent_info: Type.Null() }),
    handle: () => ({ enabled: false, agent_info: null }),
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user-center/user/settings',
    access: 'active',
    summary: 'Settings pages that a user centre takes over',
    reply: Type.Object({ profile_setting_agent: setting, account_setting_agent: setting }),
    handle: () => ({ profile_setting_agent: off, account_setting_agent: off }),
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user-center/personal/branding',
    access: 'visitor',
    summary: 'Links of a user centre on a profile',
    query: Type.Object({ username: Type.String({ minLength: 1, maxLength: 500 }) }),
    reply: Type.Object({ enabled: Type.Boolean(), personal_branding: Type.Array(Type.Any()) }),
    handle: () => ({ enabled: false, personal_branding: [] }),
  }),
  route({
    method: 'GET',
    path: '/answer/admin/api/user-center/agent',
    access: 'admin',
    summary: 'What the admin may do to people while a user centre is on',
    reply: Type.Object({
      allow_create_user: Type.Boolean(),
      allow_update_user_status: Type.Boolean(),
      allow_update_user_password: Type.Boolean(),
      allow_update_user_role: Type.Boolean(),
    }),
    handle: () => ({
      allow_create_user: true,
      allow_update_user_status: true,
      allow_update_user_password: true,
      allow_update_user_role: true,
    }),
  }),
  route({
    method: 'GET',
    path: '/answer/api/v1/user/action/record',
    access: 'open',
    summary: 'Whether the next call of this kind needs a captcha',
    query: Type.Object({ action: Type.Enum(captchaActions) }),
    reply: Type.Object({ captcha_id: Type.String(), captcha_img: Type.String(), verify: Type.Boolean() }),
    handle: () => ({ captcha_id: '', captcha_img: '', verify: false }),
  }),
]
