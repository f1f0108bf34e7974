import type { NamedPoints, Use } from '@stoa/sdk/kernel'
import { contributionsOf, entriesIn, meets, missingNeed, namedPoints, nameOf, offeredIds, ownPrefixes, usesOf } from '@stoa/sdk/kernel'
import type { DiscoveredPlugin } from '../../shared/types.ts'

/** Why a set of plugins cannot run together, per slug. */
export type Problems = Map<string, string>

/** How the reason of plugins begins that need each other. */
export const CIRCLE = 'Needs form a circle: '

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
    for (const plugin of rest) problems.set(plugin.manifest.slug, CIRCLE + cycle.join(' → '))
  }
  return { ordered, problems }
}

const needsIn = ({ manifest }: DiscoveredPlugin): Use[] => usesOf(manifest).filter(({ isNeeded, kind }) => isNeeded && kind !== 'services')

function needsOf(plugin: DiscoveredPlugin, among: readonly DiscoveredPlugin[]): DiscoveredPlugin[] {
  const needs = needsIn(plugin)
  return among.filter((other) => other !== plugin && needs.some((use) => meets(other.manifest, use)))
}

/** Plugins that could satisfy each need of one, one list per need. */
export function providersFor(plugin: DiscoveredPlugin, among: readonly DiscoveredPlugin[]): DiscoveredPlugin[][] {
  return needsIn(plugin).map((use) => among.filter((other) => other !== plugin && meets(other.manifest, use)))
}

function missingNeeds({ manifest }: DiscoveredPlugin, set: readonly DiscoveredPlugin[]): string | undefined {
  const missing = missingNeed(
    manifest,
    set.map((other) => other.manifest),
  )
  return missing && missing[0]?.toUpperCase() + missing.slice(1)
}

/** @param set those that keep what they have come first */
function withoutConflicts(set: DiscoveredPlugin[], problems: Problems): Set<DiscoveredPlugin> {
  const taken = new Map<string, string>()
  const points = namedPoints(set.map(({ manifest }) => manifest))
  const staying = set.filter((plugin) => {
    const { slug } = plugin.manifest
    const claims = claimsOf(plugin, points)
    const conflict = claims.find(({ key }) => taken.has(key))
    const problem = misnamed(plugin, points) ?? conflict?.sentence(taken.get(conflict.key) as string)
    if (problem !== undefined) problems.set(slug, problem)
    else for (const { key } of claims) taken.set(key, slug)
    return problem === undefined
  })
  return new Set(staying)
}

/** What only one plugin of a set may have. */
interface Claim {
  key: string
  /** Why another cannot have it too. */
  sentence(owner: string): string
}

function claimsOf({ manifest }: DiscoveredPlugin, points: NamedPoints): Claim[] {
  const { single = [], kinds = {}, contributes } = manifest
  const claims: Claim[] = [
    ...single.map((kind) => ({
      key: `single ${kind}`,
      sentence: (owner: string) => `Only one plugin of kind "${kind}" may be on; ${owner} is`,
    })),
    ...Object.values(kinds).map((code) => ({ key: `kind ${code}`, sentence: (owner: string) => `Kind code ${code} is taken by ${owner}` })),
    ...(contributes.routes ?? []).map(({ path }) => ({
      key: `page ${pageShape(path)}`,
      sentence: (owner: string) => `The page ${path} is already shown by ${owner}`,
    })),
    ...(['service', 'read'] as const).flatMap((kind) =>
      offeredIds(manifest, kind).map((id) => ({
        key: `${kind} ${id}`,
        sentence: (owner: string) => `${id} is already provided by ${owner}`,
      })),
    ),
    ...[...points].flatMap(([point, { member }]) =>
      namesIn(contributionsOf(manifest, points)[point], member).map((name) => ({
        key: `${point} ${name}`,
        sentence: (owner: string) => `"${name}" in ${point} belongs to ${owner}`,
      })),
    ),
  ]
  // What a plugin says twice is its own matter.
  return [...new Map(claims.map((claim) => [claim.key, claim])).values()]
}

const namesIn = (value: unknown, member: string): string[] => entriesIn(value).flatMap((entry) => nameOf(entry, member) ?? [])

/** Why an entry of a point cannot stand: it has no name, or one that says another owner. */
function misnamed({ manifest }: DiscoveredPlugin, points: NamedPoints): string | undefined {
  const own = ownPrefixes(manifest)
  for (const [point, { owner, member }] of points) {
    const value = contributionsOf(manifest, points)[point]
    const names = namesIn(value, member)
    if (names.length < entriesIn(value).length) return `"contributes" must give each entry of ${point} a "${member}"`
    const foreign = manifest.slug === owner ? undefined : names.find((name) => !own.some((prefix) => name.startsWith(prefix)))
    if (foreign !== undefined) return `"${foreign}" in ${point} must begin with ${own.map((prefix) => `"${prefix}"`).join(' or ')}`
  }
  return undefined
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
  return consequencesOfAll(all, on, enable ? { on: [slug], off: [] } : { on: [], off: [slug] })
}

/** Plugins that are to go on and off together. */
export interface SwitchWish {
  on: readonly string[]
  off: readonly string[]
}

/** The same for several at once. @returns `unmet`: those that cannot be on beside the others */
export function consequencesOfAll(
  all: readonly DiscoveredPlugin[],
  on: ReadonlySet<string>,
  wish: SwitchWish,
): { alsoOn: string[]; alsoOff: string[]; unmet: string[] } {
  const bySlug = new Map(all.map((plugin) => [plugin.manifest.slug, plugin]))
  const asked = new Set([...wish.on, ...wish.off])
  const next = new Set([...on].filter((slug) => !wish.off.includes(slug)))
  const alsoOn: string[] = []
  const alsoOff: string[] = []
  const turnOff = (victim: string) => {
    next.delete(victim)
    if (!asked.has(victim)) alsoOff.push(victim)
  }
  const queue = [...wish.on]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    next.add(at)
    const plugin = bySlug.get(at)
    if (!plugin) continue
    for (const kind of plugin.manifest.single ?? []) {
      for (const other of all) {
        if (other !== plugin && next.has(other.manifest.slug) && other.manifest.single?.includes(kind)) turnOff(other.manifest.slug)
      }
    }
    for (const use of needsIn(plugin)) {
      if (all.some((other) => (next.has(other.manifest.slug) || wish.on.includes(other.manifest.slug)) && meets(other.manifest, use)))
        continue
      const provider = all.find((other) => !wish.off.includes(other.manifest.slug) && meets(other.manifest, use))
      if (!provider || next.has(provider.manifest.slug) || alsoOn.includes(provider.manifest.slug)) continue
      alsoOn.push(provider.manifest.slug)
      queue.push(provider.manifest.slug)
    }
  }
  const lacking = (plugin: DiscoveredPlugin): boolean =>
    missingNeeds(
      plugin,
      all.filter((other) => next.has(other.manifest.slug)),
    ) !== undefined
  for (;;) {
    const victims = all.filter((plugin) => next.has(plugin.manifest.slug) && on.has(plugin.manifest.slug) && lacking(plugin))
    if (victims.length === 0) break
    for (const victim of victims) turnOff(victim.manifest.slug)
  }
  const unmet = wish.on.filter((slug) => {
    const plugin = bySlug.get(slug)
    return !plugin || !next.has(slug) || lacking(plugin)
  })
  return { alsoOn, alsoOff, unmet }
}
