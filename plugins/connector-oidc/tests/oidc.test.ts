import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { Provider } from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-oidc'

let site: Site
let provider: Server
let issuer = ''
let callback = ''

/** Whoever logs in there is who they say; the address of `unproven` is not verified. */
async function startProvider(): Promise<void> {
  provider = createServer((request, reply) => handle(request, reply))
  await new Promise<void>((done) => provider.listen(0, '127.0.0.1', done))
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const real = new Provider(issuer, {
    clients: [{ client_id: 'stoa', client_secret: 'a secret of the test', redirect_uris: [callback] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['key of the test'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, name: `Name of ${id}`, email: `${id}@oidc.example`, email_verified: id !== 'unproven' }),
    }),
  })
  const handle = real.callback()
}

function openBrowser() {
  const cookies = new Map<string, Map<string, string>>()
  async function go(to: string, form?: Record<string, string>): Promise<Response> {
    const url = new URL(to, site.url)
    const own = cookies.get(url.host) ?? new Map<string, string>()
    cookies.set(url.host, own)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...own].map((pair) => pair.join('=')).join('; '), 'accept-language': 'en-US' },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      own.set(name, value)
    }
    return response
  }
  const to = (response: Response, from: string) => new URL(response.headers.get('location') ?? '', from).href

  /** Goes through the provider's pages. @returns the address of the callback */
  async function through(name: string): Promise<string> {
    let at = to(await go(`${API}/connector/login/${SLUG}`), site.url)
    for (let step = 0; step < 10 && !at.startsWith(callback); step++) {
      const page = await go(at)
      if (page.status === 200) {
        const prompt = /name="prompt" value="(\w+)"/.exec(await page.text())?.[1] ?? ''
        at = to(await go(at, { prompt, login: name, password: 'x' }), at)
      } else at = to(page, at)
    }
    return at
  }
  const comeBack = async (at: string) => (await go(new URL(at).pathname + new URL(at).search)).headers.get('location') ?? ''
  async function land(path: string) {
    const code = new URL(path, site.url).searchParams.get('access_token')
    const own = [...(cookies.get(new URL(site.url).host) ?? [])].map((pair) => pair.join('=')).join('; ')
    const headers = { 'content-type': 'application/json', cookie: own }
    const response = await fetch(`${site.url}${API}/connector/session`, { method: 'POST', headers, body: JSON.stringify({ code }) })
    return (await response.json()).data
  }
  return { go, through, comeBack, land }
}

const save = async (values: object) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, {
    plugin_slug_name: SLUG,
    config_fields: { label: 'Staff', issuer, client_id: 'stoa', client_secret: 'a secret of the test', ...values },
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  callback = `${data.site_url}${API}/connector/redirect/${SLUG}`
  await startProvider()
})
afterAll(async () => {
  provider.closeAllConnections()
  provider.close()
  await site.close()
})

describe('a login by OpenID Connect', () => {
  it('is off at first, and not offered before a provider is named that answers', async () => {
    expect(await offered()).toEqual([])
    await site.switch(SLUG, true)
    expect(await offered()).toEqual([])
    for (const [values, field] of [
      [{ issuer: `${issuer}/nowhere` }, 'issuer'],
      [{ issuer: 'http://127.0.0.1:9/' }, 'issuer'],
      [{ issuer: 'http://example.org/' }, 'issuer'],
      [{ issuer: 'https://10.0.0.1/' }, 'issuer'],
      [{ issuer: 'nonsense' }, 'issuer'],
      [{ client_id: '' }, 'client_id'],
    ] as const)
      expect(await save(values), JSON.stringify(values)).toMatchObject({ status: 400, data: [{ error_field: field }] })
    expect(await offered()).toEqual([])
    expect((await save({})).status).toBe(200)
    expect(await offered()).toMatchObject([{ name: 'Staff' }])
    const { data } = await (await site.admin()).get(`${ADMIN}/plugin/config`, { plugin_slug_name: SLUG })
    expect(JSON.stringify(data)).not.toContain('a secret of the test')
  })

  it('makes an account from the claims, and finds it again', async () => {
    const browser = openBrowser()
    const session = await browser.land(await browser.comeBack(await browser.through('ana')))
    expect(session).toMatchObject({ e_mail: 'ana@oidc.example', display_name: 'Name of ana', mail_status: 1 })
    const again = openBrowser()
    expect((await again.land(await again.comeBack(await again.through('ana')))).id).toBe(session.id)
    const admin = await site.admin()
    const found = await admin.get(`${ADMIN}/users/page`, { query: 'ana@oidc.example' })
    expect(found.data.count).toBe(1)
  })

  it('asks for an address where the provider has not verified one', async () => {
    const browser = openBrowser()
    expect(await browser.comeBack(await browser.through('unproven'))).toMatch(/^\/users\/confirm-email\?binding_key=/)
  })

  it('takes no code of another login, none twice, and none that another provider is said to have sent', async () => {
    const [attacker, victim] = [openBrowser(), openBrowser()]
    const stolen = new URL(await attacker.through('mallory'))
    const own = new URL(await victim.through('ben'))
    // The attacker's code with the victim's state: the code is bound to the attacker's verifier.
    const mixed = new URL(own)
    mixed.searchParams.set('code', stolen.searchParams.get('code') ?? '')
    expect(await victim.comeBack(mixed.href)).toBe('/users/login?refused=failed')
    const foreign = new URL(await victim.through('ben'))
    foreign.searchParams.set('iss', 'https://evil.example')
    expect(await victim.comeBack(foreign.href)).toBe('/users/login?refused=failed')
    expect(await victim.comeBack(stolen.href)).toBe('/users/login?refused=expired')
    const good = await victim.through('ben')
    expect(await victim.comeBack(good)).toContain('/users/auth-landing')
    expect(await victim.comeBack(good)).toBe('/users/login?refused=expired')
  })

  it('ends with the plugin', async () => {
    const browser = openBrowser()
    const at = await browser.through('cid')
    await site.switch(SLUG, false)
    expect(await browser.comeBack(at)).toBe('/users/login?refused=unavailable')
    expect(await offered()).toEqual([])
    expect(site.errors).toEqual([])
  })
})
