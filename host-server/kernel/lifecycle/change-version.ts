import { pluginErrors } from '@stoa/sdk/kernel'
import { webEntryOf } from '../../../sdk/legacy/web-entry.ts'
import type { PackageState, PluginChange } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { refuseContracted } from '../packages/contracted.ts'
import { chosenNow } from '../packages/versions.ts'
import { commit } from './commit.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** Makes `plugin` the version that runs, or would. A version that does not stand hands back: what runs never stopped. */
export async function put(parts: LifecycleParts, plugin: DiscoveredPlugin, state: PackageState): Promise<void> {
  const { options, inventory, activeSet } = parts
  const { slug } = plugin.manifest
  const running = activeSet.running(slug)
  const change: PluginChange = { packages: new Map([[slug, state]]), reasons: new Map([[slug, '']]) }
  const isWaiting = !running && inventory.isWanted(plugin) && inventory.reasons.has(slug)
  const isHeldBack = inventory.stored.safeMode && plugin.origin !== 'bundled'
  if (isHeldBack || (!running && !isWaiting)) await inventory.save(change)
  else {
    await refuseContracted(options.data, plugin)
    const staying = activeSet.plugins.filter((entry) => entry !== running)
    await commit(parts, slug, staying, [plugin], change)
  }
  inventory.reasons.delete(slug)
}

/** A version from the store, or what comes with the site, takes the place of what ran; what ran can be gone back to. */
export async function adopt(
  parts: LifecycleParts,
  plugin: DiscoveredPlugin,
  how: Partial<Pick<PackageState, 'pinned' | 'fromFolder'>>,
): Promise<void> {
  const { inventory, activeSet, options } = parts
  const { slug } = plugin.manifest
  const { chosen, bundled } = inventory.versions(slug)
  const before = returnable(activeSet.running(slug) ?? chosen)
  await put(parts, plugin, chosenNow(inventory.state(slug), plugin, before, { ...how, bundled }))
  const webEntry = webEntryOf(plugin.manifest.build.web?.modules)
  if (webEntry !== undefined)
    options.log(
      'warn',
      slug,
      `${webEntry} is not loaded: since sdk 1.1, "contributes.taps" of plugin.json says what a plugin does in browsers`,
    )
}

/** A folder that changed takes the place of what ran from it; when it cannot, it is not tried again until it changes. */
export async function adoptFolder(parts: LifecycleParts, droppedFolder: DiscoveredPlugin): Promise<void> {
  const { inventory } = parts
  const { slug } = droppedFolder.manifest
  try {
    await adopt(parts, await copyToStore(parts, droppedFolder), { fromFolder: true })
  } catch (error) {
    await inventory.note(slug, { ...inventory.state(slug), judged: droppedFolder.generation })
    throw error
  } finally {
    await prune(parts, slug)
  }
}

/** The state of a plugin whose folder was taken over. @param before what ran */
export function folderTaken({ inventory }: LifecycleParts, kept: DiscoveredPlugin, before: DiscoveredPlugin | undefined): PackageState {
  const { slug } = kept.manifest
  const { bundled } = inventory.versions(slug)
  return chosenNow(inventory.state(slug), kept, returnable(before), { fromFolder: true, bundled })
}

/** A folder that was never copied cannot be gone back to once it has changed. */
const returnable = (plugin: DiscoveredPlugin | undefined): DiscoveredPlugin | undefined =>
  plugin?.key !== undefined || plugin?.origin === 'bundled' ? plugin : undefined

/** A plugin as it lies in the store, where nothing changes it any more. @throws `error.plugin.start_failed` */
export async function copyToStore({ options, inventory }: LifecycleParts, plugin: DiscoveredPlugin): Promise<DiscoveredPlugin> {
  const { slug } = plugin.manifest
  try {
    return await options.store.copyToStore(plugin)
  } catch (error) {
    inventory.fail(slug, (error as Error).message, error)
    throw pluginErrors.start_failed({ slug, reason: (error as Error).message })
  }
}

/** Versions that nobody can come back to leave the store. */
export async function prune({ options, inventory, activeSet }: LifecycleParts, slug: string): Promise<void> {
  const { chosen, history } = inventory.state(slug)
  const running = activeSet.running(slug)?.key
  await options.store
    .prune(slug, new Set([chosen, ...history, ...(running === undefined ? [] : [running])]))
    .catch((error) => options.log('warn', slug, `Old versions stay: ${(error as Error).message}`))
  inventory.rescan()
}
