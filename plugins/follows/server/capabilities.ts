import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { people } from '../../accounts/shared/api.ts'
import type { followable } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  objects: Wanted<typeof followable>
  people: Wanted<typeof people>
}
