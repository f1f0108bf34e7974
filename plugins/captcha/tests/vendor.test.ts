import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const FAILED = 'error.captcha.verification_failed'

/** What vendors of widgets have in common: a public key for the browser, a token that their script makes there, and a service that judges it. */
const plugin = (service: string) => `
module.exports.default = {
  provides: { provider: { kind: 'service', id: 'captcha.provider', cardinality: 'one' } },
  activate: (services, ctx) => ({
    provider: {
      slug: 'vendor',
      config: () => ({ site_key: 'public-key' }),
      create: async () => ({ shown: { site_key: 'public-key' }, answer: '' }),
      async verify(answer, code, { ip, action }) {
        const body = new URLSearchParams({ secret: 'secret-key', response: code, remoteip: ip }).toString()
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const reply = await (await ctx.host.fetch('${service}/siteverify', { method: 'POST', headers, body })).json()
        return reply.success === true && reply.action === action
      },
    },
  }),
}
`

describe("a vendor's widget", () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-vendor-'))
  const asked: string[] = []
  let isSlow = false
  let service: Server
  let site: Site

  beforeAll(async () => {
    // A token is good for one question, as with the vendors.
    const tokens = new Map([
      ['right-token', 'email'],
      ['token-of-a-login', 'password'],
    ])
    service = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      asked.push(body)
      // The connection is closed by who waits, or with the server.
      if (isSlow) return
      const given = new URLSearchParams(body)
      const action = given.get('secret') === 'secret-key' ? tokens.get(given.get('response') ?? '') : undefined
      tokens.delete(given.get('response') ?? '')
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ success: action !== undefined, action }))
    })
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
    mkdirSync(join(folder, 'vendor'))
    const offers = { captcha: { version: '1.0.0', tokens: { service: ['provider'] } } }
    const manifest = { slug: 'vendor', version: '1.0.0', type: 'captcha', sdk: '^1.0.0', contracts: { offers, uses: {} } }
    writeFileSync(join(folder, 'vendor', 'plugin.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'vendor', 'server.cjs'), plugin(`http://127.0.0.1:${(service.address() as AddressInfo).port}`))
    site = await startSite({ plugins: ['accounts', 'captcha', 'vendor'], pluginDirs: [folder], outgoing: ['127.0.0.1'] })
    for (const slug of ['captcha', 'vendor']) await site.switch(slug, true)
    await site.member('ana')
  })
  afterAll(async () => {
    await site?.close()
    service.closeAllConnections()
    service.close()
    rmSync(folder, { recursive: true })
  })

  const reset = async (captcha_code: string) => {
    const visitor = site.visitor()
    const path = `${API}/user/password/reset`
    const { captcha_id, puzzle } = (await visitor.post(`${API}/captcha/challenge`, { method: 'POST', path })).data
    expect(puzzle).toEqual({ site_key: 'public-key' })
    return (await visitor.post(path, { e_mail: 'ana@example.org', captcha_id, captcha_code })).reason
  }

  it('has its key in browsers, its token judged by its service for the very action, and no secret anywhere else', async () => {
    expect((await site.visitor().get(`${API}/captcha/config`)).data).toEqual({ slug_name: 'vendor', config: { site_key: 'public-key' } })
    expect(await reset('right-token')).toBe('base.success')
    expect(new URLSearchParams(asked[0]).get('remoteip')).toMatch(/127\.0\.0\.1$/)
    for (const code of ['right-token', 'token-of-a-login', 'made up']) expect(await reset(code), code).toBe(FAILED)
  })

  it('lets nobody pass whose code its service takes too long to judge, where the owner says so', async () => {
    const admin = await site.admin()
    const say = (down: string) => admin.put('/answer/admin/api/plugin/config', { plugin_slug_name: 'captcha', config_fields: { down } })
    expect((await say('refuse')).status).toBe(200)
    isSlow = true
    expect(await reset('right-token')).toBe(FAILED)
    isSlow = false
    expect((await say('let')).status).toBe(200)
  })

  it('lets people pass while its service is down, or nobody, as the owner says', async () => {
    service.closeAllConnections()
    await new Promise((resolve) => service.close(resolve))
    expect(await reset('any')).toBe('base.success')
    const admin = await site.admin()
    const saved = await admin.put('/answer/admin/api/plugin/config', { plugin_slug_name: 'captcha', config_fields: { down: 'refuse' } })
    expect(saved.status).toBe(200)
    expect(await reset('any')).toBe(FAILED)
    expect(site.errors).toEqual([])
  })
})
