import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { isCodedError } from '@stoa/sdk'
import { Cuts, packageErrors, pluginErrors } from '@stoa/sdk/kernel'
import type { Without } from '@stoa/sdk/manifest'
import type { Config } from '../config.ts'
import type { KernelData } from '../data/index.ts'
import { openData } from '../data/index.ts'
import { acting } from '../data/site/acting.ts'
import type { PluginChange, Quarantine, StoredPlugins } from '../data/site/plugin-states.ts'
import { configuredDatabase, defaultDatabase } from '../data/site/setup.ts'
import type { Found, PluginRoot } from '../kernel/packages/scan-folders.ts'
import { FolderScanner } from '../kernel/packages/scan-folders.ts'
import type { PackageStore } from '../kernel/packages/store.ts'
import { createPackageStore } from '../kernel/packages/store.ts'
import type { Versions } from '../kernel/packages/versions.ts'
import { droppedIn, ownedSlugs, slugsOf, versionsOf } from '../kernel/packages/versions.ts'
import { lastOfKind } from '../kernel/plugin-set/last-of-kind.ts'
import { consequences } from '../kernel/plugin-set/resolve.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import type { BuildFolders } from './site-folders.ts'
import { packageMemoryIn } from './site-folders.ts'

/** A sentence for whoever typed the command; nothing was changed. */
export class CommandError extends Error {}

/** An argument that the command does not know. */
export class UsageError extends CommandError {}

/** How long a site may take to carry out what was decided, and to show that it is there at all. */
const CARRY_OUT_MS = 60_000
const SIGN_OF_LIFE_MS = 5_000

export interface ListedPlugin {
  slug: string
  version: string
  state: 'on' | 'off' | 'failed' | 'quarantined'
  essential: boolean
  origin: 'bundled' | 'installed'
  reason: string
  /** Versions that `rollback` leads to, newest first. */
  before: string[]
  /** Contracts of which another version is on than it was built for. */
  without: Without[]
}

/** The plugins of a site as they lie on disk and in the database. Runs no plugin and needs no running site; one that runs follows. */
export class Operator {
  readonly data: KernelData
  readonly store: PackageStore
  /** Slugs that no package from outside may newly take. */
  readonly reserved: ReadonlySet<string>
  readonly #scanner: FolderScanner
  #found!: Found
  #stored!: StoredPlugins
  #held = new Map<string, Quarantine>()

  private constructor(data: KernelData, store: PackageStore, scanner: FolderScanner, reserved: ReadonlySet<string>) {
    this.data = data
    this.store = store
    this.reserved = reserved
    this.#scanner = scanner
  }

  /** @param built see {@link buildFolders}. @param reserved see {@link reserved}. @throws CommandError where there is no site */
  static async open(config: Config, built: BuildFolders, reserved: readonly string[]): Promise<Operator> {
    const target = configuredDatabase(config.dataDir, config.databaseUrl) ?? defaultDatabase(config.dataDir)
    if (target.dialect === 'sqlite' && !existsSync(target.file))
      throw new CommandError(`STOA_DATA is "${config.dataDir}", where there is no site yet; start it once, or name the directory of one.`)
    if (!existsSync(built.plugins)) throw new CommandError('The plugins are not built: run "npm run build" first.')
    const data = await openData({
      dataDir: config.dataDir,
      ...(config.databaseUrl && { databaseUrl: config.databaseUrl }),
      ...(config.siteUrl && { siteUrl: config.siteUrl }),
      ...(config.smtpUrl && { smtpUrl: config.smtpUrl }),
      passive: true,
      log: (level, message) => level === 'error' && console.error(message),
    })
    const installed = join(config.dataDir, 'plugins')
    const roots: PluginRoot[] = [
      { folder: built.plugins, origin: 'bundled' },
      { folder: installed, origin: 'installed' },
    ]
    const kept = new Set(reserved)
    const operator = new Operator(data, createPackageStore(installed), new FolderScanner(roots, kept, packageMemoryIn(built)), kept)
    await operator.look()
    return operator
  }

  async look(): Promise<void> {
    this.#stored = await this.data.plugins.load()
    this.#found = this.#scanner.scan(ownedSlugs(this.#stored.packages))
    this.#held = new Map((await this.data.plugins.quarantines()).map((held) => [held.slug, held]))
  }

  /** The version of a plugin that is in quarantine. */
  heldVersion(slug: string): Quarantine | undefined {
    return this.#held.get(slug)
  }

