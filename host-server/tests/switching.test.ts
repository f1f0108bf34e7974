import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const hello = { activate: `ctx.routes([get('/toy/hello', () => 'hello')])` }
const provider = {
  manifest: { provides: { 'bells.ring': '1.0.0' } },
  members: `provides: { bell: service('bells.ring') },`,
  activate: `return { bell: { ring: () => 'ding' } }`,
}
const user = {
  manifest: { needs: { 'bells.ring': '^1.0.0' } },
  members: `needs: { bell: service('bells.ring') },`,
  activate: `ctx.routes([get('/toy/ring', () => services.bell.ring())])`,
}
const row = async (site: ToySite, slug: string) =>
  (await site.admin('GET', '/answer/admin/api/plugins')).data.find((entry: { slug_name: string }) => entry.slug_name === slug)

let site: ToySite
beforeEach(async () => {
  site = await startToySite({ hello, bells: provider, visitor: user })
})
afterEach(() => site.close())

describe('a plugin in the data directory', () => {
  it('is listed, off, and its calls answer 404 with the reason that means nothing else', async () => {
    expect(await row(site, 'hello')).toMatchObject({ enabled: false, state: 'off', origin: 'installed' })
    expect(await site.call('GET', '/toy/hello')).toMatchObject({ status: 404, reason: 'base.route_not_found' })
  })

  it('answers the request after the reply of the switch', async () => {
    expect((await site.switch('hello', true)).status).toBe(200)
    expect(await site.call('GET', '/toy/hello')).toMatchObject({ status: 200, data: 'hello' })
    await site.switch('hello', false)
    expect((await site.call('GET', '/toy/hello')).status).toBe(404)
  })

  it('is found while the site runs', async () => {
    site.add('late', { activate: `ctx.routes([get('/toy/late', () => 'better than never')])` })
    expect(await row(site, 'late')).toMatchObject({ state: 'off', origin: 'installed' })
    site.add('later', hello)
    expect((await site.switch('later', true)).status).toBe(200)
    expect((await site.switch('late', true)).status).toBe(200)
    expect((await site.call('GET', '/toy/late')).data).toBe('better than never')
  })

  it('stays on over a restart', async () => {
    await site.switch('hello', true)
    await site.restart()
    expect((await site.call('GET', '/toy/hello')).data).toBe('hello')
  })

  it('with a broken manifest is listed under its folder name with the reason', async () => {
    site.write('broken/plugin.json', '{ "slug": "broken" }')
    site.write('odd/plugin.json', 'not json')
    await site.restart()
    expect(await row(site, 'broken')).toMatchObject({ state: 'failed', reason: expect.stringContaining('version') })
    expect(await row(site, 'odd')).toMatchObject({ state: 'failed', reason: expect.stringContaining('not JSON') })
    expect(await site.switch('broken', true)).toMatchObject({ status: 400, reason: 'error.plugin.start_failed' })
  })

  it('that fails to start is refused with the reason, which the list keeps', async () => {
    site.add('lazy', { activate: `throw new Error('no bed to get up from')` })
    await site.restart()
    const refused = await site.switch('lazy', true)
    expect(refused).toMatchObject({ status: 400, reason: 'error.plugin.start_failed', data: { err_type: 'alert' } })
    expect(await row(site, 'lazy')).toMatchObject({ enabled: false, state: 'failed', reason: expect.stringContaining('no bed') })
    await site.restart()
    expect(await row(site, 'lazy')).toMatchObject({ enabled: false })
  })

  it('for another sdk is refused', async () => {
    site.add('future', { manifest: { sdk: '^99.0.0' } })
    await site.restart()
    expect(await row(site, 'future')).toMatchObject({ state: 'failed', reason: expect.stringContaining('99') })
  })
})

