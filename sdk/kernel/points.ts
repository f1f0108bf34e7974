import type { Contributions, Manifest } from '../shared/manifest.ts'

/** Points whose entries have names, by id. */
export type NamedPoints = ReadonlyMap<string, { owner: string; member: string }>

/** The points of a set of plugins that say which member names an entry. */
export function namedPoints(manifests: readonly Pick<Manifest, 'slug' | 'points'>[]): NamedPoints {
  return new Map(
    manifests.flatMap(({ slug, points = {} }) =>
      Object.entries(points).flatMap(([id, { names }]) => (names === undefined ? [] : [[id, { owner: slug, member: names }] as const])),
    ),
  )
}

export const entriesIn = (value: unknown): unknown[] => (value === undefined ? [] : Array.isArray(value) ? value : [value])

export function nameOf(entry: unknown, member: string): string | undefined {
  const name = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[member] : undefined
  return typeof name === 'string' ? name : undefined
}

/** What the names that a plugin gives begin with. */
export const ownPrefixes = ({ slug, kinds = {} }: Pick<Manifest, 'slug' | 'kinds'>): string[] =>
  [slug, ...Object.keys(kinds)].map((own) => `${own}.`)

/**
 * What a plugin contributes, without names that it may not give. A plugin that was built when nobody asked (sdk 1.0) goes on without them; any other
 * is not on with them.
 */
export function contributionsOf(manifest: Manifest, points: NamedPoints): Contributions {
  const { slug, contributes = {}, contracts } = manifest
  if (contracts || points.size === 0) return contributes
  const own = ownPrefixes(manifest)
  const kept = [...points].flatMap(([point, { owner, member }]) => {
    if (owner === slug || contributes[point] === undefined) return []
    const isOwn = (entry: unknown) => own.some((prefix) => nameOf(entry, member)?.startsWith(prefix))
    return [[point, entriesIn(contributes[point]).filter(isOwn)] as const]
  })
  return { ...contributes, ...Object.fromEntries(kept) }
}
