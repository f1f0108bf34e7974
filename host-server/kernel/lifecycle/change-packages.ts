import { packageErrors, pluginErrors, unknownNames } from '@stoa/sdk/kernel'
import semver from 'semver'
import { noPackage } from '../../data/site/plugin-states.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { refuseContracted } from '../packages/contracted.ts'
import { droppedIn, rolledBack, slugsOf } from '../packages/versions.ts'
import { adopt, adoptFolder, prune, put } from './change-version.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'
import { switchPlugin } from './switch-plugin.ts'

/** Unpacks an archive into the store; a plugin that runs is replaced by it, another one is listed. */
export async function installPackage(parts: LifecycleParts, file: string, named: boolean): Promise<DiscoveredPlugin> {
  const { inventory, options } = parts
  const plugin = await options.store.unpack(file)
  const { slug, version } = plugin.manifest
  try {
    const own = inventory.versions(slug).bundled
    if (own && !named && !semver.gt(version, own.manifest.version))
      throw packageErrors.not_newer({ slug, version, bundled: own.manifest.version })
    if (!own && options.reserved.has(slug) && !inventory.state(slug).ownsSlug) throw packageErrors.reserved({ slug })
    inventory.rescan()
    const others = inventory.discovery.plugins.map(({ manifest }) => manifest)
    for (const warning of unknownNames(plugin.manifest, others)) options.log('warn', slug, warning)
    await adopt(parts, plugin, { pinned: named })
  } finally {
    await prune(parts, slug)
  }
  return plugin
}

/** Goes back to the version that ran before. @param force also when that one is in quarantine */
export async function rollBack(parts: LifecycleParts, slug: string, force: boolean): Promise<void> {
  const { inventory, options } = parts
  const [target] = inventory.versions(slug).before
  if (!inventory.find(slug)) throw pluginErrors.not_found({ slug })
  if (!target) throw pluginErrors.nothing_before({ slug })
  if (inventory.quarantines.holds(target) && !force) {
    const reason = inventory.quarantines.problem(slug)?.message ?? ''
    throw pluginErrors.quarantined_before({ slug, version: target.manifest.version, reason })
  }
  await refuseContracted(options.data, target)
  await inventory.quarantines.release(target)
  await put(parts, target, rolledBack(inventory.state(slug), target, inventory.droppedFolder(slug)))
}

/** Takes an installed plugin away, back to the version that comes with the site if there is one. */
export async function removePackage(parts: LifecycleParts, slug: string, confirm: number | undefined, force: boolean): Promise<void> {
  const { inventory, options, activeSet } = parts
  inventory.rescan()
  const { kept } = inventory.found
  const folders = droppedIn(inventory.found, slug)
  if (folders.length === 0 && !kept.some(({ manifest }) => manifest.slug === slug))
    throw inventory.find(slug) ? pluginErrors.not_installed({ slug }) : pluginErrors.not_found({ slug })
  const { bundled } = inventory.versions(slug)
  const running = activeSet.running(slug)
  if (running?.origin === 'installed' && bundled) {
    await refuseContracted(options.data, bundled)
    await put(parts, bundled, noPackage)
  } else {
    if (running && !bundled) await switchPlugin(parts, slug, false, confirm, force)
    await inventory.save({
      packages: new Map([[slug, noPackage]]),
      reasons: new Map([[slug, '']]),
      enabled: new Map(bundled ? [] : [[slug, false]]),
      cause: slug,
    })
  }
  await options.store.remove(slug, folders)
  inventory.reasons.delete(slug)
  inventory.rescan()
}

/** Deletes what a plugin that is off has stored, for good. */
export async function eraseData({ inventory, options, activeSet }: LifecycleParts, slug: string): Promise<void> {
  if (activeSet.running(slug)) throw pluginErrors.still_on({ slug })
  if (!inventory.find(slug) && !(await options.data.hasDataOf(slug))) throw pluginErrors.not_found({ slug })
  await options.data.erase(slug)
  options.log('info', slug, 'Its data was deleted')
}

/** Takes over folders that changed, of plugins that should run. */
export async function takeFolders(parts: LifecycleParts, isReady: (folder: string) => boolean): Promise<void> {
  const { inventory, activeSet } = parts
  inventory.rescan()
  for (const slug of slugsOf(inventory.found)) {
    const { offered } = inventory.versions(slug)
    if (!offered || !isReady(offered.folder)) continue
    // What is refused is told in the lists.
    if (activeSet.running(slug) || (inventory.isWanted(offered) && inventory.reasons.has(slug)))
      await adoptFolder(parts, offered).catch(() => undefined)
  }
}

/** Replaces a plugin that runs by what lies in its folder now. */
export async function reload(parts: LifecycleParts, slug: string): Promise<void> {
  const { inventory, activeSet } = parts
  inventory.renew(slug)
  inventory.rescan()
  const running = activeSet.running(slug)
  const { bundled, dropped } = inventory.found
  const droppedFolder = [...bundled, ...dropped].find((plugin) => plugin.manifest.slug === slug)
  if (!running || !droppedFolder || droppedFolder.generation === running.generation) return
  if (droppedFolder.origin === 'bundled') await put(parts, droppedFolder, inventory.state(slug))
  else await adoptFolder(parts, droppedFolder)
}
