import { pluginProblems } from '@stoa/sdk/kernel'
import type { PackageState } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { contractedStep } from '../packages/contracted.ts'
import { rolledBack } from '../packages/versions.ts'
import { PluginRejected } from '../plugin-set/plugin-rejected.ts'
import { waitsFor } from './blocked-by.ts'
import { folderTaken } from './change-version.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** A version that could not be part of the set, while the stored decisions were carried out. */
interface Failure {
  plugin: DiscoveredPlugin
  reason: string
}

/**
 * Brings the set to what is stored. What cannot run is handed back to the version before, or left out, with its reason.
 * @param settled plugins that could not be started here and about which nothing new is decided
 */
export async function reconcile(parts: LifecycleParts, settled: ReadonlySet<string>, isStart: boolean): Promise<void> {
  const { options, inventory, activeSet } = parts
  for (const { slug, problem } of inventory.absent()) options.log('error', slug, problem.message)
  const reusable = new Set(activeSet.plugins)
  const failures = heldFolders(parts)
  const targets = targetsOf(parts, settled)
  try {
    for (;;) {
      try {
        const wanted: DiscoveredPlugin[] = []
        for (const list of targets.values()) wanted.push(await ready(parts, list[0] as DiscoveredPlugin))
        activeSet.activate(await activeSet.build(wanted, inventory.stored.epoch, reusable))
        break
      } catch (error) {
        if (!(error instanceof PluginRejected)) throw error
        failures.push(await stepDown(parts, targets, error, isStart))
      }
    }
  } finally {
    await activeSet.stopUnused(reusable)
  }
  await writeBack(parts, failures)
}

/** Folders whose new code is in quarantine already: what ran before goes on, until they change again. */
function heldFolders({ inventory, activeSet }: LifecycleParts): Failure[] {
  return inventory.slugs().flatMap((slug) => {
    const { offered, chosen } = inventory.versions(slug)
    if (!offered || !chosen || chosen === offered || activeSet.running(slug) || !inventory.quarantines.holds(offered)) return []
    const reason = inventory.quarantines.problem(slug)?.message ?? ''
    inventory.fail(slug, `Version ${offered.manifest.version} does not run: ${reason}`)
    return { plugin: offered, reason }
  })
}

/** Versions to try for each plugin that should run, best first. */
function targetsOf({ inventory, activeSet }: LifecycleParts, settled: ReadonlySet<string>): Map<string, DiscoveredPlugin[]> {
  const { safeMode } = inventory.stored
  const targets = new Map<string, DiscoveredPlugin[]>()
  for (const slug of inventory.slugs()) {
    const { chosen, offered, bundled, before } = inventory.versions(slug)
    const running = activeSet.running(slug)
    const fresh = offered && inventory.quarantines.holds(offered) ? undefined : offered
    const first = safeMode ? bundled : (fresh ?? chosen)
    if (!first || !inventory.isWanted(first) || (settled.has(slug) && !running) || inventory.quarantines.holds(first)) continue
    const fallbacks = safeMode ? [] : [chosen, running, ...before, bundled]
    const list = [first, ...fallbacks].filter((plugin) => plugin !== undefined).filter((plugin) => !inventory.quarantines.holds(plugin))
    targets.set(slug, [...new Map(list.map((plugin) => [plugin.generation, plugin])).values()])
  }
  return targets
}

/** A version that may be run: whole in the store, and not older than the tables are. @throws PluginRejected */
async function ready({ options, activeSet }: LifecycleParts, plugin: DiscoveredPlugin): Promise<DiscoveredPlugin> {
  const { slug, version } = plugin.manifest
  if (activeSet.running(slug)?.generation === plugin.generation) return plugin
  try {
    const step = await contractedStep(options.data, plugin)
    if (step !== undefined) throw new Error(`${step} has removed what version ${version} needs`)
    return await options.store.copyToStore(plugin)
  } catch (error) {
    throw new PluginRejected(slug, (error as Error).message, error)
  }
}

