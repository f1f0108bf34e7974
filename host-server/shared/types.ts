import type { BuildFacts, Contributions, Manifest } from '@stoa/sdk/manifest'
import type { Migration, Reads, ServerPlugin } from '@stoa/sdk/server'

export type { BuildFacts }

export interface BuiltManifest extends Manifest {
  contributes: Contributions
  build: BuildFacts
}

/** A folder that was read and checked; its code has not run. */
export interface DiscoveredPlugin {
  manifest: BuiltManifest
  /** Absolute folder. */
  folder: string
  /** Digest of names and contents of all files, in hex. */
  files: string
  /** 32 hex characters: digest of what browsers are told of it, `files` included. Part of every public address of its files. */
  generation: string
  origin: 'bundled' | 'installed'
  /** Name of its folder in the store of versions; absent for what came with the site and for folders that were only found. */
  key?: string
}

/** `locales/<code>.json`: two branches; `web` may nest (i18next), `server` is flat. */
export interface LocaleFile {
  web?: Record<string, unknown>
  server?: Record<string, string>
}

/** Code of a plugin after loading. */
export interface LoadedCode {
  server: ServerPlugin | null
  reads: Reads | null
  migrations: (Migration & { name: string })[]
}

/** What is on, as one immutable value that is replaced by assignment. */
export interface PluginSet {
  epoch: number
  /** Dependency order: providers first. */
  plugins: readonly DiscoveredPlugin[]
}

/** @param slug whose matter it is: a plugin's, or `kernel` */
export type LogFunction = (level: 'info' | 'warn' | 'error', slug: string, message: string, details?: object) => void
