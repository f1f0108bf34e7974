import type { CodedError } from '@stoa/sdk'
import { pluginErrors } from '@stoa/sdk/kernel'
import type { RunRecord } from '../../shared/run-record.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { Versions } from '../packages/versions.ts'
import type { SafeView } from '../plugin-set/active-set.ts'
import { ActiveSet } from '../plugin-set/active-set.ts'
import type { SwitchWish } from '../plugin-set/resolve.ts'
import type { Router } from '../plugin-set/router.ts'
import { localeOf } from '../runtime/texts.ts'
import type { View } from '../runtime/view.ts'
import { problemOf } from './blocked-by.ts'
import { buildSafeView } from './build-safe-view.ts'
import { eraseData, installPackage, reload, removePackage, rollBack, takeFolders } from './change-packages.ts'
import type { Discovery } from './inventory.ts'
import { Inventory } from './inventory.ts'
import type { LifecycleOptions } from './lifecycle-options.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'
import { quarantinePlugin } from './quarantine-plugin.ts'
import { follow, reconcile } from './reconcile.ts'
import { KERNEL, recoverFromCrash } from './recover-from-crash.ts'
import { consequencesOf, consequencesOfWish, notesOn, switchPlugin, switchTogether } from './switch-plugin.ts'

/**
 * Finds, orders, starts, stops and swaps plugins. One change at a time, each built beside the present set and put in its place when it stands.
 * What is decided lies in the database; decisions of other processes are followed.
 */
export class Lifecycle {
  readonly #parts: LifecycleParts
  /** Archives that were not taken: file name → reason. */
  readonly refused = new Map<string, Error>()
  #queue: Promise<unknown> = Promise.resolve()
  #unfollow = () => {}
  #closed = false

  constructor(options: LifecycleOptions) {
    const activeSet = new ActiveSet(options)
    this.#parts = { options, activeSet, inventory: new Inventory(options, activeSet) }
  }

