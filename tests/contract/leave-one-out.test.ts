import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { beforeAll, describe, expect, it } from 'vitest'
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

describe('a site that one plugin is missing from', () => {
  let complete: Surface

  beforeAll(async () => {
    const site = await startSite()
    complete = await surfaceOf(site)
    await site.close()
  })

  it.each(plugins)(
    'stands without $slug, and is complete when it returns',
    async ({ slug }) => {
      const site = await startSite({ leaveOut: [slug] })
      try {
        expect(site.plugins.list().map((row) => row.slug)).not.toContain(slug)
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
