import type { CodedError, ServerContext, Wanted } from '@stoa/sdk/server'
import type { staffLog } from '../../audit/shared/api.ts'
import type { Rendering, SiteSettings } from '../../site/shared/api.ts'
import type { uploadedFiles } from '../../uploads/shared/api.ts'
import type { People, Reputation } from '../shared/api.ts'
import type { Archives } from './archives.ts'
import type { Confirming } from './confirming.ts'
import type { Holders } from './data-holders.ts'
import type { Departures } from './departures.ts'
import type { Erasures } from './erasures.ts'
import type { Identities } from './identities.ts'
import type { MailCodes } from './mail-codes.ts'
import type { Mails } from './mails.ts'
import type { Profiles } from './profiles.ts'
import type { Suspensions } from './suspensions.ts'
import type { AccountTables } from './tables.ts'

/** What the calls of this plugin work with. */
export interface AccountTools {
  ctx: ServerContext<AccountTables>
  settings: SiteSettings
  rendering: Rendering
  profiles: Profiles
  codes: MailCodes
  confirming: Confirming
  mails: Mails
  people: People
  reputation: Reputation
  files: Wanted<typeof uploadedFiles>
  holders: Holders
  identities: Identities
  erasures: Erasures
  archives: Archives
  departures: Departures
  suspensions: Suspensions
  log: Wanted<typeof staffLog>
}

/** The same error, shown at a field of the caller's form. */
export function atField(
  make: ((params?: Record<string, unknown>, data?: unknown) => CodedError) & { code: string },
  field: string,
  params: Record<string, unknown> = {},
): CodedError {
  return make(params, [{ error_field: field, error_msg: make.code }])
}
