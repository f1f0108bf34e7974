import type { ReplyOf } from '@stoa/sdk'
import type { pluginCalls } from '@stoa/sdk/administration'

/** A row of the list. */
export type PluginRow = ReplyOf<typeof pluginCalls.list>[number]

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
