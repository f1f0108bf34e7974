import type { Route } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { accountCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'

const off = { enabled: false, redirect_url: '' }

/**
 * What clients ask at start-up about features that no plugin offers yet: outside logins, a user centre, captchas.
 * The plugin that brings the feature takes its call over.
 */
export const neutralRoutes: Route[] = [
  route(accountCalls.outsideLogins, schemas.outsideLogins, {
    access: 'open',
    summary: 'Outside logins on offer',
    handle: () => [],
  }),
  route(accountCalls.ownOutsideLogins, schemas.ownOutsideLogins, {
    access: 'active',
    summary: 'Outside logins of the person',
    handle: () => [],
  }),
  route(accountCalls.userCentre, schemas.userCentre, {
    access: 'open',
    summary: 'The user centre that people log in with, if there is one',
    handle: () => ({ enabled: false, agent_info: null }),
  }),
  route(accountCalls.userCentreSettings, schemas.userCentreSettings, {
    access: 'active',
    summary: 'Settings pages that a user centre takes over',
    handle: () => ({ profile_setting_agent: off, account_setting_agent: off }),
  }),
  route(accountCalls.userCentreBranding, schemas.userCentreBranding, {
    access: 'visitor',
    summary: 'Links of a user centre on a profile',
    handle: () => ({ enabled: false, personal_branding: [] }),
  }),
  route(accountCalls.adminUserCentre, schemas.adminUserCentre, {
    access: 'admin',
    summary: 'What the admin may do to people while a user centre is on',
    handle: () => ({
      allow_create_user: true,
      allow_update_user_status: true,
      allow_update_user_password: true,
      allow_update_user_role: true,
    }),
  }),
  route(accountCalls.actionRecord, schemas.actionRecord, {
    access: 'open',
    summary: 'Whether the next call of this kind needs a captcha',
    handle: () => ({ captcha_id: '', captcha_img: '', verify: false }),
  }),
]
