import { call, slots } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** A plugin in the admin's list. */
export interface ListedPlugin {
  slug_name: string
  name: string
  version: string
  enabled: boolean
}

/** Places in the pages of the admin. */
export const adminSlots = {
  /** Boxes of the overview. */
  dashboard: slots('admin.dashboard'),
  /** A further fact in the line of a plugin. */
  pluginFacts: slots<{ plugin: ListedPlugin }>('admin.pluginFacts'),
  /** A further button of a plugin. */
  pluginActions: slots<{ plugin: ListedPlugin }>('admin.pluginActions'),
}

export const adminCalls = {
  lastSaved: call.get<typeof schemas.lastSaved>('settings/saved', { admin: true }),
}
