import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const folder = mkdtempSync(join(tmpdir(), 'stoa-stubborn-'))
const broken = join(folder, 'broken')

/** A plugin that checks a second step, and does not start while a file is there. */
const manifest = {
  slug: 'stubborn',
  version: '1.0.0',
  type: 'route',
  sdk: '^1.0.0',
  needs: { 'accounts.confirmation': '^1.0.0' },
  provides: { 'accounts.confirmers': '1.0.0' },
}
const server = `const { existsSync } = require('node:fs')
const { Type, route, service, services } = require('@stoa/sdk/server')
const field = { name: 'code', label: 'code', type: 'code' }
module.exports.default = {
  needs: { confirmation: service('accounts.confirmation') },
  provides: { confirmers: services('accounts.confirmers') },
  activate({ confirmation }, ctx) {
    if (existsSync(${JSON.stringify(broken)})) throw new Error('broken')
    ctx.routes([route({
      method: 'POST', path: '/stubborn', access: 'member', summary: 'Demand it', reply: Type.Null(),
      handle: ({ person }) => confirmation.demand(person.id, 'stubborn', true),
    })])
    const confirmer = {
      id: 'stubborn', name: 'stubborn', fields: [field], atLogin: 'demanded',
      isSetUp: async () => true, check: async (_, { code }) => code === '1234',
    }
    return { confirmers: { confirmers: [confirmer] } }
  },
}`

let site: Site
beforeAll(async () => {
  mkdirSync(join(folder, 'plugins', 'stubborn'), { recursive: true })
  writeFileSync(join(folder, 'plugins', 'stubborn', 'plugin.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'plugins', 'stubborn', 'server.cjs'), server)
  site = await startSite({ plugins: ['accounts', 'stubborn', 'locale-en-us'], pluginDirs: [join(folder, 'plugins')] })
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})

describe('a second step whose plugin does not run', () => {
  const login = (captcha_code?: string) =>
    site.visitor().post(`${API}/user/login/email`, { e_mail: 'ana@example.org', pass: 'correct horse 7', captcha_code })

  it('lets nobody in while it is in quarantine; switched off by the owner, it is not asked for', async () => {
    const ana = await site.member('ana')
    expect((await login()).status).toBe(200)
    expect((await ana.post('/stubborn')).status).toBe(200)
    expect((await login()).reason).toBe('error.accounts.second_step')
    expect((await login('1234')).status).toBe(200)

    writeFileSync(broken, '')
    await site.restart()
    expect(site.plugins.list().find(({ slug }) => slug === 'stubborn')?.state).toBe('quarantined')
    for (const code of [undefined, '1234'])
      expect(await login(code)).toMatchObject({ status: 403, reason: 'error.accounts.second_step_unavailable' })

    await site.switch('stubborn', false)
    expect((await login()).status).toBe(200)
    rmSync(broken)
    await site.switch('stubborn', true)
    expect((await login()).reason).toBe('error.accounts.second_step')
  })
})