describe('a switch that concerns others', () => {
  it('changes nothing until it is confirmed with the epoch it was refused at', async () => {
    const refused = await site.switch('visitor', true)
    expect(refused).toMatchObject({
      status: 400,
      reason: 'error.plugin.switches_others',
      data: { err_type: 'alert', also_on: ['bells'], also_off: [] },
    })
    expect((await row(site, 'bells')).enabled).toBe(false)
    expect((await site.switch('visitor', true, refused.data.epoch + 7)).status).toBe(400)
    expect((await site.switch('visitor', true, refused.data.epoch)).status).toBe(200)
    expect((await site.call('GET', '/toy/ring')).data).toBe('ding')
  })

  it('names the dependents that would go off, and takes them along in one epoch', async () => {
    await site.switch('bells', true)
    await site.switch('visitor', true)
    const refused = await site.switch('bells', false)
    expect(refused.data).toMatchObject({ also_off: ['visitor'], also_on: [] })
    const before = site.kernel.plugins.epoch
    await site.switch('bells', false, refused.data.epoch)
    expect(site.kernel.plugins.epoch).toBe(before + 1)
    expect((await row(site, 'visitor')).enabled).toBe(false)
  })

  it('names the circle when needs go round', async () => {
    site.add('egg', {
      manifest: { needs: { 'hen.lay': '^1.0.0' }, provides: { 'egg.hatch': '1.0.0' } },
      members: `provides: { it: service('egg.hatch') }, needs: { hen: service('hen.lay') },`,
      activate: 'return { it: {} }',
    })
    site.add('hen', {
      manifest: { needs: { 'egg.hatch': '^1.0.0' }, provides: { 'hen.lay': '1.0.0' } },
      members: `provides: { it: service('hen.lay') }, needs: { egg: service('egg.hatch') },`,
      activate: 'return { it: {} }',
    })
    await site.restart()
    const first = await site.switch('egg', true)
    const refused = await site.switch('egg', true, first.data.epoch)
    expect(refused).toMatchObject({ status: 400, reason: 'error.plugin.start_failed' })
    expect((await row(site, 'egg')).reason).toMatch(/egg → hen → egg|hen → egg → hen/)
  })

  it('refuses an essential plugin', async () => {
    site.add('heart', { manifest: { essential: true } })
    await site.restart()
    await site.switch('heart', true)
    expect(await site.switch('heart', false)).toMatchObject({ status: 400, reason: 'error.plugin.essential' })
    expect((await row(site, 'heart')).enabled).toBe(true)
  })

  it('offers to replace the other one of a kind of which one may be on', async () => {
    site.add('red', { manifest: { single: ['paint'] } })
    site.add('blue', { manifest: { single: ['paint'] } })
    await site.restart()
    await site.switch('red', true)
    const refused = await site.switch('blue', true)
    expect(refused.data).toMatchObject({ also_off: ['red'] })
    await site.switch('blue', true, refused.data.epoch)
    expect((await row(site, 'red')).enabled).toBe(false)
  })

  it('refuses the last provider of a contract that needs at least one', async () => {
    site.add('tongue', { manifest: { contributes: { language: { code: 'en_US', label: 'English' } } } })
    await site.restart()
    await site.switch('tongue', true)
    expect(await site.switch('tongue', false)).toMatchObject({ status: 400, reason: 'error.plugin.last_of_kind' })
  })
})

describe('a conflict', () => {
  it('of routes is refused and names the owner; the running one goes on', async () => {
    site.add('copycat', hello)
    await site.restart()
    await site.switch('hello', true)
    await site.switch('copycat', true)
    expect((await row(site, 'copycat')).reason).toContain('already answered by hello')
    expect((await site.call('GET', '/toy/hello')).data).toBe('hello')
  })

  it('of slugs leaves the first and names the folder', async () => {
    site.write('second/plugin.json', JSON.stringify({ slug: 'hello', version: '2.0.0', type: 'route', sdk: '^1.0.0' }))
    await site.restart()
    expect((await row(site, 'second')).reason).toContain('taken')
  })

  it('of id kinds is refused', async () => {
    site.add('cats', { manifest: { kinds: { cat: 77 } } })
    site.add('dogs', { manifest: { kinds: { dog: 77 } } })
    await site.restart()
    await site.switch('cats', true)
    expect((await site.switch('dogs', true)).msg).toBeDefined()
    expect((await row(site, 'dogs')).reason).toContain('77')
  })
})

describe('a request in flight', () => {
  it('ends on the version it began with while the next one gets 404', async () => {
    site.add('slow', {
      activate: `ctx.routes([get('/toy/slow', () => new Promise((done) => { globalThis.toyGate = () => done('late') }))])`,
    })
    await site.restart()
    await site.switch('slow', true)
    const pending = site.call('GET', '/toy/slow')
    const gate = globalThis as { toyGate?: () => void }
    await expect.poll(() => gate.toyGate !== undefined).toBe(true)
    await site.switch('slow', false)
    expect((await site.call('GET', '/toy/slow')).status).toBe(404)
    gate.toyGate?.()
    expect(await pending).toMatchObject({ status: 200, data: 'late' })
  })
})

describe('a plugin replaced by a new version', () => {
  it('re-points its users without restarting them', async () => {
    await site.switch('bells', true)
    await site.switch('visitor', true)
    site.add('bells', { ...provider, activate: `return { bell: { ring: () => 'dong' } }` })
    await site.kernel.reload('bells')
    expect((await site.call('GET', '/toy/ring')).data).toBe('dong')
  })

  it('goes on as it was when the new one does not start', async () => {
    await site.switch('bells', true)
    await site.switch('visitor', true)
    site.add('bells', { ...provider, activate: `throw new Error('cracked')` })
    await expect(site.kernel.reload('bells')).rejects.toThrow('cracked')
    expect((await site.call('GET', '/toy/ring')).data).toBe('ding')
  })
})
