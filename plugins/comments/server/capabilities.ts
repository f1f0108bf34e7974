import type { Needed, ServerContext, Wanted } from '@stoa/sdk/server'
import type { gate } from '../../review/shared/api.ts'
import type { permissions, rendering } from '../../site/shared/api.ts'
import type { commentable } from '../shared/api.ts'
import type { Tables } from './tables.ts'

/** What the commands of this plugin work with. */
export interface Capabilities {
  ctx: ServerContext<Tables>
  permissions: Needed<typeof permissions>
  rendering: Needed<typeof rendering>
  objects: Wanted<typeof commentable>
  gate: Wanted<typeof gate>
}
