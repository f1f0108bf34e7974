/** A row of `GET plugins`. */
export interface PluginRow {
  slug_name: string
  name: string
  description: string
  version: string
  type: string
  enabled: boolean
  state: string
  reason: string
  essential: boolean
  origin: 'bundled' | 'installed'
  /** Version that one can go back to; empty when there is none. */
  rollback_to: string
  comes_with_site: boolean
  have_config: boolean
  needs: string[]
  needed_by: string[]
  requests: number
  web_bytes: number
  link: string
  author: string
  /** Since the server started. `at` in unix seconds. */
  faults: {
    count: number
    slow: number
    reported: number
    last: { at: number; kind: string; where: string; message: string } | null
    lastReport: string
  }
  adds: { pages: string[]; slots: string[]; services: string[]; hooks: string[] }
  /** Contracts that it works without: it was built for another version than the one that is on. */
  without: { contract: string; range: string; version: string }[]
}

/** `data` of the refusal of a switch that concerns others. */
export interface SwitchRefusal {
  err_type: string
  epoch?: number
  also_off?: string[]
  also_on?: string[]
}

/** What an admin can do; each asks first where others or data are concerned. */
export interface PluginActions {
  toggle(row: PluginRow, enabled: boolean): Promise<void>
  rollBack(row: PluginRow): Promise<void>
  remove(row: PluginRow): Promise<void>
  eraseData(row: PluginRow): Promise<void>
  install(file: File): Promise<void>
}

/** Stands for the upload where others have a slug. */
export const INSTALL = ''
export const PLUGIN_PATH = '/answer/admin/api/plugin'
export const PLUGINS_PATH = '/answer/admin/api/plugins'
