import { afterEach, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

let site: ToySite
afterEach(() => site.close())

const row = async (slug: string) =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: { slug_name: string }) => entry.slug_name === slug)
async function start(toys: Parameters<typeof startToySite>[0], options: Parameters<typeof startToySite>[1] = {}) {
  site = await startToySite(toys, options)
  for (const slug of Object.keys(toys ?? {}))
    expect(await site.switch(slug, true, site.kernel.plugins.epoch)).toMatchObject({ status: 200 })
}

describe('a fault', () => {
  it('is charged to the plugin whose code threw, not to the one that called, and counts once', async () => {
    await start({
      bells: {
        manifest: { provides: { 'bells.ring': '1.0.0' } },
        members: `provides: { bell: service('bells.ring') },`,
        activate: `return { bell: { ring: async () => { throw new Error('cracked') } } }`,
      },
      visitor: {
        manifest: { needs: { 'bells.ring': '^1.0.0' } },
        members: `needs: { bell: service('bells.ring') },`,
        activate: `ctx.routes([get('/toy/ring', async () => { try { return await services.bell.ring() } catch (error) { throw error } })])`,
      },
    })
    expect(await site.call('GET', '/toy/ring')).toMatchObject({ status: 500, reason: 'base.unknown' })
    expect((await row('bells')).faults).toMatchObject({
      count: 1,
      last: { kind: 'request', where: 'GET /toy/ring', message: 'cracked' },
    })
    expect((await row('visitor')).faults).toMatchObject({ count: 0, last: null })
  })

  it('is none when it is a refusal of a contract', async () => {
    await start({
      strict: {
        activate: `const errors = defineErrors('error.strict', { no: { status: 409, message: 'No' } })
          ctx.routes([get('/toy/no', () => { throw errors.no() })])`,
      },
    })
    expect((await site.call('GET', '/toy/no')).status).toBe(409)
    expect((await row('strict')).faults.count).toBe(0)
  })

  it('of a hook is charged to the tap, which is passed over when it takes too long', async () => {
    await start(
      {
        host: {
          activate: `const rise = waterfall('toy.rise', { onFault: 'skip' }); ctx.routes([get('/toy/rise', () => ctx.run(rise, 1))])`,
        },
        sleeper: { activate: `ctx.on(waterfall('toy.rise', { onFault: 'skip' }), () => new Promise(() => {}))` },
        thrower: { activate: `ctx.on(waterfall('toy.rise', { onFault: 'skip' }), () => { throw new Error('no yeast') })` },
        baker: { activate: `ctx.on(waterfall('toy.rise', { onFault: 'skip' }), (n) => n + 1)` },
      },
      { limits: { tapMs: 200 } },
    )
    expect(await site.call('GET', '/toy/rise')).toMatchObject({ status: 200, data: 2 })
    expect((await row('sleeper')).faults).toMatchObject({ count: 1, last: { kind: 'hook', where: 'toy.rise' } })
    expect((await row('thrower')).faults).toMatchObject({ count: 1, last: { message: 'no yeast' } })
    expect((await row('host')).faults.count).toBe(0)
  })

  it('of a handler that hangs is a 504, and what it held is free again', async () => {
    await start({ stuck: { activate: `ctx.routes([get('/toy/stuck', () => new Promise(() => {}))])` } }, { limits: { handlerMs: 200 } })
    expect(await site.call('GET', '/toy/stuck')).toMatchObject({ status: 504 })
    expect((await row('stuck')).faults).toMatchObject({ count: 1, last: { kind: 'timeout', where: 'GET /toy/stuck' } })
    await site.kernel.view().drained(60_000)
  })

  it('of a read function is charged to its owner, and the worker goes on', async () => {
    await start({
      broken: {
        activate: `ctx.routes([route({ method: 'GET', path: '/toy/read', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('broken.read') })])`,
        reads: `const { read, reading } = require('@stoa/sdk/server')
          module.exports.default = { functions: [reading(read('broken.read'), async (ctx, { fine }) => { if (!fine) throw new Error('unreadable'); return 1 })] }`,
      },
    })
    expect((await site.call('GET', '/toy/read')).status).toBe(500)
    expect((await row('broken')).faults).toMatchObject({ count: 1, last: { message: 'unreadable' } })
    expect(await site.call('GET', '/toy/read?fine=1')).toMatchObject({ status: 200, data: 1 })
  })
})

describe('the log of faults', () => {
  it('has the first of each with its stack and the rest as a number, however often a visitor sets it off', async () => {
    const lines: string[] = []
    await start(
      {
        fragile: {
          activate: `ctx.routes([
            get('/toy/a', ({ query }) => { throw new Error('no ' + JSON.stringify(query)) }),
            get('/toy/b', () => { throw new Error('other') }),
          ])`,
        },
      },
      { log: (level, slug, message, details) => void lines.push(`${level} ${slug}: ${message} ${JSON.stringify(details ?? {})}`) },
    )
    for (let n = 0; n < 200; n++) await site.call('GET', `/toy/a?n=${n}&long=${'x'.repeat(2000)}`)
    await site.call('GET', '/toy/b')
    const faults = lines.filter((line) => line.startsWith('error fragile'))
    expect(faults).toHaveLength(2)
    expect(faults[0]).toMatch(/request GET \/toy\/a.*plugin:\/\/fragile@/)
    expect(faults.join('').length).toBeLessThan(12_000)
    // A request that is repeated rests for its client, so not each of them was tried.
    expect((await row('fragile')).faults).toMatchObject({ count: 201, last: { message: 'other' } })
  })
})