  get view(): View {
    return this.#parts.activeSet.view
  }
  get router(): Router {
    return this.#parts.activeSet.router
  }
  get epoch(): number {
    return this.#parts.inventory.stored.epoch
  }
  get discovery(): Discovery {
    return this.#parts.inventory.discovery
  }
  get safeMode(): boolean {
    return this.#parts.inventory.stored.safeMode
  }
  /** Why the site itself has switched safe mode on; empty when somebody did. */
  get safeModeReason(): string {
    return this.safeMode ? (this.#parts.inventory.reasons.get(KERNEL) ?? '') : ''
  }
  /** Why a plugin, or a new version of it, does not run. */
  get reasons(): ReadonlyMap<string, string> {
    return this.#parts.inventory.reasons
  }

  find(slug: string): DiscoveredPlugin | undefined {
    return this.#parts.inventory.find(slug)
  }

  /** Whether a plugin should be on, as far as is decided. */
  isWanted(slug: string): boolean {
    const plugin = this.find(slug)
    return plugin !== undefined && this.#parts.inventory.isWanted(plugin)
  }

  versions(slug: string): Versions {
    return this.#parts.inventory.versions(slug)
  }

  /** `web` texts of an active plugin. */
  webTexts(slug: string, language: string): Record<string, unknown> | undefined {
    const plugin = this.view.plugins.find((running) => running.manifest.slug === slug)
    return plugin && localeOf(plugin, language).web
  }

  /** Looks at the disk: finds what was put there since, changes nothing of what runs. */
  rediscover(): void {
    this.#parts.inventory.rescan()
  }

  /**
   * First start: whatever should be on and can be. What cannot is left out with its reason.
   * @param run how the process before this one ended
   */
  async start(run?: Pick<RunRecord, 'endsTooOften' | 'endedStarting' | 'endedByMemory'>): Promise<void> {
    const { options, inventory } = this.#parts
    await options.store.clean()
    await this.#parts.activeSet.change(async () => {
      await inventory.adopt(await options.data.plugins.load())
      await recoverFromCrash(this.#parts, run)
      for (const broken of inventory.found.broken)
        options.log('error', broken.slug, `This plugin cannot be used: ${broken.problem.message}`)
      await reconcile(this.#parts, new Set(), true)
      await options.data.nodes.arrive(this.epoch)
    })
    this.#unfollow = options.data.plugins.onChange(() => this.#queued(async () => (this.#closed ? undefined : follow(this.#parts))))
  }

  /** What a switch would take along. */
  consequences(slug: string, on: boolean): { alsoOn: string[]; alsoOff: string[] } {
    return consequencesOf(this.#parts, slug, on)
  }

  /**
   * Switches one plugin and, once `confirm` names the present epoch, those that depend on it. `force`: what is essential too, unasked;
   * `along`: further plugins that go on with it. Resolves when the next request sees the change. @throws an error of `pluginErrors`; nothing has changed then
   */
  switch(slug: string, on: boolean, confirm?: number, force = false, along: readonly string[] = []): Promise<void> {
    return this.#changing(() => switchPlugin(this.#parts, slug, on, confirm, force, along))
  }

  /** What a switch of several would take along, and what plugins say of it. @param wish each of them is in the other state now */
  async foresee(wish: SwitchWish) {
    return { ...consequencesOfWish(this.#parts, wish), notes: await notesOn(this.#parts, wish) }
  }

  /**
   * Switches several in one epoch, with what goes along.
   * @throws `error.plugin.busy` unless `confirm` names the present epoch
   */
  switchSet(wish: SwitchWish, confirm: number): Promise<void> {
    return this.#changing(async () => {
      if (confirm !== this.epoch) throw pluginErrors.busy({ epoch: this.epoch })
      if (wish.on.length + wish.off.length > 0) await switchTogether(this.#parts, wish, { cause: '', confirm, force: false })
    })
  }

  /**
   * Unpacks an archive into the store; a plugin that runs is replaced by it, another one is listed.
   * @param named somebody chose this very version: it stays, even beside a newer one that comes with the site
   * @throws an error of `packageErrors`, `error.plugin.start_failed`; what runs is untouched then
   */
  install(file: string, named: boolean): Promise<DiscoveredPlugin> {
    return this.#changing(() => installPackage(this.#parts, file, named))
  }

  /**
   * Goes back to the version that ran before; to one that is in quarantine with `force` only.
   * @throws `error.plugin.nothing_before`, `error.plugin.quarantined_before`, `error.plugin.contracted`
   */
  rollback(slug: string, force = false): Promise<void> {
    return this.#changing(() => rollBack(this.#parts, slug, force))
  }

  /**
   * Takes an installed plugin away, back to the version that comes with the site if there is one. Its data stays.
   * @throws as `switch` does where others depend on it; `error.plugin.not_installed`
   */
  remove(slug: string, confirm?: number, force = false): Promise<void> {
    return this.#changing(() => removePackage(this.#parts, slug, confirm, force))
  }

  /** Deletes what a plugin has stored, for good. @throws `error.plugin.still_on` */
  eraseData(slug: string): Promise<void> {
    return this.#queued(() => eraseData(this.#parts, slug))
  }

  /** Runs nothing but what comes with the site, for everybody, until it is switched off again. */
  setSafeMode(on: boolean): Promise<void> {
    return this.#changing(async () => {
      if (this.safeMode === on) return
      await this.#parts.inventory.save({ safeMode: on, reasons: new Map([[KERNEL, '']]) })
      await reconcile(this.#parts, new Set(), false)
      await this.#parts.options.data.nodes.arrive(this.epoch)
    })
  }

  /** What an admin in safe mode sees: what comes with the site, as far as it is on. Built when it is first asked for. */
  async safeView(): Promise<SafeView> {
    const { activeSet } = this.#parts
    return (
      activeSet.safe ??
      this.#queued(async () => {
        activeSet.safe ??= await buildSafeView(this.#parts)
        return activeSet.safe
      })
    )
  }

  /** Takes over folders that changed, of plugins that should run. `isReady`: nobody writes into this folder any more. */
  takeFolders(isReady: (folder: string) => boolean): Promise<void> {
    return this.#changing(() => takeFolders(this.#parts, isReady))
  }

  /** Replaces a plugin by what lies in its folder now. @throws `error.plugin.start_failed`; the old one goes on then */
  reload(slug: string): Promise<void> {
    return this.#changing(() => reload(this.#parts, slug))
  }

  /** Ends everything, last started first. */
  async stop(): Promise<void> {
    this.#closed = true
    this.#unfollow()
    await this.#queue
    await this.#parts.activeSet.stop()
  }

  /** Why a plugin that is switched on does not run; undefined for all others. */
  problem(slug: string): CodedError | undefined {
    return problemOf(this.#parts, slug)
  }

  isQuarantined(slug: string): boolean {
    return this.#parts.inventory.quarantines.has(slug)
  }

  /**
   * Takes a running plugin out of service until somebody switches it on again; those that need it go with it and come back with it.
   * What the site cannot do without is started again instead. The reason survives a restart.
   */
  quarantine(slug: string, problem: CodedError): Promise<void> {
    // Before its turn comes: what held up the site would do it again for each request that waits.
    this.#parts.activeSet.running(slug)?.shut()
    return this.#queued(() => quarantinePlugin(this.#parts, slug, problem))
  }

  /** What may put another version in place of the one that runs. */
  #changing<R>(fn: () => Promise<R>): Promise<R> {
    return this.#queued(() => this.#parts.activeSet.change(fn))
  }

  #queued<R>(fn: () => Promise<R>): Promise<R> {
    const work = this.#queue.then(fn)
    this.#queue = work.catch(() => undefined)
    return work
  }
}
