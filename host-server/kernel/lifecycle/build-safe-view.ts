import type { DiscoveredPlugin } from '../../shared/types.ts'
import { contractedStep } from '../packages/contracted.ts'
import type { SafeView } from '../plugin-set/active-set.ts'
import { buildSet } from '../plugin-set/build-set.ts'
import { PluginRejected } from '../plugin-set/plugin-rejected.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** What an admin in safe mode sees: what comes with the site, as far as it is on. What does not fit without the rest is left out. */
export async function buildSafeView({ options, inventory, activeSet }: LifecycleParts): Promise<SafeView> {
  const base = activeSet.view
  const wanted = new Map<string, DiscoveredPlugin>()
  for (const { manifest } of activeSet.plugins) {
    const { bundled } = inventory.versions(manifest.slug)
    if (bundled && (await contractedStep(options.data, bundled)) === undefined) wanted.set(manifest.slug, bundled)
  }
  const reusable = new Set(base.plugins)
  for (;;) {
    try {
      const prepared = { ...options, prepareSet: options.prepareSafe }
      const builtSet = await buildSet([...wanted.values()], inventory.stored.epoch, base.plugins, reusable, prepared)
      return { ...builtSet, base, own: [...reusable].filter((plugin) => !base.plugins.includes(plugin)) }
    } catch (error) {
      if (error instanceof PluginRejected && wanted.delete(error.slug)) continue
      await activeSet.stopUnused(reusable)
      throw error
    }
  }
}
