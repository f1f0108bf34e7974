import type { CodedError } from '@stoa/sdk'
import { pluginErrors, pluginProblems } from '@stoa/sdk/server'
import semver from 'semver'
import type { KernelData } from '../data/index.ts'
import type { PackageState, PluginChange, StoredPlugins } from '../data/plugin-states.ts'
import { noPackage } from '../data/plugin-states.ts'
import type { DiscoveredPlugin } from '../types.ts'
import { Refused } from './archive.ts'
import type { AssembleOptions, Assembly } from './assemble.ts'
import { assemble } from './assemble.ts'
import type { BrokenPlugin, Found, PluginRoot } from './discover.ts'
import { Shelf } from './discover.ts'
import { loadBundle } from './load-code.ts'
import { Misfit } from './misfit.ts'
import type { PackageStore } from './package-store.ts'
import { Quarantines } from './quarantine.ts'
import { consequences, providersFor } from './resolve.ts'
import type { Router } from './router.ts'
import { buildRouter } from './router.ts'
import { localeOf } from './texts.ts'
import type { Versions } from './versions.ts'
import { chosenNow, rolledBack, slugsOf, versionsOf } from './versions.ts'
import type { Running } from './view.ts'
import { View } from './view.ts'

/** How long requests of the set before may go on after a switch, in milliseconds. */
const DRAIN_MS = 15_000

export interface LifecycleOptions extends AssembleOptions {
  roots: PluginRoot[]
  store: PackageStore
  data: KernelData
  /** Slugs that are treated as not there, and if given the only ones that are. For tests. */
  leaveOut?: string[]
  only?: string[]
  /** The same for a set that only some see. */
  prepareSafe(view: View): Promise<void>
  /** The set was replaced. */
  onSwitch(view: View): void
  log(level: 'info' | 'warn' | 'error', slug: string, message: string, details?: object): void
}

/** What there is, each plugin in the version that runs or would. */
export interface Discovery {
  plugins: DiscoveredPlugin[]
  broken: BrokenPlugin[]
}

/** Another view of what runs, for some only. */
export interface SafeView extends Assembly {
  /** What everybody else sees; whoever holds the view holds it too. */
  base: View
  /** Plugins that run for this view alone. */
  own: Running[]
}

/** A version that could not be part of the set, while the stored decisions were carried out. */
interface Failure {
  plugin: DiscoveredPlugin
  reason: string
}

/**
 * Finds, orders, starts, stops and swaps plugins. One change at a time, each built beside the present set and put in its place when it stands.
 * What is decided lies in the database; decisions of other processes are followed.
 */
export class Lifecycle {
  readonly #options: LifecycleOptions
  readonly #shelf: Shelf
  #found: Found = { bundled: [], dropped: [], kept: [], broken: [] }
  #discovery: Discovery = { plugins: [], broken: [] }
  #stored: StoredPlugins = { epoch: 0, enabled: {}, reasons: {}, packages: {}, safeMode: false }
  #view: View
  #router: Router
  /** Why a plugin, or a new version of it, does not run. */
  readonly reasons = new Map<string, string>()
  /** Archives that were not taken: file name → reason. */
  readonly refused = new Map<string, string>()
  readonly #quarantines: Quarantines
  #queue: Promise<unknown> = Promise.resolve()
  readonly #retiring = new Set<Promise<void>>()
  #unfollow = () => {}
  #closed = false
  #safe: SafeView | undefined

  constructor(options: LifecycleOptions) {
    this.#options = options
    this.#shelf = new Shelf(options.roots)
    this.#quarantines = new Quarantines(options.data.plugins)
    this.#view = new View(0, [options.kernel], options.taps)
    this.#router = buildRouter([options.kernel])
  }

  get view(): View {
    return this.#view
  }
  get router(): Router {
    return this.#router
  }
  get epoch(): number {
    return this.#stored.epoch
  }
  get discovery(): Discovery {
    return this.#discovery
  }
  get safeMode(): boolean {
    return this.#stored.safeMode
  }

  find(slug: string): DiscoveredPlugin | undefined {
    return this.#discovery.plugins.find((plugin) => plugin.manifest.slug === slug)
  }

