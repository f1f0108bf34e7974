import type { CodedError } from '@stoa/sdk'
import { lastOfKind } from '../plugin-set/last-of-kind.ts'
import { consequences } from '../plugin-set/resolve.ts'
import { commit } from './commit.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/**
 * Takes a running plugin out of service until somebody switches it on again; those that need it go with it and come back with it.
 * What the site cannot do without is started again instead. The reason survives a restart.
 */
export async function quarantinePlugin(parts: LifecycleParts, slug: string, problem: CodedError): Promise<void> {
  const { options, inventory, activeSet } = parts
  const plugin = activeSet.running(slug)
  if (!plugin) return
  const others = consequences(inventory.discovery.plugins, activeSet.slugs(), slug, false).alsoOff
  const off = [slug, ...others]
  if (!mayGo(parts, off)) {
    options.log('error', slug, `Starts again, since the site needs it: ${problem.message}`)
    const staying = activeSet.plugins.filter((entry) => entry !== plugin)
    return await commit(parts, slug, staying, [plugin], {})
  }
  options.log('error', slug, `Quarantined: ${problem.message}`, others.length > 0 ? { also_off: others } : undefined)
  await inventory.quarantines.hold(plugin, problem)
  const staying = activeSet.plugins.filter((entry) => !off.includes(entry.manifest.slug))
  await commit(parts, slug, staying, [], { paused: off })
}

function mayGo({ inventory, activeSet }: LifecycleParts, slugs: readonly string[]): boolean {
  return !slugs.some((slug) => inventory.find(slug)?.manifest.essential) && !lastOfKind(activeSet.plugins, slugs)
}
