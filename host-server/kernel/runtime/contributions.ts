import type { Cuts } from '@stoa/sdk/kernel'
import { contributionsOf, namedPoints } from '@stoa/sdk/kernel'
import type { Contributions, Manifest } from '@stoa/sdk/manifest'

export type Contributed = <T>(point: string) => readonly { slug: string; value: T }[]

/** Tells what plugins contribute to a point, in their order: the same list each time, for whoever keeps what it made of it. */
export function contributedBy(plugins: readonly { slug: string; contributes: Contributions }[], cuts: Pick<Cuts, 'has'>): Contributed {
  const known = new Map<string, readonly { slug: string; value: unknown }[]>()
  return <T>(point: string) => {
    let found = known.get(point)
    if (!found) {
      found = plugins.flatMap(({ slug, contributes }) =>
        contributes[point] === undefined || cuts.has(slug, { kind: 'point', id: point }) ? [] : [{ slug, value: contributes[point] }],
      )
      known.set(point, found)
    }
    return found as { slug: string; value: T }[]
  }
}

/** What plugins of a set contribute, each only what it may. */
export function contributing(plugins: readonly { manifest: Manifest }[]): { slug: string; contributes: Contributions }[] {
  const points = namedPoints(plugins.map(({ manifest }) => manifest))
  return plugins.map(({ manifest }) => ({ slug: manifest.slug, contributes: contributionsOf(manifest, points) }))
}
