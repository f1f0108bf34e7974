import { pluginErrors, pluginProblems, servicesOf } from '@stoa/sdk/kernel'
import type { SwitchNote } from '@stoa/sdk/server'
import { kernelHooks } from '@stoa/sdk/server'
import type { PackageState } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { lastOfKind } from '../plugin-set/last-of-kind.ts'
import { PluginRejected } from '../plugin-set/plugin-rejected.ts'
import type { SwitchWish } from '../plugin-set/resolve.ts'
import { consequencesOfAll } from '../plugin-set/resolve.ts'
import { waitsFor } from './blocked-by.ts'
import { copyToStore, folderTaken, prune } from './change-version.ts'
import { commit } from './commit.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** What a switch would take along: what depends on it, what it needs, what it takes the place of. */
export function consequencesOf(parts: LifecycleParts, slug: string, on: boolean): { alsoOn: string[]; alsoOff: string[] } {
  if (!parts.inventory.find(slug) || parts.activeSet.slugs().has(slug) === on) return { alsoOn: [], alsoOff: [] }
  return consequencesOfWish(parts, on ? { on: [slug], off: [] } : { on: [], off: [slug] })
}

/** The same for several at once. @returns `unmet`: those that cannot be on beside the others */
export function consequencesOfWish(
  { inventory, activeSet }: LifecycleParts,
  wish: SwitchWish,
): { alsoOn: string[]; alsoOff: string[]; unmet: string[] } {
  const { alsoOn, alsoOff, unmet } = consequencesOfAll(inventory.discovery.plugins, activeSet.slugs(), wish)
  const ids = wish.on.flatMap((slug) => {
    const plugin = inventory.find(slug)
    return plugin ? servicesOf(plugin.manifest) : []
  })
  const rivals = activeSet.plugins
    .filter((other) => ids.some((id) => other.provided.get(id)?.cardinality === 'one'))
    .map(({ manifest }) => manifest.slug)
    .filter((slug) => !wish.off.includes(slug))
  return { alsoOn, alsoOff: [...new Set([...alsoOff, ...rivals])], unmet }
}

/**
 * Switches one plugin and, once `confirm` names the present epoch, those that go along. `force`: what is essential too, unasked.
 * @param along further plugins that go on with it
 * @throws an error of `pluginErrors`; nothing has changed then
 */
export async function switchPlugin(
  parts: LifecycleParts,
  slug: string,
  on: boolean,
  confirm: number | undefined,
  force: boolean,
  along: readonly string[] = [],
): Promise<void> {
  const { inventory, activeSet } = parts
  if (!activeSet.running(slug)) {
    inventory.renew(slug)
    inventory.rescan()
  }
  const plugin = known(parts, slug)
  for (const other of along) known(parts, other)
  const isHeldBack = inventory.stored.safeMode && !inventory.comesWithSite(slug)
  if (activeSet.slugs().has(slug) === on || isHeldBack) {
    if (inventory.isWanted(plugin) !== on)
      await inventory.save({ enabled: new Map([[slug, on]]), reasons: new Map([[slug, '']]), cause: slug })
    if (!on) await inventory.quarantines.release(plugin)
    return
  }
  const others = [...new Set(along)].filter((other) => other !== slug && !activeSet.slugs().has(other))
  await switchTogether(parts, on ? { on: [slug, ...others], off: [] } : { on: [], off: [slug] }, { cause: slug, confirm, force })
}

/** How a switch of several is to be carried out. */
interface Terms {
  /** The plugin that somebody decided about; empty where they decided about each. */
  cause: string
  confirm: number | undefined
  force: boolean
}

/** Switches plugins of which each is in the other state now, with what goes along, in one epoch. */
export async function switchTogether(parts: LifecycleParts, wish: SwitchWish, terms: Terms): Promise<void> {
  const { inventory } = parts
  const { alsoOn, alsoOff } = await agreed(parts, wish, terms)
  const leaving = [...wish.off, ...alsoOff]
  const coming = [...alsoOn, ...wish.on]
  await carryOut(parts, terms.cause, leaving, coming)
  for (const name of [...leaving, ...coming]) {
    const plugin = inventory.find(name)
    if (plugin) await inventory.quarantines.release(plugin)
  }
}

function known({ inventory }: LifecycleParts, slug: string): DiscoveredPlugin {
  const plugin = inventory.find(slug)
  if (plugin) return plugin
  const broken = inventory.discovery.broken.find((entry) => entry.slug === slug)
  throw broken ? pluginErrors.start_failed({ slug, reason: broken.problem.message }) : pluginErrors.not_found({ slug })
}

/** What goes along, where it may and whoever asked has agreed to it. */
async function agreed(parts: LifecycleParts, wish: SwitchWish, { cause, confirm, force }: Terms) {
  const { inventory, activeSet } = parts
  const slug = cause || (wish.off[0] ?? wish.on[0] ?? '')
  const essential = wish.off.find((name) => inventory.find(name)?.manifest.essential)
  if (essential !== undefined && !force) throw pluginErrors.essential({ slug: essential })
  const { alsoOn, alsoOff } = consequencesOfWish(parts, wish)
  const other = alsoOff.find((name) => inventory.find(name)?.manifest.essential)
  if (other && !force) throw pluginErrors.essential({ slug: other }, { also_off: alsoOff, also_on: alsoOn })
  const coming = [...alsoOn, ...wish.on].flatMap((name) => inventory.find(name) ?? [])
  const last = lastOfKind(activeSet.plugins, [...wish.off, ...alsoOff], coming)
  if (last) throw pluginErrors.last_of_kind(last)
  if (force) return { alsoOn, alsoOff }
  const notes = await notesOn(parts, wish)
  const refusal = notes.find(({ refuses }) => refuses)
  if (refusal) throw pluginErrors.refused({ slug, reason: refusal.text }, { notes: [refusal] })
  const { epoch } = inventory.stored
  if ((alsoOn.length > 0 || alsoOff.length > 0 || notes.length > 0) && confirm !== epoch) {
    const values = { slug, others: [...alsoOff, ...alsoOn].join(', ') }
    const make = values.others === '' ? pluginErrors.warned : pluginErrors.switches_others
    throw make(values, { epoch, also_off: alsoOff, also_on: alsoOn, notes })
  }
  return { alsoOn, alsoOff }
}

/** What plugins say of a switch before it is made. */
export async function notesOn(parts: LifecycleParts, wish: SwitchWish): Promise<readonly SwitchNote[]> {
  const { alsoOn, alsoOff } = consequencesOfWish(parts, wish)
  const change = { off: [...wish.off, ...alsoOff], on: [...wish.on, ...alsoOn] }
  return (await parts.activeSet.view.run(kernelHooks.switching as never, [[], change])) as readonly SwitchNote[]
}

/** What waits in vain for one of them comes back with it, where it can. */
async function carryOut(parts: LifecycleParts, cause: string, leaving: readonly string[], coming: readonly string[]): Promise<void> {
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
      return await commit(parts, cause || (coming[0] ?? leaving[0] ?? ''), staying, fresh, { enabled, packages, reasons, cause })
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
