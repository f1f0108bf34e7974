import semver from 'semver'
import type { DiscoveredPlugin } from '../../types.ts'

/** Why a set of plugins cannot run together, per slug. */
export type Problems = Map<string, string>

/** Contracts of which the last provider may not go off, by point: slugs that keep it. */
const providesOf = (plugin: DiscoveredPlugin) => Object.entries(plugin.manifest.provides ?? {})

/** True when `plugin` provides service `id` in `range`. */
function provides(plugin: DiscoveredPlugin, id: string, range: string): boolean {
  const version = plugin.manifest.provides?.[id]
  return version !== undefined && semver.satisfies(version, range)
}

/**
 * Orders plugins so that providers come before those that need them. Slugs break ties, so the order is always the same.
 * Plugins with a missing need, in a cycle, or in conflict with another are left out and named with their reason.
 * @param running slugs that are not to lose a conflict against what comes later
 */
export function resolve(
  wanted: readonly DiscoveredPlugin[],
  running: ReadonlySet<string> = new Set(),
): { ordered: DiscoveredPlugin[]; problems: Problems } {
  const problems: Problems = new Map()
  let set = [...wanted].sort((a, b) => a.manifest.slug.localeCompare(b.manifest.slug))
  const rank = ({ manifest, origin }: DiscoveredPlugin) => (running.has(manifest.slug) ? 0 : origin === 'bundled' ? 1 : 2)
  const staying = withoutConflicts(
    [...set].sort((a, b) => rank(a) - rank(b)),
    problems,
  )
  set = set.filter((plugin) => staying.has(plugin))
  for (;;) {
    const broken = set.filter((plugin) => {
      const missing = missingNeeds(plugin, set)
      if (missing) problems.set(plugin.manifest.slug, missing)
      return missing
    })
    if (broken.length === 0) break
    set = set.filter((plugin) => !broken.includes(plugin))
  }
  const ordered: DiscoveredPlugin[] = []
  let rest = set
  while (rest.length > 0) {
    const ready = rest.filter((plugin) => needsOf(plugin, rest).length === 0)
    if (ready.length === 0) break
    ordered.push(...ready)
    rest = rest.filter((plugin) => !ready.includes(plugin))
  }
  if (rest.length > 0) {
    const cycle = findCycle(rest)
    for (const plugin of rest) problems.set(plugin.manifest.slug, `Needs form a circle: ${cycle.join(' → ')}`)
  }
  return { ordered, problems }
}

function needsOf(plugin: DiscoveredPlugin, among: readonly DiscoveredPlugin[]): DiscoveredPlugin[] {
  const needs = Object.entries(plugin.manifest.needs ?? {})
  return among.filter((other) => other !== plugin && needs.some(([id, range]) => provides(other, id, range)))
}

/** Plugins that could satisfy each need of one, one list per need. */
export function providersFor(plugin: DiscoveredPlugin, among: readonly DiscoveredPlugin[]): DiscoveredPlugin[][] {
  return Object.entries(plugin.manifest.needs ?? {}).map(([id, range]) =>
    among.filter((other) => other !== plugin && provides(other, id, range)),
  )
}

function missingNeeds(plugin: DiscoveredPlugin, set: readonly DiscoveredPlugin[]): string | undefined {
  for (const [id, range] of Object.entries(plugin.manifest.needs ?? {})) {
    if (set.some((other) => provides(other, id, range))) continue
    const offered = set.flatMap((other) =>
      providesOf(other)
        .filter(([other]) => other === id)
        .map(([, version]) => version),
    )
    return offered.length > 0
      ? `Needs ${id} ${range}; active plugins provide ${offered.join(', ')}`
      : `Needs ${id} ${range}, which no active plugin provides`
  }
  return undefined
}

/** @param set those that keep what they have come first */
function withoutConflicts(set: DiscoveredPlugin[], problems: Problems): Set<DiscoveredPlugin> {
  const singles = new Map<string, string>()
  const kinds = new Map<number, string>()
  const pages = new Map<string, string>()
  const staying = set.filter((plugin) => {
    const slug = plugin.manifest.slug
    const paths = (plugin.manifest.contributes.routes ?? []).map(({ path }) => path)
    const page = paths.find((path) => pages.has(pageShape(path)))
    const single = plugin.manifest.single?.find((kind) => singles.has(kind))
    const code = Object.values(plugin.manifest.kinds ?? {}).find((value) => kinds.has(value))
    if (single !== undefined) problems.set(slug, `Only one plugin of kind "${single}" may be on; ${singles.get(single)} is`)
    else if (code !== undefined) problems.set(slug, `Kind code ${code} is taken by ${kinds.get(code)}`)
    else if (page !== undefined) problems.set(slug, `The page ${page} is already shown by ${pages.get(pageShape(page))}`)
    else {
      for (const path of paths) pages.set(pageShape(path), slug)
      for (const kind of plugin.manifest.single ?? []) singles.set(kind, slug)
      for (const value of Object.values(plugin.manifest.kinds ?? {})) kinds.set(value, slug)
      return true
    }
    return false
  })
  return new Set(staying)
}

/** Pages with one shape answer the same addresses: names of parameters, case and a slash at the end do not count. */
const pageShape = (path: string): string =>
  path
    .split('/')
    .map((part) => (part.startsWith(':') ? ':' : part.toLowerCase()))
    .join('/')
    .replace(/(.)\/$/, '$1')

function findCycle(rest: readonly DiscoveredPlugin[]): string[] {
  const path: DiscoveredPlugin[] = []
  let at = rest[0] as DiscoveredPlugin
  while (!path.includes(at)) {
    path.push(at)
    at = needsOf(at, rest)[0] as DiscoveredPlugin
  }
  return [...path.slice(path.indexOf(at)), at].map((plugin) => plugin.manifest.slug)
}

/** What switching `slug` would take along, so that the rest can run: dependents off, needs on, another of a single kind off. */
export function consequences(
  all: readonly DiscoveredPlugin[],
  on: ReadonlySet<string>,
  slug: string,
  enable: boolean,
): { alsoOn: string[]; alsoOff: string[] } {
  const bySlug = new Map(all.map((plugin) => [plugin.manifest.slug, plugin]))
  const next = new Set(on)
  const alsoOn: string[] = []
  const alsoOff: string[] = []
  const turnOff = (victim: string) => {
    next.delete(victim)
    if (victim !== slug) alsoOff.push(victim)
  }
  if (enable) {
    const queue = [slug]
    for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
      next.add(at)
      const plugin = bySlug.get(at)
      if (!plugin) continue
      for (const kind of plugin.manifest.single ?? []) {
        for (const other of all) {
          if (other !== plugin && next.has(other.manifest.slug) && other.manifest.single?.includes(kind)) turnOff(other.manifest.slug)
        }
      }
      for (const [id, range] of Object.entries(plugin.manifest.needs ?? {})) {
        if (all.some((other) => next.has(other.manifest.slug) && provides(other, id, range))) continue
        const provider = all.find((other) => provides(other, id, range))
        if (!provider || next.has(provider.manifest.slug)) continue
        alsoOn.push(provider.manifest.slug)
        queue.push(provider.manifest.slug)
      }
    }
  } else turnOff(slug)
  for (;;) {
    const victims = all.filter(
      (plugin) =>
        next.has(plugin.manifest.slug) &&
        on.has(plugin.manifest.slug) &&
        missingNeeds(
          plugin,
          all.filter((other) => next.has(other.manifest.slug)),
        ),
    )
    if (victims.length === 0) break
    for (const victim of victims) turnOff(victim.manifest.slug)
  }
  return { alsoOn, alsoOff }
}
