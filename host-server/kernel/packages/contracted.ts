import { pluginErrors } from '@stoa/sdk/kernel'
import type { KernelData } from '../../data/index.ts'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import { loadBundle } from '../runtime/load-code.ts'

/** The migration that has taken away what this version needs; undefined for a version that knows every table as it is. */
export async function contractedStep(data: KernelData, plugin: DiscoveredPlugin): Promise<string | undefined> {
  const { migrations } = plugin.manifest.build
  const steps = migrations ? loadBundle<{ name: string }[]>(plugin, migrations) : []
  return await data.contractedBeyond(plugin.manifest.slug, steps)
}

/** @throws `error.plugin.contracted` where tables would keep this version from running */
export async function refuseContracted(data: KernelData, plugin: DiscoveredPlugin): Promise<void> {
  const step = await contractedStep(data, plugin)
  if (step !== undefined) throw pluginErrors.contracted({ slug: plugin.manifest.slug, version: plugin.manifest.version, step })
}
