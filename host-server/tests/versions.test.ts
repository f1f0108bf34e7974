import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import { openData } from '../data/index.ts'
import type { Kernel, KernelOptions } from '../kernel.ts'
import { startKernel } from '../kernel.ts'
import { packedToy } from './pack.ts'
import type { Toy, ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

/** A clock that tells its version; `broken` replaces what it does when it starts. */
const clock = (version: string, change: Partial<Toy> & { manifest?: object } = {}): Toy => ({
  activate: `ctx.routes([get('/toy/clock', () => ${JSON.stringify(version)})])`,
  ...change,
  manifest: { version, ...change.manifest },
})

let site: ToySite
let database: TestDatabase | undefined
const others: Kernel[] = []
afterEach(async () => {
  for (const kernel of others.splice(0)) await kernel.close()
  await site.close()
  await database?.drop()
  database = undefined
})

async function start(toys: Record<string, Toy>): Promise<void> {
  if (process.env.STOA_TEST_DATABASE === 'postgres') database = await createDatabase(process.env.STOA_TEST_PG as string)
  site = await startToySite(toys, database ? { databaseUrl: database.url } : {})
}
const row = async (slug: string) =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: { slug_name: string }) => entry.slug_name === slug)
const clockSays = async () => (await site.call('GET', '/toy/clock')).data

describe('a new version in the folder of a running plugin', () => {
  it('takes over, and the way back leads to the one before', async () => {
    await start({ clock: clock('1.0.0') })
    await site.switch('clock', true)
    site.add('clock', clock('1.1.0'))
    await site.kernel.reload('clock')
    expect(await clockSays()).toBe('1.1.0')
    await site.restart()
    expect(await clockSays()).toBe('1.1.0')
    await site.kernel.lifecycle().rollback('clock')
    expect(await clockSays()).toBe('1.0.0')
    await site.restart()
    expect(await clockSays()).toBe('1.0.0')
    await expect(site.kernel.lifecycle().rollback('clock')).rejects.toMatchObject({ code: 'error.plugin.nothing_before' })
  })

  const broken: [string, Toy, string][] = [
    ['throws while it is loaded', { members: `...(() => { throw new Error('no spring') })(),` }, 'no spring'],
    ['throws while it starts', { activate: `throw new Error('no hands')` }, 'no hands'],
    ['answers its first call with an error', { activate: `ctx.routes([get('/toy/clock', () => { throw new Error('x') })])` }, '/toy/clock'],
    [
      'answers its probe with an error',
      {
        manifest: { probe: '/toy/tick' },
        activate: `ctx.routes([get('/toy/clock', () => 1), get('/toy/tick', () => { throw new Error('x') })])`,
      },
      '/toy/tick',
    ],
    ['has reads that do not load', { reads: `throw new Error('no eyes')`, activate: `ctx.routes([get('/toy/clock', () => 1)])` }, 'eyes'],
    ['needs what is not there', { manifest: { needs: { 'sun.light': '^1.0.0' } } }, 'sun.light'],
  ]
  it('that does not stand hands back to the one that runs, with the reason', async () => {
    await start({ clock: clock('1.0.0') })
    await site.switch('clock', true)
    const before = site.kernel.plugins.epoch
    for (const [what, toy, reason] of broken) {
      rmSync(join(site.dataDir, 'plugins/clock'), { recursive: true })
      site.add('clock', clock('1.1.0', toy))
      await expect(site.kernel.reload('clock'), what).rejects.toMatchObject({ code: 'error.plugin.start_failed' })
      expect(await clockSays(), what).toBe('1.0.0')
      expect(site.kernel.plugins.epoch, what).toBe(before)
      expect(await row('clock'), what).toMatchObject({ state: 'on', version: '1.0.0', reason: expect.stringContaining(reason) })
      expect(site.logged.at(-1), what).toContain(reason)
    }
    await site.restart()
    expect(await clockSays()).toBe('1.0.0')
    expect((await row('clock')).reason).toContain('sun.light')
  })

  it('is handed back at the next start when it came while the site was down', async () => {
    await start({ clock: clock('1.0.0') })
    await site.switch('clock', true)
    site.add('clock', clock('1.1.0', { activate: `throw new Error('no hands')` }))
    await site.restart()
    expect(await clockSays()).toBe('1.0.0')
    expect((await row('clock')).reason).toContain('no hands')
    site.add('clock', clock('1.2.0'))
    await site.restart()
    expect(await clockSays()).toBe('1.2.0')
    expect((await row('clock')).reason).toBe('')
  })

  it('that has taken something away from the tables cannot be gone back from', async () => {
    const step = (name: string, sql: string, contracts = false) =>
      `{ name: '${name}', contracts: ${contracts}, async up(db) { await require('kysely').sql\`${sql}\`.execute(db) } }`
    const first = step('0001-hands', 'create table clock__hand (n integer, old integer)')
    await start({ clock: clock('1.0.0') })
    site.write('clock/migrations.cjs', `module.exports.default = [${first}]`)
    await site.switch('clock', true)
    site.add('clock', clock('1.1.0'))
    site.write(
      'clock/migrations.cjs',
      `module.exports.default = [${first}, ${step('0002-less', 'alter table clock__hand drop column old', true)}]`,
    )
    await site.kernel.reload('clock')
    await expect.poll(() => site.kernel.data.contractedBeyond('clock', [{ name: '0001-hands' }]), { timeout: 20_000 }).toBe('0002-less')
    await expect(site.kernel.lifecycle().rollback('clock')).rejects.toMatchObject({ code: 'error.plugin.contracted' })
    expect(await clockSays()).toBe('1.1.0')
  })
})

