import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import type { PluginFolder } from '../support/plugins.ts'
import { plugins } from '../support/plugins.ts'
import type { Surface } from '../support/surface.ts'
import { apiDocument, surfaceOf } from '../support/surface.ts'

/** Something for every parameter; most objects do not exist, which must not trouble anybody. */
const fill = (path: string) => path.replace(/\{(\w+)\}|:(\w+)\??/g, '10010000000000001').replace(/\*$/, 'x')

/** Addresses that are asked at the same time. */
const AT_ONCE = 8

/** What answers with a server error, for each kind of person. */
async function failing(site: Site): Promise<string[]> {
  const calls = Object.entries((await apiDocument(site)).paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => fill(path))
  const pages = plugins.flatMap(({ manifest }) => manifest.contributes?.routes ?? []).map((route) => fill(route.path))
  const paths = [...new Set([...calls, ...pages, '/', '/healthz'])]
  const asked = [site.visitor(), await site.member('reader'), await site.admin()].flatMap((person) =>
    paths.map((path) => ({ person, path })),
  )
  const failed: string[] = []
  const work = async () => {
    for (let next = asked.pop(); next; next = asked.pop()) {
      const { status } = await next.person.get(next.path)
      if (status >= 500) failed.push(`${next.person.name} ${next.path}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return failed.sort()
}

/** Contracts that a plugin knows of. */
const known = ({ manifest: { needs = {}, wants = {}, provides = {} } }: PluginFolder) =>
  new Set([...Object.keys(needs), ...Object.keys(wants), ...Object.keys(provides)].map((key) => key.split('.')[0]))

/** Neither has anything of the other, so that each is missing as if it were alone. */
function areStrangers(one: PluginFolder, other: PluginFolder): boolean {
  return !known(one).has(other.slug) && !known(other).has(one.slug)
}

/** Every plugin in one of few groups of strangers: whoever would miss one of a group is there. */
function groups(): PluginFolder[][] {
  const made: PluginFolder[][] = []
  for (const plugin of plugins) {
    const group = made.find((members) => members.every((member) => areStrangers(member, plugin)))
    if (group) group.push(plugin)
    else made.push([plugin])
  }
  return made
}

describe('a site that plugins are missing from which do not know each other', () => {
  let complete: Surface

  beforeAll(async () => {
    const site = await startSite()
    complete = await surfaceOf(site)
    await site.close()
  })

  it.each(
    groups()
      .map((members) => members.map(({ slug }) => slug))
      .map((slugs) => ({ slugs, names: slugs.join(', ') })),
  )(
    'stands without $names, and is complete when they return',
    async ({ slugs }) => {
      const site = await startSite({ leaveOut: slugs })
      try {
        const there = site.plugins.list().map((row) => row.slug)
        expect(there.filter((slug) => slugs.includes(slug))).toEqual([])
        expect(await failing(site)).toEqual([])
        await site.restart({ leaveOut: [] })
        expect(await surfaceOf(site)).toEqual(complete)
        expect(site.plugins.list().filter((row) => row.reason !== '')).toEqual([])
      } finally {
        await site.close()
      }
    },
    120_000,
  )
})
