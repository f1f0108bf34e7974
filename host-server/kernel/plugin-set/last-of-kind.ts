import { servicesOf } from '@stoa/sdk/kernel'
import type { DiscoveredPlugin } from '../../shared/types.ts'
import type { Running } from '../runtime/view.ts'

/**
 * What the site would be left without although it needs one: `language`, or a contract of which at least one plugin has to run.
 * How many a contract needs is said by code, so it is known of what runs and not of what only lies there.
 * @returns the plugin that is the last of its kind
 */
export function lastOfKind(
  on: readonly (DiscoveredPlugin & Partial<Pick<Running, 'provided'>>)[],
  off: readonly string[],
  coming: readonly DiscoveredPlugin[] = [],
): { slug: string; contract: string } | undefined {
  const after = [...on.filter(({ manifest }) => !off.includes(manifest.slug)), ...coming]
  for (const { manifest, provided } of on.filter(({ manifest }) => off.includes(manifest.slug))) {
    const { slug } = manifest
    if (manifest.contributes.language && !after.some((plugin) => plugin.manifest.contributes.language))
      return { slug, contract: 'language' }
    for (const [contract, { cardinality }] of provided ?? []) {
      if (cardinality === 'at-least-one' && !after.some((plugin) => servicesOf(plugin.manifest).includes(contract)))
        return { slug, contract }
    }
  }
  return undefined
}
