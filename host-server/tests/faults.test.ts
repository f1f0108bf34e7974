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
