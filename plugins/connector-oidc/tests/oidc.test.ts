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
let provider: Started
/** A second one, of other people. */
let other: Started

interface Started {
  issuer: string
  callback: string
  /** Requests to its token endpoint. */
  asked: () => number
  stop: () => void
}

/** Whoever logs in there is who they say; the address of `unproven` is not verified. */
async function startProvider(id: string, siteUrl: string): Promise<Started> {
  let asked = 0
  const callback = `${siteUrl}${API}/connector/redirect/${id}`
  const server = createServer((request, reply) => {
    if (request.url === '/token') asked++
    return handle(request, reply)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const real = new Provider(issuer, {
    clients: [{ client_id: 'stoa', client_secret: 'a secret of the test', redirect_uris: [callback] }],
    pkce: { required: () => true },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['key of the test'] },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({ sub: name, name: `Name of ${name}`, email: `${name}@oidc.example`, email_verified: name !== 'unproven' }),
    }),
  })
  const handle = real.callback()
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { issuer, callback, asked: () => asked, stop }
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

  /** @returns the address at the provider that a login leads to */
  const leave = async (id: string = SLUG) => to(await go(`${API}/connector/login/${id}`), site.url)

  /** Goes through the pages of a provider. @returns the address of the callback, the page that sends there by a form, or the address where it ends */
  async function along(from: string, name: string): Promise<string> {
    let at = from
    for (let step = 0; step < 10 && !at.includes('/connector/redirect/'); step++) {
      const page = await go(at)
      if (page.status === 200) {
        const html = await page.text()
        if (/action="[^"]*\/connector\/redirect\//.test(html)) return html
        const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1] ?? ''
        at = to(await go(at, { prompt, login: name, password: 'x' }), at)
      } else if (page.headers.has('location')) at = to(page, at)
      else return at
    }
    return at
  }
  const through = async (name: string, id?: string) => along(await leave(id), name)
  const comeBack = async (at: string) => (await go(new URL(at).pathname + new URL(at).search)).headers.get('location') ?? ''
  async function land(path: string) {
    const code = new URL(path, site.url).searchParams.get('access_token')
    const own = [...(cookies.get(new URL(site.url).host) ?? [])].map((pair) => pair.join('=')).join('; ')
    const headers = { 'content-type': 'application/json', cookie: own }
    const response = await fetch(`${site.url}${API}/connector/session`, { method: 'POST', headers, body: JSON.stringify({ code }) })
    return (await response.json()).data
  }
  return { go, leave, along, through, comeBack, land }
}

const save = async (values: object) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, {
    plugin_slug_name: SLUG,
    config_fields: { label: 'Staff', issuer: provider.issuer, client_id: 'stoa', client_secret: 'a secret of the test', ...values },
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  provider = await startProvider(SLUG, data.site_url)
  other = await startProvider(`${SLUG}.2`, data.site_url)
})
afterAll(async () => {
  provider.stop()
  other.stop()
  await site.close()
})

describe('a login by OpenID Connect', () => {
  it('is off at first, and not offered before a provider is named that answers', async () => {
    expect(await offered()).toEqual([])
    await site.switch(SLUG, true)
    expect(await offered()).toEqual([])
    for (const [values, field] of [
      [{ issuer: `${provider.issuer}/nowhere` }, 'issuer'],
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

  it('stands beside others, each with its button and its own people', async () => {
    const second = { label_2: 'Partners', issuer_2: other.issuer, client_id_2: 'stoa', client_secret_2: 'a secret of the test' }
    for (const [values, field] of [
      [{ issuer_2: `${other.issuer}/nowhere` }, 'issuer_2'],
      [{ client_id_2: '' }, 'client_id_2'],
      [{ issuer_2: `${provider.issuer}/` }, 'client_id_2'],
    ] as const)
      expect(await save({ ...second, ...values }), JSON.stringify(values)).toMatchObject({ status: 400, data: [{ error_field: field }] })
    expect((await save(second)).status).toBe(200)
    expect(await offered()).toMatchObject([{ name: 'Staff' }, { name: 'Partners', link: expect.stringMatching(/\/connector-oidc\.2$/) }])
    const browser = openBrowser()
    const session = await browser.land(await browser.comeBack(await browser.through('dora', `${SLUG}.2`)))
    expect(session.e_mail).toBe('dora@oidc.example')
    // The same name at the other provider is another person, who is not let in by it.
    const stranger = openBrowser()
    expect(await stranger.comeBack(await stranger.through('dora'))).toBe('/users/login?refused=taken')
    // Who was known before a second one was entered still is.
    const ana = openBrowser()
    expect(await ana.comeBack(await ana.through('ana'))).toContain('/users/auth-landing')
  })

  it('is answered by a form too, which a provider sends without the cookies of this site', async () => {
    const browser = openBrowser()
    const from = new URL(await browser.leave())
    from.searchParams.set('response_mode', 'form_post')
    const html = await browser.along(from.href, 'ana')
    const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ])
    expect(html).toContain(`action="${provider.callback}"`)
    const headers = { 'sec-fetch-site': 'cross-site', origin: provider.issuer }
    const body = new URLSearchParams(Object.fromEntries(fields))
    const posted = await fetch(site.url + new URL(provider.callback).pathname, { method: 'POST', redirect: 'manual', headers, body })
    expect(posted.status).toBe(303)
    const session = await browser.land(await browser.comeBack(new URL(posted.headers.get('location') ?? '', site.url).href))
    expect(session.e_mail).toBe('ana@oidc.example')
  })

  it('gives no provider what another one has sent (mix-up)', async () => {
    const asked = other.asked()
    const victim = openBrowser()
    const SECOND = `${SLUG}.2`
    // The second one is hostile: it sends on to the first one whoever came to it, with the state of the login there.
    const begun = new URL(await victim.leave(SECOND))
    const honest = new URL(await openBrowser().leave())
    const sent = new URL(begun)
    sent.host = honest.host
    // Under its own callback the first one knows no such site.
    expect(await victim.along(sent.href, 'ana')).not.toContain('/connector/redirect/')
    sent.searchParams.set('redirect_uri', provider.callback)
    const came = new URL(await victim.along(sent.href, 'ana'))
    expect([came.origin + came.pathname, came.searchParams.get('iss')]).toEqual([provider.callback, provider.issuer])
    expect(came.searchParams.has('code')).toBe(true)
    // The code reaches the callback of the first one, where this state is of no login.
    expect(await victim.comeBack(came.href)).toBe('/users/login?refused=expired')

    // The code of the first one at the callback of the second, with a state that is good there.
    const again = openBrowser()
    const code = new URL(await again.through('ana'))
    const at = new URL(other.callback)
    at.search = code.search
    at.searchParams.set('state', new URL(await again.leave(SECOND)).searchParams.get('state') ?? '')
    expect(await again.comeBack(at.href)).toBe('/users/login?refused=failed')
    // Nor without the name of whoever sent it, which this provider has promised to tell.
    at.searchParams.delete('iss')
    at.searchParams.set('state', new URL(await again.leave(SECOND)).searchParams.get('state') ?? '')
    expect(await again.comeBack(at.href)).toBe('/users/login?refused=failed')
    expect(other.asked()).toBe(asked)
    // And the code was not used up by any of it.
    expect(await again.comeBack(code.href)).toContain('/users/auth-landing')
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