  versions(slug: string): Versions {
    return versionsOf(this.#found, slug, this.#stored.packages[slug])
  }

  /** Whether a plugin should be on, as far as is decided. */
  isWanted(plugin: DiscoveredPlugin): boolean {
    return this.#stored.enabled[plugin.manifest.slug] ?? (this.#comesWithSite(plugin.manifest.slug) && !plugin.manifest.startsOff)
  }

  /** `web` texts of an active plugin. */
  webTexts(slug: string, language: string): Record<string, unknown> | undefined {
    const plugin = this.#view.plugins.find((running) => running.manifest.slug === slug)
    return plugin && localeOf(plugin, language).web
  }

  /** Looks at the disk: finds what was put there since, changes nothing of what runs. */
  rediscover(): void {
    this.#found = this.#shelf.look()
    this.#survey()
  }

  /** First start: whatever should be on and can be. What cannot is left out with its reason. */
  async start(): Promise<void> {
    await this.#options.store.clean()
    this.#stored = await this.#options.data.plugins.load()
    this.rediscover()
    for (const broken of this.#discovery.broken) this.#options.log('error', broken.slug, `This plugin cannot be used: ${broken.reason}`)
    for (const [slug, reason] of Object.entries(this.#stored.reasons)) this.reasons.set(slug, reason)
    await this.#quarantines.load()
    await this.#reach(new Set(), true)
    await this.#options.data.plugins.arrive(this.epoch)
    this.#unfollow = this.#options.data.plugins.onChange(() => this.#queued(() => this.#follow()))
  }

  /** What a switch would take along. */
  consequences(slug: string, on: boolean): { alsoOn: string[]; alsoOff: string[] } {
    const plugin = this.find(slug)
    const running = new Set(this.#view.plugins.map((entry) => entry.manifest.slug))
    if (!plugin || running.has(slug) === on) return { alsoOn: [], alsoOff: [] }
    const { alsoOn, alsoOff } = consequences(this.#discovery.plugins, running, slug, on)
    return { alsoOn, alsoOff: [...new Set([...alsoOff, ...(on ? this.#rivals(plugin) : [])])] }
  }

  /**
   * Switches one plugin and, once `confirm` names the present epoch, those that depend on it. `force`: what is essential too, unasked.
   * Resolves when the next request sees the change. @throws an error of `pluginErrors`; nothing has changed then.
   */
  switch(slug: string, on: boolean, confirm?: number, force = false): Promise<void> {
    return this.#queued(() => this.#switch(slug, on, confirm, force))
  }

  /**
   * Unpacks an archive into the store; a plugin that runs is replaced by it, another one is listed.
   * @param named somebody chose this very version: it stays, even beside a newer one that comes with the site
   * @throws `error.plugin.refused`, `error.plugin.start_failed`; what runs is untouched then
   */
  install(file: string, named: boolean): Promise<DiscoveredPlugin> {
    return this.#queued(async () => {
      let plugin: DiscoveredPlugin
      try {
        plugin = await this.#options.store.unpack(file)
      } catch (error) {
        if (error instanceof Refused) throw pluginErrors.refused({ reason: error.message })
        throw error
      }
      const { slug, version } = plugin.manifest
      try {
        const own = this.versions(slug).bundled
        if (own && !named && !semver.gt(version, own.manifest.version))
          throw pluginErrors.refused({
            reason: `Version ${own.manifest.version} of ${slug} comes with the site; ${version} is not newer and has to be installed by name`,
          })
        this.rediscover()
        await this.#adopt(plugin, { pinned: named })
      } finally {
        await this.#prune(slug)
      }
      return plugin
    })
  }

  /** Goes back to the version that ran before. @throws `error.plugin.nothing_before`, `error.plugin.contracted` */
  rollback(slug: string): Promise<void> {
    return this.#queued(async () => {
      const { before } = this.versions(slug)
      const state = this.#stored.packages[slug] ?? noPackage
      const [target] = before
      if (!this.find(slug)) throw pluginErrors.not_found({ slug })
      if (!target) throw pluginErrors.nothing_before({ slug })
      await this.#refuseContracted(target)
      await this.#put(slug, target, rolledBack(state, target, this.#lying(slug)))
    })
  }

  /**
   * Takes an installed plugin away, back to the version that comes with the site if there is one. Its data stays.
   * @throws as `switch` does where others depend on it; `error.plugin.not_installed`
   */
  remove(slug: string, confirm?: number, force = false): Promise<void> {
    return this.#queued(async () => {
      this.rediscover()
      const dropped = this.#found.dropped.filter((plugin) => plugin.manifest.slug === slug)
      const kept = this.#found.kept.filter((plugin) => plugin.manifest.slug === slug)
      if (dropped.length + kept.length === 0)
        throw this.find(slug) ? pluginErrors.not_installed({ slug }) : pluginErrors.not_found({ slug })
      const { bundled } = this.versions(slug)
      const running = this.#running(slug)
      if (running?.origin === 'installed' && bundled) {
        await this.#refuseContracted(bundled)
        await this.#put(slug, bundled, noPackage)
      } else {
        if (running && !bundled) await this.#switch(slug, false, confirm, force)
        await this.#save({ packages: { [slug]: noPackage }, reasons: { [slug]: '' }, ...(!bundled && { enabled: { [slug]: false } }) })
      }
      await this.#options.store.remove(
        slug,
        dropped.map((plugin) => plugin.folder),
      )
      this.reasons.delete(slug)
      this.rediscover()
    })
  }

  /** Deletes what a plugin has stored, for good. @throws `error.plugin.still_on` */
  eraseData(slug: string): Promise<void> {
    return this.#queued(async () => {
      if (this.#running(slug)) throw pluginErrors.still_on({ slug })
      if (!this.find(slug) && !this.#stored.packages[slug]) throw pluginErrors.not_found({ slug })
      await this.#options.data.erase(slug)
      this.#options.log('info', slug, 'Its data was deleted')
    })
  }

  /** Runs nothing but what comes with the site, for everybody, until it is switched off again. */
  setSafeMode(on: boolean): Promise<void> {
    return this.#queued(async () => {
      if (this.#stored.safeMode === on) return
      await this.#save({ safeMode: on })
      await this.#reach(new Set(), false)
      await this.#options.data.plugins.arrive(this.epoch)
    })
  }

  /** What an admin in safe mode sees: what comes with the site, as far as it is on. Built when it is first asked for. */
  async safeView(): Promise<SafeView> {
    return (
      this.#safe ??
      this.#queued(async () => {
        this.#safe ??= await this.#buildSafe()
        return this.#safe
      })
    )
  }

  async #buildSafe(): Promise<SafeView> {
    const base = this.#view
    const wanted = new Map<string, DiscoveredPlugin>()
    for (const { manifest } of base.plugins) {
      const { bundled } = this.versions(manifest.slug)
      if (bundled && (await this.#contracted(bundled)) === undefined) wanted.set(manifest.slug, bundled)
    }
    const there = new Set(base.plugins)
    const options = { ...this.#options, prepareSet: this.#options.prepareSafe }
    for (;;) {
      try {
        const assembly = await assemble([...wanted.values()], this.epoch, base.plugins, there, options)
        return { ...assembly, base, own: [...there].filter((plugin) => !base.plugins.includes(plugin)) }
      } catch (error) {
        if (error instanceof Misfit && wanted.delete(error.slug)) continue
        await this.#stopUnused(there)
        throw error
      }
    }
  }

  /** The safe view of a set goes when the set goes; its requests hold the set too. */
  async #dropSafe(safe: SafeView | undefined): Promise<void> {
    if (!safe) return
    for (const plugin of safe.own) await plugin.stop()
    this.#options.onRetired(safe.view)
  }

  /** Takes over folders that changed, of plugins that should run. `isReady`: nobody writes into this folder any more. */
  takeFolders(isReady: (folder: string) => boolean): Promise<void> {
    return this.#queued(async () => {
      this.rediscover()
      for (const slug of slugsOf(this.#found)) {
        const { offered } = this.versions(slug)
        if (!offered || !isReady(offered.folder) || !(this.#running(slug) || (this.isWanted(offered) && this.reasons.has(slug)))) continue
        await this.#adoptFolder(offered).catch(() => undefined)
      }
    })
  }

  /** Replaces a plugin by what lies in its folder now. @throws `error.plugin.start_failed`; the old one goes on then */
  reload(slug: string): Promise<void> {
    return this.#queued(async () => {
      this.#shelf.renew(slug)
      this.rediscover()
      const running = this.#running(slug)
      const lying = [...this.#found.bundled, ...this.#found.dropped].find((plugin) => plugin.manifest.slug === slug)
      if (!running || !lying || lying.generation === running.generation) return
      if (lying.origin === 'bundled') await this.#put(slug, lying, this.#stored.packages[slug] ?? noPackage)
      else await this.#adoptFolder(lying)
    })
  }

  /** Ends everything, last started first. */
  async stop(): Promise<void> {
    this.#closed = true
    this.#unfollow()
    await this.#queue
    await Promise.all(this.#retiring)
    await this.#view.drained(DRAIN_MS)
    await this.#dropSafe(this.#safe)
    for (const plugin of [...this.#view.plugins].reverse()) await plugin.stop()
  }

  /** Why a plugin that is switched on does not run; undefined for all others. */
  problem(slug: string): CodedError | undefined {
    const plugin = this.find(slug)
    if (!plugin || this.#running(slug) || !this.isWanted(plugin)) return undefined
    const cause = this.#waitsFor(slug)
    return this.#quarantines.problem(slug) ?? (cause === undefined ? undefined : pluginProblems.needs_quarantined({ slug: cause }))
  }

  isQuarantined(slug: string): boolean {
    return this.#quarantines.has(slug)
  }

  /**
   * Takes a running plugin out of service until somebody switches it on again; those that need it go with it and come back with it.
   * What the site cannot do without is started again instead. The reason survives a restart.
   */
  quarantine(slug: string, problem: CodedError): Promise<void> {
    return this.#queued(async () => {
      const plugin = this.#running(slug)
      if (!plugin) return
      const running = new Set(this.#view.plugins.map(({ manifest }) => manifest.slug))
      const others = consequences(this.#discovery.plugins, running, slug, false).alsoOff
      const off = [slug, ...others]
      if (!this.#mayGo(off)) {
        this.#options.log('error', slug, `Starts again, since the site needs it: ${problem.message}`)
        const staying = this.#view.plugins.filter((entry) => entry !== plugin)
        return await this.#change(slug, staying, [plugin], {})
      }
      this.#options.log('error', slug, `Quarantined: ${problem.message}`, others.length > 0 ? { also_off: others } : undefined)
      await this.#quarantines.hold(plugin, problem)
      const staying = this.#view.plugins.filter((entry) => !off.includes(entry.manifest.slug))
      await this.#change(slug, staying, [], { paused: off })
    })
  }

  #mayGo(slugs: readonly string[]): boolean {
    if (slugs.some((slug) => this.find(slug)?.manifest.essential)) return false
    try {
      this.#keepLastOfKind(slugs, [])
      return true
    } catch {
      return false
    }
  }

  /** The plugin in quarantine that a switched-on one needs, directly or through others. */
  #waitsFor(slug: string, asked = new Set<string>()): string | undefined {
    const plugin = this.find(slug)
    if (!plugin || asked.has(slug) || !this.isWanted(plugin) || this.#running(slug)) return undefined
    asked.add(slug)
    for (const providers of providersFor(plugin, this.#discovery.plugins)) {
      const slugs = providers.map(({ manifest }) => manifest.slug)
      if (slugs.some((other) => this.#running(other))) continue
      const cause = slugs.find((other) => this.#quarantines.has(other)) ?? slugs.map((other) => this.#waitsFor(other, asked)).find(Boolean)
      if (cause !== undefined) return cause
    }
    return undefined
  }

  #queued<R>(fn: () => Promise<R>): Promise<R> {
    const work = this.#queue.then(fn)
    this.#queue = work.catch(() => undefined)
    return work
  }

  #running(slug: string): Running | undefined {
    return this.#view.plugins.find((plugin) => plugin.manifest.slug === slug && plugin !== this.#options.kernel)
  }

  /** The folder that was dropped with this plugin in it. */
  #lying(slug: string): DiscoveredPlugin | undefined {
    return this.#found.dropped.find((plugin) => plugin.manifest.slug === slug)
  }

  #comesWithSite(slug: string): boolean {
    return this.#found.bundled.some((plugin) => plugin.manifest.slug === slug)
  }

  /** What the lists show: what runs, else what would. */
  #survey(): void {
    const { only, leaveOut } = this.#options
    const counts = (slug: string) => !leaveOut?.includes(slug) && (!only || only.includes(slug))
    const running = this.#view.plugins.filter((plugin) => plugin !== this.#options.kernel)
    const others = slugsOf(this.#found).filter((slug) => counts(slug) && !this.#running(slug))
    const off = others.flatMap((slug) => {
      const { chosen, offered } = this.versions(slug)
      return offered ?? chosen ?? []
    })
    this.#discovery = { plugins: [...running, ...off], broken: this.#found.broken }
  }

  #fail(slug: string, reason: string, error?: unknown): void {
    this.reasons.set(slug, reason)
    this.#options.data.plugins.setReason(slug, reason).catch(() => undefined)
    this.#options.log('error', slug, `Did not start: ${reason}`, error instanceof Error && error.stack ? { stack: error.stack } : undefined)
  }

  async #switch(slug: string, on: boolean, confirm: number | undefined, force: boolean): Promise<void> {
    if (!this.#running(slug)) this.rediscover()
    const plugin = this.find(slug)
    if (!plugin) {
      const broken = this.#discovery.broken.find((entry) => entry.slug === slug)
      if (broken) throw pluginErrors.start_failed({ slug, reason: broken.reason })
      throw pluginErrors.not_found({ slug })
    }
    const running = new Set(this.#view.plugins.map((entry) => entry.manifest.slug))
    const rests = this.safeMode && !this.#comesWithSite(slug)
    if (running.has(slug) === on || rests) {
      if (this.isWanted(plugin) !== on) await this.#save({ enabled: { [slug]: on }, reasons: { [slug]: '' } })
      if (!on) await this.#quarantines.release(slug)
      return
    }
    if (!on && plugin.manifest.essential && !force) throw pluginErrors.essential({ slug })
    const { alsoOn, alsoOff: off } = this.consequences(slug, on)
    const essential = off.find((other) => this.find(other)?.manifest.essential)
    if (essential && !force) throw pluginErrors.essential({ slug: essential }, { also_off: off, also_on: alsoOn })
    this.#keepLastOfKind(on ? off : [slug, ...off], on ? [slug, ...alsoOn] : alsoOn)
    if ((alsoOn.length > 0 || off.length > 0) && confirm !== this.epoch && !force) {
      throw pluginErrors.switches_others(
        { slug, others: [...off, ...alsoOn].join(', ') },
        { epoch: this.epoch, also_off: off, also_on: alsoOn },
      )
    }
    const leaving = on ? off : [slug, ...off]
    const coming = on ? [...alsoOn, slug] : alsoOn
    const enabled = Object.fromEntries([...leaving.map((name) => [name, false]), ...coming.map((name) => [name, true])])
    const reasons = Object.fromEntries([...leaving, ...coming].map((name) => [name, '']))
    // What waits for one of them comes back with it, where it can.
    let back = this.#discovery.plugins
      .map(({ manifest }) => manifest.slug)
      .filter((name) => !(name in enabled) && enabled[this.#waitsFor(name) ?? ''] && !this.#quarantines.has(name))
    const staying = this.#view.plugins.filter((entry) => !leaving.includes(entry.manifest.slug))
    for (;;) {
      const packages: Record<string, PackageState> = {}
      const fresh: DiscoveredPlugin[] = []
      for (const name of [...coming, ...back]) {
        const found = this.find(name) as DiscoveredPlugin
        const kept = await this.#keep(found)
        fresh.push(kept)
        if (kept !== found) packages[name] = this.#folderTaken(kept, this.versions(name).chosen)
      }
      try {
        await this.#change(slug, staying, fresh, { enabled, packages, reasons })
        break
      } catch (error) {
        const misfit = (error as { cause?: unknown }).cause
        if (!(misfit instanceof Misfit)) throw error
        const failed = fresh.find((entry) => entry.manifest.slug === misfit.slug)
        if (failed && (back.includes(misfit.slug) || this.#quarantines.has(misfit.slug)))
          await this.#quarantines.hold(failed, pluginProblems.activation({ message: misfit.message }))
        if (!back.includes(misfit.slug)) throw error
        back = back.filter((name) => name !== misfit.slug)
      } finally {
        for (const { manifest, origin } of fresh) if (origin === 'installed') await this.#prune(manifest.slug)
      }
    }
    for (const name of [...leaving, ...coming]) await this.#quarantines.release(name)
  }

  /** Active plugins that provide what `plugin` provides, where only one may. */
  #rivals(plugin: DiscoveredPlugin): string[] {
    const ids = Object.keys(plugin.manifest.provides ?? {})
    return this.#view.plugins
      .filter((other) => ids.some((id) => other.provided.get(id)?.cardinality === 'one'))
      .map((other) => other.manifest.slug)
  }

  #keepLastOfKind(off: readonly string[], on: readonly string[]): void {
    const after = [
      ...this.#view.plugins.filter((plugin) => !off.includes(plugin.manifest.slug)),
      ...on.flatMap((slug) => this.find(slug) ?? []),
    ]
    for (const slug of off) {
      const leaving = this.#view.plugins.find((plugin) => plugin.manifest.slug === slug)
      if (leaving?.manifest.contributes.language && !after.some((plugin) => plugin.manifest.contributes.language)) {
        throw pluginErrors.last_of_kind({ slug, contract: 'language' })
      }
      for (const [id, { cardinality }] of leaving?.provided ?? []) {
        if (cardinality === 'at-least-one' && !after.some((plugin) => id in (plugin.manifest.provides ?? {}))) {
          throw pluginErrors.last_of_kind({ slug, contract: id })
        }
      }
    }
  }

  async #keep(plugin: DiscoveredPlugin): Promise<DiscoveredPlugin> {
    try {
      return await this.#options.store.keep(plugin)
    } catch (error) {
      this.#fail(plugin.manifest.slug, (error as Error).message, error)
      throw pluginErrors.start_failed({ slug: plugin.manifest.slug, reason: (error as Error).message })
    }
  }

  #folderTaken(kept: DiscoveredPlugin, before: DiscoveredPlugin | undefined): PackageState {
    const ran = before?.key !== undefined || before?.origin === 'bundled' ? before : undefined
    return chosenNow(this.#stored.packages[kept.manifest.slug], kept, ran, { fromFolder: true })
  }

  /** A folder that changed takes the place of what ran from it; when it cannot, it is not tried again until it changes. */
  async #adoptFolder(lying: DiscoveredPlugin): Promise<void> {
    const { slug } = lying.manifest
    try {
      await this.#adopt(await this.#keep(lying), { fromFolder: true })
    } catch (error) {
      const state = { ...(this.#stored.packages[slug] ?? noPackage), judged: lying.generation }
      this.#stored.packages[slug] = state
      await this.#options.data.plugins.note(slug, state)
      throw error
    } finally {
      await this.#prune(slug)
    }
  }

  async #adopt(plugin: DiscoveredPlugin, how: Partial<Pick<PackageState, 'pinned' | 'fromFolder'>>): Promise<void> {
    const { slug } = plugin.manifest
    const ran = this.#running(slug) ?? this.versions(slug).chosen
    const before = ran?.key !== undefined || ran?.origin === 'bundled' ? ran : undefined
    await this.#put(slug, plugin, chosenNow(this.#stored.packages[slug], plugin, before, how))
  }

  /** Makes `plugin` the version that runs, or would. A version that does not stand hands back: what runs never stopped. */
  async #put(slug: string, plugin: DiscoveredPlugin, state: PackageState): Promise<void> {
    const running = this.#running(slug)
    const change: PluginChange = { packages: { [slug]: state }, reasons: { [slug]: '' } }
    const isWaiting = !running && this.isWanted(plugin) && this.reasons.has(slug)
    if ((this.safeMode && plugin.origin !== 'bundled') || (!running && !isWaiting)) await this.#save(change)
    else {
      await this.#refuseContracted(plugin)
      const staying = this.#view.plugins.filter((entry) => entry !== running)
      await this.#change(slug, staying, [plugin], change)
    }
    this.reasons.delete(slug)
    this.#survey()
  }

  /** Tables that a version would not know any more keep it from running. */
  async #refuseContracted(plugin: DiscoveredPlugin): Promise<void> {
    const step = await this.#contracted(plugin)
    if (step !== undefined) throw pluginErrors.contracted({ slug: plugin.manifest.slug, version: plugin.manifest.version, step })
  }

  async #contracted(plugin: DiscoveredPlugin): Promise<string | undefined> {
    const { migrations } = plugin.manifest.build
    const steps = migrations ? loadBundle<{ name: string }[]>(plugin, migrations) : []
    return await this.#options.data.contractedBeyond(plugin.manifest.slug, steps)
  }

  async #save(change: PluginChange): Promise<void> {
    const epoch = await this.#options.data.plugins.save(this.epoch, change)
    this.#absorb(epoch, change)
  }

  #absorb(epoch: number, { enabled, packages, reasons = {}, safeMode }: PluginChange): void {
    const before = this.#stored
    this.#stored = {
      epoch,
      enabled: { ...before.enabled, ...enabled },
      packages: { ...before.packages, ...packages },
      reasons: { ...before.reasons, ...reasons },
      safeMode: safeMode ?? before.safeMode,
    }
    for (const [slug, reason] of Object.entries(reasons)) if (reason === '') this.reasons.delete(slug)
    this.#survey()
  }

