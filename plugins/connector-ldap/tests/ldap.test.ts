import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { filterFor, guidOf } from '../server/directory.ts'
import { BASE, missing, startSlapd } from './slapd.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-ldap'

describe('what is typed stays a value', () => {
  it('in the filter', () => {
    expect(filterFor('(|(uid={login})(mail={login}))', '*)(uid=*\\\0')).toBe(
      '(|(uid=\\2a\\29\\28uid=\\2a\\5c\\00)(mail=\\2a\\29\\28uid=\\2a\\5c\\00))',
    )
    expect(filterFor('(uid={login})', "$& $' {login}")).toBe("(uid=$& $' {login})")
  })
  it('and the ID of Active Directory is read as it writes it', () => {
    expect(guidOf(Buffer.from('33221100554477668899aabbccddeeff', 'hex'))).toBe('00112233-4455-6677-8899-aabbccddeeff')
    expect(guidOf(Buffer.alloc(3))).toBe('')
  })
})

const why = missing()

describe('a login by a directory', () => {
  let site: Site
  let slapd: Awaited<ReturnType<typeof startSlapd>>

  const save = async (values: object) =>
    (await site.admin()).put(`${ADMIN}/plugin/config`, {
      plugin_slug_name: SLUG,
      config_fields: {
        label: 'Staff directory',
        url: slapd.url,
        start_tls: true,
        ca_pem: slapd.ca,
        bind_dn: `uid=stoa,ou=people,${BASE}`,
        bind_password: 'service secret',
        base_dn: BASE,
        user_filter: '(&(objectClass=person)(|(uid={login})(mail={login})))',
        group_dn: '',
        id_attribute: 'entryUUID',
        name_attribute: 'cn',
        username_attribute: 'uid',
        mail_attribute: 'mail',
        trust_mail: true,
        ...values,
      },
    })
  const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data

  function openBrowser() {
    let cookie = ''
    const send = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', 'accept-language': 'en-US', cookie }
      return (await fetch(site.url + API + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    }
    return {
      send,
      /** @returns the key of the form */
      async begin(): Promise<string> {
        const response = await fetch(`${site.url}${API}/connector/login/${SLUG}?next=/tags`, { redirect: 'manual', headers: { cookie } })
        cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
        const to = new URL(response.headers.get('location') ?? '', site.url)
        expect(to.pathname).toBe('/users/login/form')
        return to.searchParams.get('state') ?? ''
      },
      async login(name: string, password: string) {
        return send('/connector/form', { state: await this.begin(), name, password })
      },
    }
  }
  const wrong = { code: 400, reason: 'error.accounts.wrong_proof' }

  beforeEach(({ skip }) => skip(why !== '', why))
  beforeAll(async () => {
    if (why !== '') return
    slapd = await startSlapd()
    site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], rateLimits: true })
  })
  afterAll(async () => {
    if (why !== '') return
    await site.close()
    await slapd.end()
    slapd.remove()
  })

  it('is offered only with settings that work; what does not work does not replace them', async () => {
    expect(await offered()).toEqual([])
    await site.switch(SLUG, true)
    expect(await offered()).toEqual([])
    expect((await save({})).status).toBe(200)
    for (const [values, field] of [
      [{ url: 'http://localhost/' }, 'url'],
      [{ url: 'ldap://localhost:9' }, 'url'],
      [{ ca_pem: '' }, 'url'],
      [{ url: slapd.secureUrl, ca_pem: '' }, 'url'],
      [{ url: slapd.url.replace('localhost', '127.0.0.1') }, 'url'],
      [{ ca_pem: 'nonsense' }, 'ca_pem'],
      [{ bind_password: 'wrong' }, 'bind_dn'],
      [{ base_dn: 'dc=nowhere' }, 'base_dn'],
      [{ base_dn: '' }, 'base_dn'],
      [{ group_dn: `cn=nobody,${BASE}` }, 'group_dn'],
      [{ user_filter: '(uid={login}' }, 'user_filter'],
      [{ user_filter: '(uid=ana)' }, 'user_filter'],
      [{ id_attribute: '' }, 'id_attribute'],
    ] as const)
      expect(await save(values), JSON.stringify(values)).toMatchObject({ status: 400, data: [{ error_field: field }] })
    expect(await offered()).toMatchObject([{ name: 'Staff directory' }])
    const { data } = await (await site.admin()).get(`${ADMIN}/plugin/config`, { plugin_slug_name: SLUG })
    expect(JSON.stringify(data)).not.toContain('service secret')
  })

  it('makes an account, and finds it again, by StartTLS and by ldaps', async () => {
    const browser = openBrowser()
    const { path } = (await browser.login('ana', 'ana secret')).data
    const landing = new URL(path, site.url)
    expect([landing.pathname, landing.searchParams.get('next')]).toEqual(['/users/auth-landing', '/tags'])
    const session = (await browser.send('/connector/session', { code: landing.searchParams.get('access_token') })).data
    expect(session).toMatchObject({ e_mail: 'ana@dir.example', display_name: 'Ana Li' })
    expect((await save({ url: slapd.secureUrl })).status).toBe(200)
    const again = openBrowser()
    const code = new URL((await again.login('ANA@dir.example', 'ana secret')).data.path, site.url).searchParams.get('access_token')
    expect((await again.send('/connector/session', { code })).data.id).toBe(session.id)
  })

  it('lets nobody in by a wrong or empty password, by an injected filter, or where two are found', async () => {
    const browser = openBrowser()
    expect(await browser.login('ana', 'ben secret')).toMatchObject(wrong)
    for (const name of ['*', 'a*', 'ana)(uid=*', '*)(uid=ana', 'ana)(|(uid=*', '*)(objectClass=*)', '\\2a', 'ana\0', 'uid=ana'])
      expect(await browser.login(name, 'ana secret'), name).toMatchObject({ code: 400 })
    expect(await browser.login('shared@dir.example', 'twin secret')).toMatchObject(wrong)
    expect(await browser.login('nobody', 'x')).toMatchObject(wrong)
    // Connections that were asked before may still be closing.
    const asked = () => slapd.log().match(/\b(BIND|SRCH)\b/g)?.length
    const before = asked()
    expect(before).toBeGreaterThan(0)
    for (const [name, password, field] of [
      ['ana', '', 'password'],
      ['', 'x', 'name'],
      ['  ', 'x', 'name'],
      ['x'.repeat(300), 'x', 'name'],
    ])
      expect(await browser.login(name as string, password as string)).toMatchObject({ code: 400, data: [{ error_field: field }] })
    expect(asked()).toBe(before)
  })

  it('finishes what was begun last, however many logins the browser has left open', async () => {
    const browser = openBrowser()
    let state = ''
    for (let left = 0; left < 15; left++) state = await browser.begin()
    const { path } = (await browser.send('/connector/form', { state, name: 'ana', password: 'ana secret' })).data
    const code = new URL(path, site.url).searchParams.get('access_token')
    expect((await browser.send('/connector/session', { code })).data).toMatchObject({ e_mail: 'ana@dir.example' })
  })

  it('goes on after a wrong password, ends with the right one, and is of the browser that began', async () => {
    const [browser, stranger] = [openBrowser(), openBrowser()]
    const state = await browser.begin()
    await stranger.begin()
    expect(await stranger.send('/connector/form', { state, name: 'ana', password: 'ana secret' })).toMatchObject({
      reason: 'error.accounts.sign_in_over',
    })
    expect(await browser.send('/connector/form', { state, name: 'ana', password: 'no' })).toMatchObject(wrong)
    const right = { state, name: 'ana', password: 'ana secret' }
    expect((await browser.send('/connector/form', right)).data.path).toContain('/users/auth-landing')
    expect(await browser.send('/connector/form', right)).toMatchObject({ reason: 'error.accounts.sign_in_over' })
  })

  it('asks the directory no more for a name that is guessed at', async () => {
    const browser = openBrowser()
    for (let guess = 0; guess < 10; guess++) await browser.login('ben', `guess ${guess}`)
    // A request is logged before its answer goes out, the end of a connection whenever slapd comes to it.
    const asked = () => slapd.log().match(/ BIND dn=/g)?.length
    const before = asked()
    expect(before).toBeGreaterThan(0)
    expect(await browser.login('BEN ', 'ben secret')).toMatchObject({ code: 429 })
    expect(asked()).toBe(before)
    site.advance(901)
    expect((await browser.login('ben', 'ben secret')).data.path).toContain('/users/auth-landing')
  })

  it('lets in the members of a group only, and asks for an address where the owner does not trust those of the directory', async () => {
    site.advance(901)
    expect((await save({ group_dn: `cn=members,${BASE}`, trust_mail: false })).status).toBe(200)
    expect(await openBrowser().login('other', 'twin secret')).toMatchObject(wrong)
    expect((await openBrowser().login('ana', 'ana secret')).data.path).toContain('/users/auth-landing')
    expect((await save({ trust_mail: false })).status).toBe(200)
    expect((await openBrowser().login('other', 'twin secret')).data.path).toContain('/users/confirm-email?binding_key=')
  })

  it('says so when the directory is gone, and ends with the plugin', async () => {
    const browser = openBrowser()
    const state = await browser.begin()
    await slapd.end()
    const given = { state, name: 'ana', password: 'ana secret' }
    expect(await browser.send('/connector/form', given)).toMatchObject({ code: 400, reason: 'error.accounts.method_unavailable' })
    await site.switch(SLUG, false)
    expect(await browser.send('/connector/form', given)).toMatchObject({ code: 400, reason: 'error.accounts.method_unavailable' })
    expect(await offered()).toEqual([])
    expect(site.errors).toEqual([])
  })
})