describe('what is counted of a version', () => {
  it('goes when another one takes its place', async () => {
    const toy = (version: string) => ({
      manifest: { version },
      activate: `ctx.routes([get('/toy/${version}', () => { throw new Error('no') })])`,
    })
    await start({ fragile: toy('1.0.0') })
    await site.call('GET', '/toy/1.0.0')
    expect((await row('fragile')).faults.count).toBe(1)
    site.add('fragile', { ...toy('2.0.0'), manifest: { version: '2.0.0', probe: '/toy/none' } })
    await site.kernel.reload('fragile')
    expect((await row('fragile')).faults).toMatchObject({ count: 0, last: null })
  })
})

describe('a plugin whose part of what others show keeps failing', () => {
  it('is said to be failing, with the reason in the reader’s language, until it works again', async () => {
    await start({
      host: {
        activate: `ctx.routes([route({ method: 'GET', path: '/toy/list', access: 'open', summary: 'x', reply: Type.Unknown(), read: read('host.list') })])`,
        reads: `const { read, reading, decorator } = require('@stoa/sdk/server')
          module.exports.default = { functions: [reading(read('host.list'), async (ctx, { fine }) => {
            const items = [{ fine }]
            await ctx.decorate(decorator('host.item'), items)
            return items
          })] }`,
      },
      guest: {
        manifest: { needs: {} },
        reads: `const { decorating, decorator } = require('@stoa/sdk/server')
          module.exports.default = { decorators: [decorating(decorator('host.item'), async (ctx, items) => {
            if (!items[0].fine) throw new Error('no place')
            items[0].decorated = true
          })] }`,
      },
    })
    // The kernel reads with several workers.
    for (let n = 0; n < 12; n++) expect((await site.call('GET', '/toy/list')).data).toEqual([{}])
    const failing = await row('guest')
    expect(failing).toMatchObject({ state: 'failing', enabled: true, reason: expect.stringMatching(/host\.item.*no place/) })
    expect((await row('host')).state).toBe('on')
    await expect
      .poll(
        async () => {
          await Promise.all([1, 2, 3, 4].map(() => site.call('GET', '/toy/list?fine=1')))
          return (await row('guest')).state
        },
        { timeout: 20_000 },
      )
      .toBe('on')
    expect((await row('guest')).reason).toBe('')
  })
})

describe('code that a plugin set off by itself', () => {
  it('and that keeps failing brings it into quarantine', async () => {
    await start({ ticker: { activate: `setInterval(() => { throw new Error('no spring') }, 5)` } })
    await expect.poll(async () => (await row('ticker')).state, { timeout: 30_000 }).toBe('quarantined')
    expect(await row('ticker')).toMatchObject({ reason: expect.stringContaining('no spring'), faults: { last: { kind: 'timer' } } })
  })

  it('ends with the plugin: timers and listeners that it did not own up to', async () => {
    await start({
      leaky: {
        activate: `globalThis.leaked = 0
          setInterval(() => globalThis.leaked++, 1)
          require('node:timers').setInterval(() => globalThis.leaked++, 1)
          process.on('stoa-toy', () => globalThis.leaked++)`,
      },
    })
    const world = globalThis as { leaked?: number }
    await expect.poll(() => world.leaked).toBeGreaterThan(2)
    const listeners = () => process.listenerCount('stoa-toy' as never)
    expect(listeners()).toBe(1)
    await site.switch('leaky', false)
    await expect.poll(listeners).toBe(0)
    const left = world.leaked
    await new Promise((done) => setTimeout(done, 50))
    expect(world.leaked).toBe(left)
  })

  it('may declare names of globals itself', async () => {
    site = await startToySite()
    site.write('own/plugin.json', JSON.stringify({ slug: 'own', version: '1.0.0', type: 'route', sdk: '^1.0.0' }))
    site.write(
      'own/server.cjs',
      `'use strict'; const process = require('node:process'); const setTimeout = 1
       module.exports = { activate() { if (process.pid === 0 || setTimeout !== 1) throw new Error('confused') } }`,
    )
    expect((await site.switch('own', true)).status).toBe(200)
  })
})

it('a plugin cannot end the process by calling exit', async () => {
  await start({
    quitter: { activate: `ctx.routes([get('/toy/quit', () => process.exit(3)), get('/toy/kill', () => process.kill(process.pid))])` },
  })
  expect((await site.call('GET', '/toy/quit')).status).toBe(500)
  expect((await site.call('GET', '/toy/kill')).status).toBe(500)
  expect((await row('quitter')).faults).toMatchObject({ count: 2, last: { kind: 'exit', where: 'process.kill' } })
  expect((await row('quitter')).state).toBe('on')
})