  /** Builds the set of `staying` and `fresh` beside the present one, stores the decision and puts the set in its place. */
  async #change(cause: string, staying: readonly Running[], fresh: readonly DiscoveredPlugin[], change: PluginChange): Promise<void> {
    const there = new Set(staying)
    try {
      const wanted = [...staying.filter((plugin) => plugin !== this.#options.kernel), ...fresh]
      const assembly = await assemble(wanted, this.epoch + 1, this.#view.plugins, there, this.#options)
      let epoch: number
      try {
        epoch = await this.#options.data.plugins.save(this.epoch, change)
      } catch (error) {
        this.#options.onRetired(assembly.view)
        throw error
      }
      this.#take(assembly)
      this.#absorb(epoch, change)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      throw this.#refusal(cause, fresh, error)
    } finally {
      await this.#stopUnused(there)
    }
  }

  #refusal(cause: string, fresh: readonly DiscoveredPlugin[], error: Misfit): Error {
    const isNew = fresh.some((plugin) => plugin.manifest.slug === error.slug)
    const blamed = isNew ? error.slug : cause
    const reason = error.slug === blamed ? error.message : `${error.slug}: ${error.message}`
    const running = this.#running(blamed)
    const version = fresh.find((plugin) => plugin.manifest.slug === blamed)?.manifest.version
    const kept =
      running && fresh.length > 0 ? `Version ${version} was not taken over, ${running.manifest.version} goes on: ${reason}` : reason
    this.#fail(blamed, kept, error.cause ?? error)
    const refusal = pluginErrors.start_failed({ slug: cause, reason: error.slug === cause ? reason : `${error.slug}: ${error.message}` })
    return Object.assign(refusal, { cause: error })
  }

  /** Makes an assembly the present set; the old one drains behind the scenes. */
  #take({ view, router }: Assembly): void {
    const old = this.#view
    const safe = this.#safe
    this.#safe = undefined
    this.#view = view
    this.#router = router
    const fresh = view.plugins.filter((plugin) => !old.plugins.includes(plugin))
    for (const plugin of fresh) plugin.begin()
    // What happens from now on is not for them: where they come back, they are told that they missed it.
    for (const plugin of old.plugins) if (!view.plugins.includes(plugin)) void plugin.rest()
    this.#options.onSwitch(view)
    this.#retire(old, view, fresh, safe)
  }

