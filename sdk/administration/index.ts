import type { ConfigField, Without } from '../shared/manifest.ts'

export { pluginCalls } from './plugin-calls.ts'

/** State of a plugin as the admin sees it. */
export interface PluginRow {
  slug: string
  version: string
  type: string
  /** `waiting`: switched on, and something it needs is in quarantine. */
  state: 'on' | 'off' | 'failed' | 'quarantined' | 'waiting'
  /** It is on, and what others get of it fails again and again; `reason` says where. */
  failing: boolean
  /** English; empty when all is well. */
  reason: string
  /** Text key and values of the reason, where it is to be read in the reader's language. */
  problem?: { code: string; params: Record<string, unknown> }
  essential: boolean
  single: string[]
  needs: string[]
  neededBy: string[]
  hasSettings: boolean
  origin: 'bundled' | 'installed'
  /** The version that runs or would, then those before it that one can go back to, newest first. */
  versions: { version: string; origin: 'bundled' | 'installed' }[]
  /** There is a version that comes with the site, to which removing an installed one leads back. */
  comesWithSite: boolean
  link: string
  author: string
  /** Compressed bytes of its web files. */
  webBytes: number
  /** Requests answered since start. */
  requests: number
  adds: { pages: string[]; slots: string[]; services: string[]; hooks: string[] }
  /** Contracts that it works without while it is on, because another version of them is on than the one it was built for. */
  without: Without[]
  faults: FaultSummary
}

/** What failed in a plugin's code since the server started. */
export interface FaultSummary {
  count: number
  /** Times that its code was right and took long. */
  slow: number
  /** `at` in unix seconds; `message` as the log has it, shortened. */
  last: { at: number; kind: string; where: string; message: string } | null
  /** Faults that browsers reported; nobody has checked them. */
  reported: number
  lastReport: string
}

export interface PluginAdmin {
  list(): PluginRow[]
  /**
   * Switches a plugin; resolves when the next request sees it.
   * @throws `error.plugin.switches_others` (data names them) unless `confirm` is the current epoch.
   */
  switch(slug: string, on: boolean, confirm?: number): Promise<void>
  readonly epoch: number
  config(slug: string): ConfigForm
  saveConfig(slug: string, values: Record<string, unknown>): Promise<void>
  /** Completes the installation: kernel tables, configuration file, first admin. Used by an installer. */
  readonly setup: Setup
}

export interface ConfigForm {
  slug: string
  fields: ConfigField[]
}

export interface Setup {
  /** Stands in the log until the site is set up: who knows it may do that from elsewhere. */
  readonly code: string
  state(): { configured: boolean; connected: boolean; installed: boolean }
  check(database: DatabaseChoice): Promise<void>
  /** Writes `<data>/config.json`, opens the database and runs migrations. */
  init(database: DatabaseChoice): Promise<void>
  /** Stores the site and its first admin once; @throws `error.install.already_installed` for the second. */
  finish(values: SetupValues): Promise<void>
}

export interface DatabaseChoice {
  type: 'sqlite3' | 'postgres'
  file?: string
  host?: string
  user?: string
  password?: string
  name?: string
}

export interface SetupValues {
  language: string
  siteName: string
  siteUrl: string
  contactEmail: string
  adminName: string
  adminEmail: string
  adminPassword: string
  loginRequired: boolean
  /** Further values, handed to `kernelHooks.installed` taps. */
  extra: Record<string, unknown>
}
