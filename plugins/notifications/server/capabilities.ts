import type { ServerContext, Wanted } from '@stoa/sdk/server'
import type { channels, noticeFilters } from '../shared/api.ts'
import type { Tables } from './tables.ts'

export interface Capabilities {
  ctx: ServerContext<Tables>
  channels: Wanted<typeof channels>
  filters: Wanted<typeof noticeFilters>
}

/** Somebody who is told. */
export interface Receiver {
  id: number
  language: string
}
