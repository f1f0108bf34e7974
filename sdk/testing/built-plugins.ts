import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { meets, usesOf } from '../kernel/contracts.ts'
import type { Manifest } from '../shared/manifest.ts'

/** Manifests of the built plugins in a folder, in order of their slugs. */
export function builtManifests(folder: string): Manifest[] {
  const files = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name, 'plugin.json'))
  return files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest)
}

/**
 * The smallest set that runs: what was asked for, what is essential, and providers of what those need.
 * @throws when a slug is not there
 */
export function withNeeds(all: Manifest[], slugs: string[]): string[] {
  const unknown = slugs.filter((slug) => !all.some((manifest) => manifest.slug === slug))
  if (unknown.length > 0)
    throw new Error(`No built plugin is called ${unknown.join(', ')}; built are ${all.map((manifest) => manifest.slug).join(', ')}`)
  const chosen = new Set([...slugs, ...all.filter((manifest) => manifest.essential).map((manifest) => manifest.slug)])
  for (const slug of chosen) {
    const manifest = all.find((one) => one.slug === slug)
    for (const use of manifest ? usesOf(manifest) : []) {
      if (!use.isNeeded || use.kind === 'services') continue
      const providers = all.filter((other) => meets(other, use))
      if (providers.length > 0 && !providers.some((manifest) => chosen.has(manifest.slug))) chosen.add((providers[0] as Manifest).slug)
    }
  }
  return [...chosen].sort()
}