  async #stopUnused(there: Set<Running>): Promise<void> {
    const retiring = [...there].filter((plugin) => !this.#view.plugins.includes(plugin) && !this.#wasVisible.has(plugin))
    await Promise.all(retiring.map((plugin) => plugin.stop()))
  }
  /** Plugins that were part of a set that people saw; those end when it has drained. */
  readonly #wasVisible = new WeakSet<Running>()

  /** Waits for the work that began before the switch, then stops what the new set has no place for. */
  #retire(old: View, next: View, fresh: readonly Running[], safe: SafeView | undefined): void {
    for (const plugin of next.plugins) this.#wasVisible.add(plugin)
    const done = (async () => {
      await old.drained(DRAIN_MS)
      await this.#dropSafe(safe)
      const gone = old.plugins.filter((plugin) => !next.plugins.includes(plugin))
      await Promise.all(gone.map((plugin) => plugin.stop()))
      if (old.epoch > 0) this.#options.onRetired(old)
      for (const { manifest, code } of fresh) {
        if (code.migrations.some((step) => step.contracts)) await this.#options.data.migrate(manifest.slug, code.migrations)
      }
    })()
    this.#retiring.add(done)
    done
      .catch((error) => this.#options.log('error', 'kernel', `After a switch: ${(error as Error).message}`))
      .finally(() => this.#retiring.delete(done))
  }

  async #prune(slug: string): Promise<void> {
    const { chosen, history } = this.#stored.packages[slug] ?? noPackage
    const running = this.#running(slug)?.key
    await this.#options.store
      .prune(slug, new Set([chosen, ...history, ...(running === undefined ? [] : [running])]))
      .catch((error) => this.#options.log('warn', slug, `Old versions stay: ${(error as Error).message}`))
    this.rediscover()
  }

  /** Another process decided something. */
  async #follow(): Promise<void> {
    const before = this.#stored
    const stored = await this.#options.data.plugins.load()
    if (this.#closed || stored.epoch <= before.epoch) return
    // What could not be started here stays as it is until something about it is decided.
    const settled = new Set(
      [...this.reasons.keys()].filter(
        (slug) =>
          stored.reasons[slug] &&
          before.enabled[slug] === stored.enabled[slug] &&
          before.packages[slug]?.chosen === stored.packages[slug]?.chosen &&
          before.safeMode === stored.safeMode,
      ),
    )
    this.#stored = stored
    await this.#quarantines.load()
    this.rediscover()
    for (const slug of [...this.reasons.keys()]) if (!stored.reasons[slug]) this.reasons.delete(slug)
    for (const [slug, reason] of Object.entries(stored.reasons)) this.reasons.set(slug, reason)
    await this.#reach(settled, false)
    await this.#options.data.plugins.arrive(this.epoch)
  }

  /** Versions to try for each plugin that should run, best first. */
  async #targets(settled: ReadonlySet<string>): Promise<Map<string, DiscoveredPlugin[]>> {
    const targets = new Map<string, DiscoveredPlugin[]>()
    const { only, leaveOut } = this.#options
    for (const slug of slugsOf(this.#found)) {
      if (leaveOut?.includes(slug) || (only && !only.includes(slug))) continue
      const { chosen, offered, bundled, before } = this.versions(slug)
      const running = this.#running(slug)
      const first = this.safeMode ? bundled : (offered ?? chosen)
      if (!first || !this.isWanted(first) || (settled.has(slug) && !running) || this.#quarantines.holds(first)) continue
      const rest = this.safeMode ? [] : [chosen, running, ...before, bundled]
      const list = [first, ...rest].filter((plugin) => plugin !== undefined)
      targets.set(slug, [...new Map(list.map((plugin) => [plugin.generation, plugin])).values()])
    }
    return targets
  }

  /** Brings the set to what is stored. What cannot run is handed back to the version before, or left out, with its reason. */
  async #reach(settled: ReadonlySet<string>, isStart: boolean): Promise<void> {
    const targets = await this.#targets(settled)
    const there = new Set(this.#view.plugins)
    const failures: Failure[] = []
    const drop = async ({ slug, message: reason, cause: error }: Misfit) => {
      const list = targets.get(slug)
      const plugin = list?.shift()
      if (!list || !plugin) throw error instanceof Error ? error : new Error(reason)
      failures.push({ plugin, reason })
      if (list.length === 0) targets.delete(slug)
      if (list.length === 0 && this.#waitsFor(slug) !== undefined) return
      this.#fail(slug, list[0] ? `Version ${plugin.manifest.version} does not run: ${reason}` : reason, error)
      const isUntried = this.#stored.packages[slug]?.untried
      // Nobody is there to be told; an older version that runs says enough.
      if (isStart && error !== undefined && list.length === 0 && !plugin.manifest.essential && !isUntried)
        await this.#quarantines.hold(plugin, pluginProblems.activation({ message: reason }))
    }
    try {
      for (;;) {
        try {
          const wanted: DiscoveredPlugin[] = []
          for (const list of targets.values()) wanted.push(await this.#ready(list[0] as DiscoveredPlugin))
          this.#take(await assemble(wanted, this.epoch, this.#view.plugins, there, this.#options))
          break
        } catch (error) {
          if (!(error instanceof Misfit)) throw error
          await drop(error)
        }
      }
    } finally {
      await this.#stopUnused(there)
    }
    await this.#writeBack(failures)
  }

  /** A version that may be run: whole in the store, and not older than the tables are. @throws Misfit */
  async #ready(plugin: DiscoveredPlugin): Promise<DiscoveredPlugin> {
    const { slug, version } = plugin.manifest
    if (this.#running(slug)?.generation === plugin.generation) return plugin
    try {
      const step = await this.#contracted(plugin)
      if (step !== undefined) throw new Error(`${step} has removed what version ${version} needs`)
      return await this.#options.store.keep(plugin)
    } catch (error) {
      throw new Misfit(slug, (error as Error).message, error)
    }
  }

  /** Stores what came out of decisions that nobody had tried, and of folders that changed while nobody looked. */
  async #writeBack(failures: readonly Failure[]): Promise<void> {
    const change = {
      enabled: {} as Record<string, boolean>,
      packages: {} as Record<string, PackageState>,
      reasons: {} as Record<string, string>,
    }
    for (const running of this.#view.plugins) {
      const { slug } = running.manifest
      const state = this.#stored.packages[slug] ?? noPackage
      const failed = failures.find((failure) => failure.plugin.manifest.slug === slug)
      const lying = this.#lying(slug)
      if (running.key !== undefined && running.key !== state.chosen && running.generation === lying?.generation)
        change.packages[slug] = this.#folderTaken(running, this.versions(slug).chosen)
      else if (failed && state.untried) change.packages[slug] = rolledBack(state, running, lying)
      else if (failed && failed.plugin.generation === lying?.generation) change.packages[slug] = { ...state, judged: lying.generation }
      // A folder that was refused stays refused until it changes.
      const isRefused = lying && lying.generation === state.judged && lying.generation !== running.generation
      if (!failed && this.reasons.has(slug) && !isRefused) change.reasons[slug] = ''
      if (this.#quarantines.has(slug)) await this.#quarantines.release(slug)
    }
    for (const { plugin } of failures) {
      const { slug } = plugin.manifest
      const state = this.#stored.packages[slug]
      if (this.#running(slug) || !state?.untried) continue
      change.enabled[slug] = false
      change.packages[slug] = { ...state, untried: false }
    }
    if (Object.keys({ ...change.enabled, ...change.packages }).length > 0) {
      try {
        await this.#save(change)
      } catch (error) {
        // Another node was faster; what it decided is followed in a moment.
        this.#options.log('warn', 'kernel', `Not stored: ${(error as Error).message}`)
      }
    } else {
      for (const slug of Object.keys(change.reasons)) {
        this.reasons.delete(slug)
        await this.#options.data.plugins.setReason(slug, '')
      }
    }
    this.#survey()
  }
}
