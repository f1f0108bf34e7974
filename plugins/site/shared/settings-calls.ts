import type { CallToken } from '@stoa/sdk'
import { call } from '@stoa/sdk'
import type { bodies, replies } from './schemas.ts'

type Group = keyof typeof bodies

const callsOf = <G extends Group>(group: G) => ({
  get: call.get<{ reply: (typeof replies)[G] }>(`siteinfo/${group}`, { admin: true }),
  save: call.put(`siteinfo/${group}`, { admin: true }) as CallToken<{ body: (typeof bodies)[G]; reply: (typeof replies)[G] }, 'PUT'>,
})

/** Reading and storing each group of the site's settings, for admins. Only `general` replies to `save` with what is stored. */
export const settingsCalls = {
  general: callsOf('general'),
  interface: callsOf('interface'),
  branding: callsOf('branding'),
  write: callsOf('write'),
  legal: callsOf('legal'),
  seo: callsOf('seo'),
  maintenance: callsOf('maintenance'),
  login: callsOf('login'),
  users: callsOf('users'),
}
