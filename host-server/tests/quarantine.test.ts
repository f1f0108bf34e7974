import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pluginProblems } from '@stoa/sdk/kernel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ToySite } from './toys.ts'
import { startToySite } from './toys.ts'

const bells = {
  manifest: { provides: { 'bells.ring': '1.0.0' } },
  members: `provides: { bell: service('bells.ring') },`,
  activate: `ctx.routes([get('/toy/bells', () => 'here')]); return { bell: { ring: () => 'ding' } }`,
}
const visitor = {
  manifest: { needs: { 'bells.ring': '^1.0.0' } },
  members: `needs: { bell: service('bells.ring') },`,
  activate: `ctx.routes([get('/toy/ring', () => services.bell.ring())])`,
}
const bystander = { activate: `let calls = 0; ctx.routes([get('/toy/calls', () => ++calls)])` }
const problem = pluginProblems.detached({ times: 3, where: 'timer clean', message: 'no {water} left' })

let site: ToySite
const row = async (slug: string, language = 'en_US') => {
  const response = await fetch(`${site.kernel.url}/answer/admin/api/plugins`, {
    headers: { authorization: await site.token(), 'accept-language': language },
  })
  const { data } = (await response.json()) as { data: { slug_name: string }[] }
  return data.find((entry) => entry.slug_name === slug)
}

beforeEach(async () => {
  site = await startToySite({ bells, visitor, bystander })
  await site.switch('bells', true)
  await site.switch('visitor', true)
  await site.switch('bystander', true)
})
afterEach(() => site.close())

describe('a plugin in quarantine', () => {
  it('goes off together with those that need it, in one epoch, with the reason; others keep their state', async () => {
    await site.call('GET', '/toy/calls')
    const before = site.kernel.plugins.epoch
    await site.kernel.quarantine('bells', problem)
    expect(site.kernel.plugins.epoch).toBe(before + 1)
    expect(await row('bells')).toMatchObject({ state: 'quarantined', enabled: false, reason: expect.stringContaining('no {water} left') })
    expect(await row('visitor')).toMatchObject({ state: 'waiting', enabled: false, reason: expect.stringContaining('bells') })
    expect((await site.call('GET', '/toy/bells')).reason).toBe('base.route_not_found')
    expect((await site.call('GET', '/toy/ring')).reason).toBe('base.route_not_found')
    expect((await site.call('GET', '/toy/calls')).data).toBe(2)
  })

  it('stays in it over a restart, with its reason', async () => {
    await site.kernel.quarantine('bells', problem)
    await site.restart()
    expect(await row('bells')).toMatchObject({ state: 'quarantined', reason: expect.stringContaining('no {water} left') })
    expect(await row('visitor')).toMatchObject({ state: 'waiting' })
    expect((await site.call('GET', '/toy/calls')).data).toBe(1)
  })

  it('comes back with those that need it when it is switched on again', async () => {
    await site.kernel.quarantine('bells', problem)
    expect((await site.switch('bells', true)).status).toBe(200)
    expect((await site.call('GET', '/toy/ring')).data).toBe('ding')
    expect(await row('bells')).toMatchObject({ state: 'on', reason: '' })
    await site.restart()
    expect((await site.call('GET', '/toy/ring')).data).toBe('ding')
  })

  it('can be switched off for good, and other switches go on working', async () => {
    await site.kernel.quarantine('bells', problem)
    expect((await site.switch('bells', false)).status).toBe(200)
    expect(await row('bells')).toMatchObject({ state: 'off', reason: '' })
    expect((await site.switch('bystander', false)).status).toBe(200)
  })

  it('whose code has changed meanwhile gets a new chance at the next start', async () => {
    await site.kernel.quarantine('bells', problem)
    site.add('bells', { ...bells, activate: `return { bell: { ring: () => 'dong' } }` })
    await site.restart()
    expect((await site.call('GET', '/toy/ring')).data).toBe('dong')
  })

  it('that fails again when it is tried again says so', async () => {
    await site.kernel.quarantine('bells', problem)
    site.write('bells/server.cjs', `throw new Error('still cracked')`)
    expect(await site.switch('bells', true)).toMatchObject({ status: 400, reason: 'error.plugin.start_failed' })
    expect(await row('bells')).toMatchObject({ state: 'quarantined', reason: expect.stringContaining('still cracked') })
  })
})

describe('a version in quarantine', () => {
  const bells2 = { ...bells, manifest: { ...bells.manifest, version: '2.0.0' } }

  it('is not gone back to unless somebody insists, and stays known while another one runs', async () => {
    await site.kernel.quarantine('bells', problem)
    site.add('bells', bells2)
    expect((await site.switch('bells', true)).status).toBe(200)
    expect(await row('bells')).toMatchObject({ state: 'on', version: '2.0.0', reason: '' })
    await site.restart()
    const rollback = (force?: boolean) => site.admin('POST', '/answer/admin/api/plugin/rollback', { plugin_slug_name: 'bells', force })
    expect(await rollback()).toMatchObject({ status: 400, reason: 'error.plugin.quarantined_before' })
    await expect(site.kernel.lifecycle().rollback('bells')).rejects.toThrow(/1\.0\.0.*in quarantine.*no \{water\} left/)
    expect(await row('bells')).toMatchObject({ state: 'on', version: '2.0.0' })
    expect((await rollback(true)).status).toBe(200)
    expect(await row('bells')).toMatchObject({ state: 'on', version: '1.0.0', reason: '' })
    expect((await site.call('GET', '/toy/ring')).data).toBe('ding')
    await site.restart()
    expect(await row('bells')).toMatchObject({ state: 'on', version: '1.0.0' })
  })
})

it('a plugin that was on and fails at the next start goes into quarantine, and the rest starts', async () => {
  const flag = join(site.dataDir, 'cracked')
  site.add('gong', {
    manifest: { provides: { 'gong.hit': '1.0.0' } },
    members: `provides: { gong: service('gong.hit') },`,
    activate: `if (require('node:fs').existsSync(${JSON.stringify(flag)})) throw new Error('cracked'); return { gong: {} }`,
  })
  site.add('striker', { manifest: { needs: { 'gong.hit': '^1.0.0' } } })
  await site.switch('gong', true)
  await site.switch('striker', true)
  writeFileSync(flag, '')
  await site.restart()
  expect(await row('gong')).toMatchObject({ state: 'quarantined', reason: expect.stringContaining('cracked') })
  expect(await row('striker')).toMatchObject({ state: 'waiting' })
  expect((await site.call('GET', '/toy/calls')).data).toBe(1)
})

it('a plugin that the site needs is started again instead', async () => {
  site.add('heart', {
    manifest: { essential: true },
    activate: `globalThis.heartStarts = (globalThis.heartStarts ?? 0) + 1; ctx.routes([get('/toy/starts', () => globalThis.heartStarts)])`,
  })
  await site.switch('heart', true)
  await site.kernel.quarantine('heart', problem)
  expect(await row('heart')).toMatchObject({ state: 'on' })
  expect((await site.call('GET', '/toy/starts')).data).toBe(2)
})
