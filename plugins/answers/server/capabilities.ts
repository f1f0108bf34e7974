import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { people, reputation } from '../../accounts/shared/api.ts'
import type { staffLog } from '../../audit/shared/api.ts'
import type { threads } from '../../comments/shared/api.ts'
import type { posts } from '../../experiences/shared/api.ts'
import type { follows } from '../../follows/shared/api.ts'
import type { history } from '../../history/shared/api.ts'
import type { notices } from '../../notifications/shared/api.ts'
import type { gate } from '../../review/shared/api.ts'
import type { markdown, moderated, permissions, rendering, siteSettings } from '../../site/shared/api.ts'
import type { uploadedFiles } from '../../uploads/shared/api.ts'
import type { Tables } from './tables.ts'

/** What the commands of this plugin work with. */
export interface Capabilities {
  ctx: ServerContext<Tables>
  posts: Needed<typeof posts>
  settings: Needed<typeof siteSettings>
  permissions: Needed<typeof permissions>
  markdown: Needed<typeof markdown>
  rendering: Needed<typeof rendering>
  people: Needed<typeof people>
  reputation: Wanted<typeof reputation>
  history: Wanted<typeof history>
  threads: Wanted<typeof threads>
  files: Wanted<typeof uploadedFiles>
  follows: Wanted<typeof follows>
  notices: Wanted<typeof notices>
  log: Wanted<typeof staffLog>
  /** Of all kinds. */
  owners: Wanted<typeof moderated>
  gate: Wanted<typeof gate>
}
