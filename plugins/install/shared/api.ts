import { call, slots } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** What the wizard hands to the fields of another plugin. */
export interface SiteField {
  /** What was typed; undefined: nothing yet. */
  value: Record<string, string>
  /** Goes to taps of `kernelHooks.installed` as members of `extra`: one member, named like the plugin. */
  onChange(part: Record<string, string>): void
  /** What is wrong, by the name of the member. */
  errors: Record<string, string>
}

export const installSlots = {
  /** Below the questions about the site. */
  siteFields: slots<SiteField>('install.siteFields'),
}

/** The installer's calls; each answers 404 once the site is set up. */
export const installCalls = {
  askCode: call.get<typeof schemas.askCode>('/installation/code'),
  sendCode: call.post<typeof schemas.sendCode>('/installation/code'),
  state: call.post<typeof schemas.state>('/installation/config-file/check'),
  checkDatabase: call.post<typeof schemas.checkDatabase>('/installation/db/check'),
  init: call.post<typeof schemas.init>('/installation/init'),
  username: call.get<typeof schemas.username>('/installation/username'),
  finish: call.post<typeof schemas.finish>('/installation/base-info'),
  languages: call.get<typeof schemas.languages>('/installation/language/options'),
  texts: call.get<typeof schemas.texts>('/installation/language/config'),
}
