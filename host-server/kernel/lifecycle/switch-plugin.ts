import { pluginErrors, pluginProblems, servicesOf } from '@stoa/sdk/kernel'
import type { PackageState } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { lastOfKind } from '../plugin-set/last-of-kind.ts'
import { PluginRejected } from '../plugin-set/plugin-rejected.ts'
import { consequences } from '../plugin-set/resolve.ts'
import { waitsFor } from './blocked-by.ts'
import { copyToStore, folderTaken, prune } from './change-version.ts'
import { commit } from './commit.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** What a switch would take along: what depends on it, what it needs, what it takes the place of. */
export function consequencesOf(
  { inventory, activeSet }: LifecycleParts,
  slug: string,
  on: boolean,
): { alsoOn: string[]; alsoOff: string[] } {
  const plugin = inventory.find(slug)
  const running = activeSet.slugs()
  if (!plugin || running.has(slug) === on) return { alsoOn: [], alsoOff: [] }
  const { alsoOn, alsoOff } = consequences(inventory.discovery.plugins, running, slug, on)
  const ids = servicesOf(plugin.manifest)
  const rivals = activeSet.plugins.filter((other) => on && ids.some((id) => other.provided.get(id)?.cardinality === 'one'))
  return { alsoOn, alsoOff: [...new Set([...alsoOff, ...rivals.map(({ manifest }) => manifest.slug)])] }
}

/**
 * Switches one plugin and, once `confirm` names the present epoch, those that go along. `force`: what is essential too, unasked.
 * @throws an error of `pluginErrors`; nothing has changed then
 */
export async function switchPlugin(
  parts: LifecycleParts,
  slug: string,
  on: boolean,
  confirm: number | undefined,
  force: boolean,
): Promise<void> {
  const { inventory, activeSet } = parts
  if (!activeSet.running(slug)) {
    inventory.renew(slug)
    inventory.rescan()
  }
  const plugin = known(parts, slug)
  const isHeldBack = inventory.stored.safeMode && !inventory.comesWithSite(slug)
  if (activeSet.slugs().has(slug) === on || isHeldBack) {
    if (inventory.isWanted(plugin) !== on) await inventory.save({ enabled: new Map([[slug, on]]), reasons: new Map([[slug, '']]) })
    if (!on) await inventory.quarantines.release(plugin)
    return
  }
  const { alsoOn, alsoOff } = agreed(parts, plugin, on, confirm, force)
  const leaving = on ? alsoOff : [slug, ...alsoOff]
  const coming = on ? [...alsoOn, slug] : alsoOn
  await carryOut(parts, slug, leaving, coming)
  for (const name of [...leaving, ...coming]) await inventory.quarantines.release(inventory.find(name))
}

function known({ inventory }: LifecycleParts, slug: string): DiscoveredPlugin {
  const plugin = inventory.find(slug)
  if (plugin) return plugin
  const broken = inventory.discovery.broken.find((entry) => entry.slug === slug)
  throw broken ? pluginErrors.start_failed({ slug, reason: broken.problem.message }) : pluginErrors.not_found({ slug })
}

/** What goes along, where it may and whoever asked has agreed to it. */
function agreed(parts: LifecycleParts, plugin: DiscoveredPlugin, on: boolean, confirm: number | undefined, force: boolean) {
  const { inventory, activeSet } = parts
  const { slug, essential } = plugin.manifest
  if (!on && essential && !force) throw pluginErrors.essential({ slug })
  const { alsoOn, alsoOff } = consequencesOf(parts, slug, on)
  const other = alsoOff.find((name) => inventory.find(name)?.manifest.essential)
  if (other && !force) throw pluginErrors.essential({ slug: other }, { also_off: alsoOff, also_on: alsoOn })
  const coming = [...alsoOn, ...(on ? [slug] : [])].flatMap((name) => inventory.find(name) ?? [])
  const last = lastOfKind(activeSet.plugins, on ? alsoOff : [slug, ...alsoOff], coming)
  if (last) throw pluginErrors.last_of_kind(last)
  const { epoch } = inventory.stored
  if ((alsoOn.length > 0 || alsoOff.length > 0) && confirm !== epoch && !force) {
    throw pluginErrors.switches_others({ slug, others: [...alsoOff, ...alsoOn].join(', ') }, { epoch, also_off: alsoOff, also_on: alsoOn })
  }
  return { alsoOn, alsoOff }
}

/** What waits in vain for one of them comes back with it, where it can. */
async function carryOut(parts: LifecycleParts, slug: string, leaving: readonly string[], coming: readonly string[]): Promise<void> {
  const { inventory, activeSet } = parts
  const { quarantines } = inventory
  const enabled = new Map([...leaving.map((name) => [name, false] as const), ...coming.map((name) => [name, true] as const)])
  const reasons = new Map([...leaving, ...coming].map((name) => [name, '']))
  let back = inventory.discovery.plugins
    .map(({ manifest }) => manifest.slug)
    .filter((name) => !enabled.has(name) && enabled.get(waitsFor(parts, name) ?? '') && !quarantines.has(name))
  const staying = activeSet.plugins.filter(({ manifest }) => !leaving.includes(manifest.slug))
  for (;;) {
    const packages = new Map<string, PackageState>()
    const fresh: DiscoveredPlugin[] = []
    for (const name of [...coming, ...back]) {
      const found = inventory.find(name) as DiscoveredPlugin
      const kept = await copyToStore(parts, found)
      fresh.push(kept)
      if (kept !== found) packages.set(name, folderTaken(parts, kept, inventory.versions(name).chosen))
    }
    try {
      return await commit(parts, slug, staying, fresh, { enabled, packages, reasons })
    } catch (error) {
      const rejected = (error as { cause?: unknown }).cause
      if (!(rejected instanceof PluginRejected)) throw error
      const failed = fresh.find((entry) => entry.manifest.slug === rejected.slug)
      if (failed && (back.includes(rejected.slug) || quarantines.has(rejected.slug)))
        await quarantines.hold(failed, pluginProblems.activation({ message: rejected.message }))
      if (!back.includes(rejected.slug)) throw error
      back = back.filter((name) => name !== rejected.slug)
    } finally {
      for (const { manifest, origin } of fresh) if (origin === 'installed') await prune(parts, manifest.slug)
    }
  }
}