describe('what another process decides', () => {
  it('is followed: on, off, and an order that nobody could carry out is taken back', async () => {
    await start({ clock: clock('1.0.0'), lazy: { activate: `throw new Error('no bed')` } })
    const other = await openData({
      dataDir: site.dataDir,
      ...(database && { databaseUrl: database.url }),
      passive: true,
      log: () => undefined,
    })
    const decide = async (switches: Record<string, boolean>, untried: string[] = []) => {
      const { noPackage } = await import('../data/site/plugin-states.ts')
      const enabled = new Map(Object.entries(switches))
      const packages = new Map(untried.map((slug) => [slug, { ...noPackage, untried: true }]))
      // The site may be storing what came out of the decision before.
      await expect
        .poll(async () => other.plugins.save((await other.plugins.load()).epoch, { enabled, packages }).catch(() => 0), { timeout: 20_000 })
        .toBeGreaterThan(0)
    }
    try {
      await decide({ clock: true })
      await expect.poll(clockSays, { timeout: 20_000 }).toBe('1.0.0')
      await decide({ clock: false })
      await expect.poll(async () => (await site.call('GET', '/toy/clock')).status, { timeout: 20_000 }).toBe(404)
      await decide({ lazy: true }, ['lazy'])
      await expect.poll(async () => (await other.plugins.load()).enabled.get('lazy'), { timeout: 20_000 }).toBe(false)
      expect((await row('lazy')).reason).toContain('no bed')
      expect((await site.switch('clock', true)).status).toBe(200)
      expect(await clockSays()).toBe('1.0.0')
    } finally {
      await other.close()
    }
  })

  const onPostgres = process.env.STOA_TEST_DATABASE === 'postgres' ? it : () => undefined
  onPostgres('reaches every node; of two at once one is refused', async () => {
    await start({ clock: clock('1.0.0'), bells: { activate: `ctx.routes([get('/toy/bells', () => 'ding')])` } })
    const second = await startKernel({
      dataDir: site.dataDir,
      databaseUrl: database?.url,
      port: 0,
      host: '127.0.0.1',
      pluginDirs: [],
      trustProxy: [],
      rateLimits: false,
      log: () => undefined,
    } satisfies KernelOptions)
    others.push(second)
    const there = async (path: string) => (await fetch(second.url + path)).status
    await site.switch('clock', true)
    await expect.poll(() => there('/toy/clock'), { timeout: 20_000 }).toBe(200)
    await second.plugins.switch('clock', false)
    await expect.poll(async () => (await site.call('GET', '/toy/clock')).status, { timeout: 20_000 }).toBe(404)
    const both = await Promise.allSettled([site.kernel.plugins.switch('clock', true), second.plugins.switch('bells', true)])
    const refused = both.filter((result) => result.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'error.plugin.busy' })
    const states = (kernel: Kernel) => [kernel.plugins.epoch, ...kernel.plugins.list().map(({ slug, state }) => `${slug} ${state}`)]
    await expect.poll(() => states(second), { timeout: 20_000 }).toEqual(states(site.kernel))
  })
})

describe('a node without the version that is chosen', () => {
  it('says what stands in for it, or that nothing does', async () => {
    await start({})
    const install = async (slug: string, toy: Toy) => {
      const file = join(site.dataDir, 'package.tgz')
      writeFileSync(file, await packedToy(slug, toy))
      await site.kernel.lifecycle().install(file, true)
    }
    site.add('clock', clock('1.0.0'))
    await site.switch('clock', true)
    await install('clock', clock('2.0.0'))
    await install('drum', { activate: `ctx.routes([get('/toy/drum', () => 1)])` })
    await site.switch('drum', true)
    await site.kernel.close()
    for (const slug of ['clock', 'drum']) rmSync(join(site.dataDir, 'plugins/.versions', slug), { recursive: true })
    await site.open()
    expect(await clockSays()).toBe('1.0.0')
    const missing = /2\.0\.0-.* is not on this node; 1\.0\.0 stands in for it/
    expect(await row('clock')).toMatchObject({ state: 'on', version: '1.0.0', reason: expect.stringMatching(missing) })
    expect(await row('drum')).toMatchObject({ state: 'failed', reason: expect.stringMatching(/1\.0\.0-.* is not on this node$/) })
    expect(site.logged.join('\n')).toMatch(missing)
  })
})
