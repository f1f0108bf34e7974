import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plugins } from '../support/plugins.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.close())

/** Every page with a parameter, for something that is not there. */
const deadLinks = plugins.flatMap(({ manifest }) =>
  (manifest.contributes?.routes ?? [])
    .filter(({ path }) => path.includes(':'))
    .flatMap(({ path }) => ['10010000000000999', 'nobody', 'D1'].map((value) => path.replaceAll(/:[^/]+/g, value))),
)

it('links to what is not there are no faults of the plugins whose pages they are', async () => {
  expect(deadLinks.length).toBeGreaterThan(5)
  const visitor = site.visitor()
  const calls = [
    'experience/info?id=10010000000000999',
    'answer/info?id=10020000000000999',
    'personal/user/info?username=nobody',
    'tag?name=none',
  ]
  for (const path of [...deadLinks, ...calls.map((call) => `/answer/api/v1/${call}`)])
    expect((await visitor.fetch(path, { headers: { accept: 'text/html' } })).status, path).toBeLessThan(500)
  const faulty = site.plugins.list().filter(({ faults }) => faults.count > 0)
  expect(faulty.map(({ slug, faults }) => [slug, faults])).toEqual([])
  expect(site.errors).toEqual([])
}, 120_000)
