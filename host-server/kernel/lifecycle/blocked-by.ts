import type { CodedError } from '@stoa/sdk'
import { pluginProblems } from '@stoa/sdk/kernel'
import { providersFor } from '../plugin-set/resolve.ts'
import type { LifecycleParts } from './lifecycle-parts.ts'

/** The plugin in quarantine that a switched-on one needs, directly or through others. */
export function waitsFor(parts: LifecycleParts, slug: string, asked = new Set<string>()): string | undefined {
  const { inventory, activeSet } = parts
  const plugin = inventory.find(slug)
  if (!plugin || asked.has(slug) || !inventory.isWanted(plugin) || activeSet.running(slug)) return undefined
  asked.add(slug)
  for (const providers of providersFor(plugin, inventory.discovery.plugins)) {
    const slugs = providers.map(({ manifest }) => manifest.slug)
    if (slugs.some((other) => activeSet.running(other))) continue
    const cause =
      slugs.find((other) => inventory.quarantines.has(other)) ?? slugs.map((other) => waitsFor(parts, other, asked)).find(Boolean)
    if (cause !== undefined) return cause
  }
  return undefined
}

/** Why a plugin that is switched on does not run; undefined for all others. */
export function problemOf(parts: LifecycleParts, slug: string): CodedError | undefined {
  const { inventory, activeSet } = parts
  const plugin = inventory.find(slug)
  if (!plugin || activeSet.running(slug) || !inventory.isWanted(plugin)) return undefined
  const cause = waitsFor(parts, slug)
  return inventory.quarantines.problem(slug) ?? (cause === undefined ? undefined : pluginProblems.needs_quarantined({ slug: cause }))
}