  /** There is something of it on the disk, even if it cannot be used. */
  isKnown(slug: string): boolean {
    return slugsOf(this.#found).includes(slug) || this.#found.broken.some((entry) => entry.slug === slug)
  }

  get stored(): StoredPlugins {
    return this.#stored
  }

  versions(slug: string): Versions {
    return versionsOf(this.#found, slug, this.#stored.packages.get(slug))
  }

  /** Folders that the plugin was dropped in. */
  dropped(slug: string): string[] {
    return droppedIn(this.#found, slug)
  }

  lying(slug: string): DiscoveredPlugin | undefined {
    return this.#found.dropped.find((plugin) => plugin.manifest.slug === slug)
  }

  isInstalled(slug: string): boolean {
    return this.dropped(slug).length > 0 || this.#found.kept.some((plugin) => plugin.manifest.slug === slug)
  }

  plugins(): DiscoveredPlugin[] {
    return slugsOf(this.#found).flatMap((slug) => {
      const { chosen, offered } = this.versions(slug)
      return offered ?? chosen ?? []
    })
  }

  /** @throws CommandError */
  find(slug: string): DiscoveredPlugin {
    const plugin = this.plugins().find(({ manifest }) => manifest.slug === slug)
    if (plugin) return plugin
    const broken = this.#found.broken.find((entry) => entry.slug === slug)
    throw new CommandError(
      broken ? `${slug} cannot be used: ${broken.problem.message}` : `There is no plugin named "${slug}"; "stoa list" names all.`,
    )
  }

  isOn({ manifest: { slug, startsOff } }: DiscoveredPlugin): boolean {
    return this.#stored.enabled.get(slug) ?? (this.versions(slug).bundled !== undefined && !startsOff)
  }

  list(): ListedPlugin[] {
    const cuts = new Cuts(this.plugins().flatMap((plugin) => (this.isOn(plugin) ? [plugin.manifest] : [])))
    const rows = this.plugins().map((plugin): ListedPlugin => {
      const { slug, version, essential = false } = plugin.manifest
      const { missing, before, chosen } = this.versions(slug)
      const held = this.#held.get(slug)
      const isHeld = held !== undefined && [plugin.generation, chosen?.generation].includes(held.generation)
      const absent = missing === undefined ? '' : packageErrors.absent({ version: missing }).message
      const reason = (isHeld ? held.problem.message : undefined) ?? this.#stored.reasons.get(slug) ?? absent
      const on = this.isOn(plugin)
      // A reason beside a version that runs is about another one that did not take over.
      const runs = on && !isHeld && (reason === '' || reason.startsWith('Version '))
      return {
        slug,
        version,
        state: isHeld && on ? 'quarantined' : runs ? 'on' : reason ? 'failed' : 'off',
        essential,
        origin: plugin.origin,
        reason: reason || (this.#found.broken.find((entry) => entry.slug === slug)?.problem.message ?? ''),
        without: runs ? cuts.without(slug) : [],
        before: before.map(({ manifest }) => manifest.version),
      }
    })
    const broken = this.#found.broken
      .filter(({ slug }) => !rows.some((row) => row.slug === slug))
      .map(
        ({ slug, problem, origin }): ListedPlugin => ({
          ...{ slug, origin, version: '', state: 'failed', essential: false, before: [], without: [] },
          reason: problem.message,
        }),
      )
    return [...rows, ...broken].sort((a, b) => a.slug.localeCompare(b.slug))
  }

  /** @throws CommandError for a slug that no package from outside may newly take; nothing of the package stays then */
  async refuseReserved(slug: string, name: string): Promise<void> {
    const { chosen = '', history = [], ownsSlug = false } = this.#stored.packages.get(slug) ?? {}
    if (!this.reserved.has(slug) || ownsSlug || this.versions(slug).bundled) return
    await this.store.prune(slug, new Set([chosen, ...history]))
    throw new CommandError(`${name} was refused: ${packageErrors.reserved({ slug }).message}.`)
  }

  /** What a switch takes along. */
  consequences(slug: string, on: boolean): { alsoOn: string[]; alsoOff: string[] } {
    const all = this.plugins()
    const now = new Set(all.filter((plugin) => this.isOn(plugin)).map(({ manifest }) => manifest.slug))
    return consequences(all, now, slug, on)
  }

  /** @throws `error.plugin.last_of_kind` */
  refuseLastOfKind(leaving: readonly string[], coming: readonly string[] = []): void {
    const on = this.plugins().filter((plugin) => this.isOn(plugin))
    const last = lastOfKind(
      on,
      leaving,
      coming.map((slug) => this.find(slug)),
    )
    if (last) throw pluginErrors.last_of_kind(last)
  }

  /**
   * Stores a decision; `decide` is asked again when another process was faster. Waits until the sites that run have carried it out.
   * @returns how many have; 0: it counts from the next start on
   */
  async decide(decide: () => PluginChange | Promise<PluginChange>): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      await this.look()
      try {
        const change = await decide()
        const by = { way: 'command', personId: 0 } as const
        return await this.#followed(await acting.as(by, () => this.data.plugins.save(this.#stored.epoch, change)))
      } catch (error) {
        if (!isCodedError(error) || error.code !== 'error.plugin.busy' || attempt === 5) throw error
        await delay(300)
      }
    }
  }

  async #followed(epoch: number): Promise<number> {
    const started = performance.now()
    for (;;) {
      const alive = await this.data.nodes.alive()
      const late = alive.filter((node) => node.epoch < epoch)
      const waited = performance.now() - started
      // Of another machine nobody knows whether it still runs.
      const isHopeless = late.every(({ host }) => host !== hostname()) && waited > SIGN_OF_LIFE_MS
      if (late.length === 0 || isHopeless || waited > CARRY_OUT_MS) {
        await this.look()
        return alive.length - late.length
      }
      await delay(100)
    }
  }

  close(): Promise<void> {
    return this.data.close()
  }
}
