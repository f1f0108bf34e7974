import type { ConfigField, Without } from '../shared/manifest.ts'

export type * from './measures.ts'
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
  /** Files of its own that a browser may fetch: scripts and styles. */
  webFiles: number
  load: PluginLoad
  adds: { pages: string[]; slots: string[]; services: string[]; hooks: string[]; calls: string[]; contracts: string[] }
  /** Contracts that it works without while it is on, because another version of them is on than the one it was built for. */
  without: Without[]
  faults: FaultSummary
}

/** What the calls of a plugin have cost since the process started. */
export interface PluginLoad {
  requests: number
  /** Of them, those that ended in an error of the server's. */
  failed: number
  /** Milliseconds from the arrival of each request to the end of its reply, all together, and the longest. */
  ms: number
  slowest: number
}

/** One decision about a plugin. */
export interface SwitchRecord {
  id: number
  /** Unix seconds. */
  at: number
  epoch: number
  /** Empty for safe mode. */
  slug: string
  deed: 'on' | 'off' | 'version' | 'removed' | 'safe_on' | 'safe_off'
  /** Of `version`: the one that runs since; empty for what comes with the site. */
  version: string
  /** It went along with this plugin; empty where it was decided about by itself. */
  cause: string
  /** Where it was decided: the site's pages, the page for emergencies, the command line; empty: by the site itself. */
  way: 'page' | 'rescue' | 'command' | ''
  /** 0: nobody is known. */
  personId: number
  /** What that person logs in with; empty for nobody, and for somebody who is gone. */
  login: string
}

/** What somebody should know before plugins are switched. */
export interface SwitchNote {
  /** Text key of the `server` branch of a plugin that is on: a whole sentence. */
  text: string
  params?: Record<string, unknown>
  /** The switch is not made as long as this is so; without it, somebody has to agree. `/rescue` and the command line go on nevertheless. */
  refuses?: boolean
}

/** What applying a file of a set would change, by slug. */
export interface PluginSetPlan {
  epoch: number
  on: string[]
  off: string[]
  alsoOn: string[]
  alsoOff: string[]
  /** `title`: text key of the plugin. */
  settings: { slug: string; fields: { name: string; title: string; from: unknown; to: unknown }[] }[]
  missing: { slug: string; version: string; enabled: boolean }[]
  otherVersions: { slug: string; asked: string; here: string }[]
  notes: SwitchNote[]
  /** While there is one the file is not applied. `setting`: `field` and `text` are text keys. */
  problems: { code: 'essential' | 'unmet' | 'setting'; slug: string; field?: string; text?: string }[]
}

/** The whole set of plugins as a file. */
export interface PluginSets {
  export(): unknown
  /** @throws an error of `pluginSetErrors` for what is no such file */
  plan(file: unknown): Promise<PluginSetPlan>
  /**
   * All of it or nothing. @param confirm epoch of the plan. @param withoutMissing although plugins that should be on are not on this site
   * @throws an error of `pluginSetErrors`, `pluginErrors`
   */
  apply(file: unknown, confirm: number, withoutMissing: boolean): Promise<void>
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
   * `along`: further plugins that go on with it.
   */
  switch(slug: string, on: boolean, confirm?: number, along?: readonly string[]): Promise<void>
  /** Decisions about one plugin, or all, newest first. */
  history(query: { slug?: string | undefined; offset: number; limit: number }): Promise<{ count: number; list: SwitchRecord[] }>
  /** By plugin that is off: what went off along with it and has not been switched since. */
  wentAlong(): Promise<ReadonlyMap<string, readonly string[]>>
  readonly sets: PluginSets
  /** Name and description in a language, whether it is on or not; the slug where it has none. */
  describe(slug: string, language: string): { name: string; description: string }
  /** Text of the sheets that it contributes to every page, whether it is on or not. */
  styles(slug: string): string
  readonly epoch: number
  config(slug: string): ConfigForm
  /**
   * @param insist also with values that do not work
   * @throws fields that are wrong; `error.plugin.does_not_work` with the fields
   */
  saveConfig(slug: string, values: Record<string, unknown>, insist?: boolean): Promise<void>
  /** Tries values that are not saved. @throws as {@link saveConfig} */
  testConfig(slug: string, values: Record<string, unknown>): Promise<void>
  /** Completes the installation: kernel tables, configuration file, first admin. Used by an installer. */
  readonly setup: Setup
}

export interface ConfigForm {
  slug: string
  /** The plugin is on and can tell whether values work. */
  hasTest: boolean
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