/** The version that failed is tried no more; without another one the plugin is left out. */
async function stepDown(
  parts: LifecycleParts,
  targets: Map<string, DiscoveredPlugin[]>,
  { slug, message: reason, cause: error }: PluginRejected,
  isStart: boolean,
): Promise<Failure> {
  const { inventory } = parts
  const list = targets.get(slug)
  const plugin = list?.shift()
  if (!list || !plugin) throw error instanceof Error ? error : new Error(reason)
  const [next] = list
  if (!next) targets.delete(slug)
  if (next || waitsFor(parts, slug) === undefined) {
    inventory.fail(slug, next ? `Version ${plugin.manifest.version} does not run: ${reason}` : reason, error)
    // Nobody is there to be told; an older version that runs says enough.
    if (isStart && error !== undefined && !next && !plugin.manifest.essential && !inventory.state(slug).untried)
      await inventory.quarantines.hold(plugin, pluginProblems.activation({ message: reason }))
  }
  return { plugin, reason }
}

/** Stores what came out of decisions that nobody had tried, and of folders that changed while nobody looked. */
async function writeBack(parts: LifecycleParts, failures: readonly Failure[]): Promise<void> {
  const { options, inventory, activeSet } = parts
  const change = {
    enabled: new Map<string, boolean>(),
    packages: new Map<string, PackageState>(),
    reasons: new Map<string, string>(),
  }
  for (const running of activeSet.plugins) {
    const { slug } = running.manifest
    const state = inventory.state(slug)
    const failed = failures.find((failure) => failure.plugin.manifest.slug === slug)
    const droppedFolder = inventory.droppedFolder(slug)
    const { chosen, missing } = inventory.versions(slug)
    const isFromFolder = running.key !== undefined && running.key !== state.chosen && running.generation === droppedFolder?.generation
    // What stands in for a version that other nodes have is no decision.
    if (isFromFolder && missing === undefined) change.packages.set(slug, folderTaken(parts, running, chosen))
    else if (failed && state.untried) change.packages.set(slug, rolledBack(state, running, droppedFolder))
    else if (failed && failed.plugin.generation === droppedFolder?.generation)
      change.packages.set(slug, { ...state, judged: droppedFolder.generation })
    // A folder that was refused stays refused until it changes.
    const isRefused = droppedFolder && droppedFolder.generation === state.judged && droppedFolder.generation !== running.generation
    if (!failed && inventory.reasons.has(slug) && !isRefused) change.reasons.set(slug, '')
    await inventory.quarantines.release(running)
  }
  for (const { plugin } of failures) {
    const { slug } = plugin.manifest
    const state = inventory.stored.packages.get(slug)
    if (activeSet.running(slug) || !state?.untried) continue
    change.enabled.set(slug, false)
    change.packages.set(slug, { ...state, untried: false })
  }
  if (change.enabled.size + change.packages.size === 0) {
    for (const slug of change.reasons.keys()) await inventory.forgive(slug)
    return
  }
  try {
    await inventory.save(change)
  } catch (error) {
    // Another node was faster; what it decided is followed in a moment.
    options.log('warn', 'kernel', `Not stored: ${(error as Error).message}`)
  }
}

/** Another process decided something: this one comes to the same set. */
export async function follow(parts: LifecycleParts): Promise<void> {
  const { options, inventory, activeSet } = parts
  const before = inventory.stored
  const stored = await options.data.plugins.load()
  if (stored.epoch <= before.epoch) return
  // What could not be started here stays as it is until something about it is decided.
  const settled = [...inventory.reasons.keys()].filter(
    (slug) =>
      stored.reasons.get(slug) &&
      before.enabled.get(slug) === stored.enabled.get(slug) &&
      before.packages.get(slug)?.chosen === stored.packages.get(slug)?.chosen &&
      before.safeMode === stored.safeMode,
  )
  await activeSet.change(async () => {
    await inventory.adopt(stored)
    await reconcile(parts, new Set(settled), false)
  })
  await options.data.nodes.arrive(inventory.stored.epoch)
}
