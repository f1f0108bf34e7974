import type { ReplyOf } from '@stoa/sdk'
import type { pluginCalls } from '@stoa/sdk/administration'

/** A row of the list. */
export type PluginRow = ReplyOf<typeof pluginCalls.list>[number]

/** A line of the history. */
export type SwitchDeed = ReplyOf<typeof pluginCalls.history>['list'][number]

export type SetPlan = ReplyOf<typeof pluginCalls.planSet>

/** `data` of the refusal of a switch that concerns others. */
export interface SwitchRefusal {
  err_type: string
  epoch?: number
  also_off?: string[]
  also_on?: string[]
  /** Sentences of plugins that have something to say about it. */
  notes?: string[]
}

/** A question with more than one way on. */
export interface SwitchQuestion {
  title: string
  /** What goes and what comes back, in one sentence each. */
  lines: readonly string[]
  warnings: readonly string[]
  /** The main one last. */
  choices: readonly { value: string; label: string }[]
  /** Undefined: nothing is to be done. */
  answer(choice: string | undefined): void
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
