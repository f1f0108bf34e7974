import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PluginRow } from '../administration/index.ts'
import { textsOf } from '../build/check-plugin.ts'
import { offered, usesOf } from '../kernel/contracts.ts'
import { builtManifests } from './built-plugins.ts'
import { builtFolder } from './checkout.ts'
import type { TestPerson } from './person.ts'
import type { Site } from './site.ts'
import { startSite } from './start-site.ts'

/** One test for whatever runs tests: `test(name, run)`. */
export interface ContractTest {
  name: string
  run(): Promise<void>
}

export interface ContractTestOptions {
  /** Of the plugin. */
  slug: string
  /** Folders that hold built plugins, among them this one: the `dist` of its project. */
  pluginDirs?: string[]
  /** As for `startSite`. */
  database?: 'sqlite' | 'postgres'
}

/** What no input may bring a call out of step with. */
const HOSTILE: unknown[] = [
  null,
  '',
  -1,
  1e308,
  'x'.repeat(20_000),
  "' or 1=1 --",
  '\u0000',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '{{constructor}}',
  '1001000000000000199',
  [],
  [[]],
  {},
  { toString: 1, __proto__: null },
]

interface Operation {
  tags: string[]
  'x-access': string
  parameters: { name: string; in: 'query' | 'path' }[]
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> }
}

/**
 * What every plugin should bear, as tests: its texts in all languages, going off and coming back twice, doing without each plugin that it only wants,
 * and hostile input to each of its calls. They run on one site, in this order; the last one ends it.
 */
export function contractTests({ slug, pluginDirs = [], database }: ContractTestOptions): ContractTest[] {
  const folders = [join(builtFolder, 'plugins'), ...pluginDirs]
  const all = () => folders.flatMap(builtManifests)
  const folder = () => folders.map((one) => join(one, slug)).find((one) => existsSync(join(one, 'plugin.json')))
  let starting: Promise<Site> | undefined
  const started = () => {
    starting ??= startSite({ pluginDirs, ...(database && { database }) }).then(async (site) => {
      if (row(site).state !== 'on') await site.switch(slug, true)
      return site
    })
    return starting
  }
  const row = (site: Site): PluginRow => {
    const found = site.plugins.list().find((one) => one.slug === slug)
    assert(found, `No built plugin is called ${slug}`)
    return found
  }
  const isWell = (site: Site) => {
    assert.equal(row(site).state, 'on', row(site).reason)
    assert.deepEqual(site.errors, [])
    assert.equal(row(site).faults.count, 0, row(site).faults.last?.message ?? '')
  }
  const operations = async (site: Site) => {
    const { paths } = JSON.parse((await site.visitor().get('/openapi.json')).text) as { paths: Record<string, Record<string, Operation>> }
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) => (operation.tags.includes(slug) ? [{ path, method, operation }] : [])),
    )
  }

  return [
    {
      name: `${slug} has the same texts in all languages`,
      async run() {
        const at = folder()
        const manifest = all().find((one) => one.slug === slug)
        assert(at && manifest, `No built plugin is called ${slug}`)
        const locales = existsSync(join(at, 'locales')) ? readdirSync(join(at, 'locales')).map((name) => name.replace(/\.json$/, '')) : []
        const findings = textsOf({ folder: at, manifest, locales, modules: [], server: false })
        assert.deepEqual(
          findings.flatMap(({ error }) => error ?? []),
          [],
        )
      },
    },
    {
      name: `${slug} goes off and comes back, twice`,
      async run() {
        const site = await started()
        const pages = row(site).adds.pages.filter((path) => !/[:*]/.test(path))
        for (let round = 0; round < 2 && !row(site).essential; round++) {
          await site.switch(slug, false)
          for (const path of pages) assert.equal((await site.visitor().get(path)).status, 404, `${path} while ${slug} is off`)
          await site.switch(slug, true)
          for (const path of pages) assert((await site.visitor().get(path)).status < 400, `${path} while ${slug} is on`)
        }
        await site.idle()
        isWell(site)
      },
    },
    {
      name: `${slug} does without each plugin that it only wants`,
      async run() {
        const site = await started()
        const manifest = all().find((one) => one.slug === slug)
        const uses = manifest ? usesOf(manifest) : []
        const others = all().filter((other) => other.slug !== slug && uses.some((use) => offered(other, use) !== undefined))
        for (const other of others) {
          const is = () => site.plugins.list().find((one) => one.slug === other.slug)
          if (is()?.essential || is()?.state !== 'on') continue
          const before = site.plugins.list().filter((one) => one.state === 'on')
          await site.switch(other.slug, false)
          // What it needs takes it along.
          if (row(site).state === 'on') {
            for (const { path, method, operation } of await operations(site))
              if (method === 'get' && !/[{*]/.test(path)) await asked(await site.admin(), path, method, operation, undefined)
            isWell(site)
          }
          for (const { slug: gone } of before)
            if (site.plugins.list().find((one) => one.slug === gone)?.state !== 'on') await site.switch(gone, true)
        }
        isWell(site)
      },
    },
    {
      name: `${slug} answers hostile input without a fault`,
      async run() {
        const site = await started()
        const people = [site.visitor(), await site.member('contract'), await site.admin()]
        for (const { path, method, operation } of await operations(site))
          for (const value of HOSTILE) for (const person of people) await asked(person, path, method, operation, value)
        await site.idle()
        isWell(site)
      },
    },
    {
      name: `${slug} ends`,
      async run() {
        await (await started()).close()
      },
    },
  ]
}

/** Sends one value wherever the call takes one. @throws when it is answered with a fault */
async function asked(person: TestPerson, path: string, method: string, operation: Operation, value: unknown): Promise<void> {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')
  const [asJson] = Object.values(operation.requestBody?.content ?? {})
  const members = Object.keys(asJson?.schema.properties ?? {})
  const address = path.replace(/\{\w+\}/g, encodeURIComponent(text.slice(0, 400)) || '0')
  const query = new URLSearchParams(
    operation.parameters.flatMap(({ name, in: place }) => (place === 'query' && value !== undefined ? [[name, text.slice(0, 4000)]] : [])),
  )
  const body = JSON.stringify(Object.fromEntries(members.map((name) => [name, value ?? null])))
  const reply = await person.fetch(`${address}${query.size > 0 ? `?${query}` : ''}`, {
    method: method.toUpperCase(),
    ...(method !== 'get' && { body, headers: { 'content-type': 'application/json' } }),
  })
  await reply.body?.cancel()
  assert(reply.status < 500, `${method.toUpperCase()} ${path} answered ${reply.status} to ${text.slice(0, 100)}`)
}
