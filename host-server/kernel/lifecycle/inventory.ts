import { packageErrors } from '@stoa/sdk/kernel'
import type { PackageState, PluginChange, StoredPlugins } from '../../data/site/plugin-states.ts'
import { noPackage } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { BrokenPlugin, Found } from '../packages/scan-folders.ts'
import { FolderScanner } from '../packages/scan-folders.ts'
import type { Versions } from '../packages/versions.ts'
import { ownedSlugs, slugsOf, versionsOf } from '../packages/versions.ts'
import type { ActiveSet } from '../plugin-set/active-set.ts'
import type { View } from '../runtime/view.ts'
import type { LifecycleOptions } from './lifecycle-options.ts'
import { Quarantines } from './quarantine.ts'

/** What there is, each plugin in the version that runs or would. */
export interface Discovery {
  plugins: DiscoveredPlugin[]
  broken: BrokenPlugin[]
}

/** What lies on disk, what is decided about it as the database has it, and why some of it does not run. */
export class Inventory {
  readonly #options: LifecycleOptions
  readonly #activeSet: ActiveSet
  readonly #scanner: FolderScanner
  #found: Found = { bundled: [], dropped: [], kept: [], broken: [] }
  #stored: StoredPlugins = { epoch: 0, enabled: new Map(), reasons: new Map(), packages: new Map(), safeMode: false }
  #survey: (Discovery & { view: View }) | undefined
  /** Why a plugin, or a new version of it, does not run. */
  readonly reasons = new Map<string, string>()
  readonly quarantines: Quarantines

  constructor(options: LifecycleOptions, activeSet: ActiveSet) {
    this.#options = options
    this.#activeSet = activeSet
    this.#scanner = new FolderScanner(options.roots, options.reserved, options.packageMemory)
    this.quarantines = new Quarantines(options.data.plugins)
  }

  get stored(): Readonly<StoredPlugins> {
    return this.#stored
  }

  get found(): Readonly<Found> {
    return this.#found
  }

  /** What the lists show: what runs, else what would. */
  get discovery(): Discovery {
    const { view, plugins } = this.#activeSet
    if (this.#survey?.view !== view) {
      const off = this.slugs().flatMap((slug) => {
        if (this.#activeSet.running(slug)) return []
        const { chosen, offered } = this.versions(slug)
        return offered ?? chosen ?? []
      })
      this.#survey = { view, plugins: [...plugins, ...off], broken: [...this.#found.broken, ...this.absent()] }
    }
    return this.#survey
  }

  /** Plugins of which this node does not have the version that is chosen; another one runs, or none. */
  absent(): BrokenPlugin[] {
    const broken = new Set(this.#found.broken.flatMap(({ slug, origin }) => (origin === 'installed' ? [slug] : [])))
    return [...this.#stored.packages.keys()].flatMap((slug) => {
      const { missing, chosen } = this.versions(slug)
      if (missing === undefined || broken.has(slug) || (!chosen && !this.#stored.enabled.get(slug))) return []
      const instead = chosen?.manifest.version
      const problem =
        instead === undefined ? packageErrors.absent({ version: missing }) : packageErrors.stood_in({ version: missing, instead })
      return { slug, problem, origin: 'installed' as const }
    })
  }

  /** Every slug that counts for this process. */
  slugs(): string[] {
    const { only, leaveOut } = this.#options
    return slugsOf(this.#found).filter((slug) => !leaveOut?.includes(slug) && (!only || only.includes(slug)))
  }

  find(slug: string): DiscoveredPlugin | undefined {
    return this.discovery.plugins.find((plugin) => plugin.manifest.slug === slug)
  }

  versions(slug: string): Versions {
    return versionsOf(this.#found, slug, this.#stored.packages.get(slug))
  }

  state(slug: string): PackageState {
    return this.#stored.packages.get(slug) ?? noPackage
  }

  /** Whether a plugin should be on, as far as is decided. */
  isWanted({ manifest: { slug, startsOff } }: DiscoveredPlugin): boolean {
    return this.#stored.enabled.get(slug) ?? (this.comesWithSite(slug) && !startsOff)
  }

  comesWithSite(slug: string): boolean {
    return this.#found.bundled.some((plugin) => plugin.manifest.slug === slug)
  }

  /** The folder that was dropped with this plugin in it. */
  droppedFolder(slug: string): DiscoveredPlugin | undefined {
    return this.#found.dropped.find((plugin) => plugin.manifest.slug === slug)
  }

  /** Looks at the disk: finds what was put there since, changes nothing of what runs. */
  rescan(): void {
    this.#found = this.#scanner.scan(ownedSlugs(this.#stored.packages))
    this.#survey = undefined
  }

  /** What came with the site under this slug is read again at the next look. */
  renew(slug: string): void {
    this.#scanner.renew(slug)
  }

  /** Takes over what the database has, reasons included, and looks at the disk. */
  async adopt(stored: StoredPlugins): Promise<void> {
    this.#stored = stored
    await this.quarantines.load()
    this.rescan()
    this.reasons.clear()
    for (const [slug, reason] of stored.reasons) this.reasons.set(slug, reason)
  }

  /** Stores a decision that changes nothing of what runs here. @throws `error.plugin.busy` */
  async save(change: PluginChange): Promise<void> {
    this.absorb(await this.#options.data.plugins.save(this.#stored.epoch, change), change)
  }

  /** A decision was stored under `epoch`. */
  absorb(epoch: number, { enabled = new Map(), packages = new Map(), reasons = new Map(), safeMode }: PluginChange): void {
    const before = this.#stored
    this.#stored = {
      epoch,
      enabled: new Map([...before.enabled, ...enabled]),
      packages: new Map([...before.packages, ...packages]),
      reasons: new Map([...before.reasons, ...reasons]),
      safeMode: safeMode ?? before.safeMode,
    }
    for (const [slug, reason] of reasons) if (reason === '') this.reasons.delete(slug)
    this.#survey = undefined
  }

  /** Remembers a folder's verdict; nothing of what runs changes by it, so the epoch stays. */
  async note(slug: string, state: PackageState): Promise<void> {
    this.#stored = { ...this.#stored, packages: new Map(this.#stored.packages).set(slug, state) }
    this.#survey = undefined
    await this.#options.data.plugins.note(slug, state)
  }

  /** A plugin, or a new version of it, could not start: the lists and the log say why. */
  fail(slug: string, reason: string, error?: unknown): void {
    this.reasons.set(slug, reason)
    this.#options.data.plugins.setReason(slug, reason).catch(() => undefined)
    this.#options.log('error', slug, `Did not start: ${reason}`, error instanceof Error && error.stack ? { stack: error.stack } : undefined)
  }

  /** What was said about a plugin is not true any more. */
  async forgive(slug: string): Promise<void> {
    this.reasons.delete(slug)
    await this.#options.data.plugins.setReason(slug, '')
  }
}
