import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Reply, Site } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EveryRow } from '../../../tests/support/every-row.ts'
import { openEveryRow } from '../../../tests/support/every-row.ts'
import { ownArchive } from '../../../tests/support/own-archive.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const folder = mkdtempSync(join(tmpdir(), 'stoa-elsewhere-'))

// biome-ignore lint/suspicious/noExplicitAny: replies of any call
type Any = any

/** A plugin whose other site sends back whoever the test says. It offers two methods, and one under a name that is not its own. */
const manifest = {
  slug: 'elsewhere',
  version: '1.0.0',
  type: 'route',
  sdk: '^1.0.0',
  needs: { 'accounts.signIn': '^1.6.0' },
  provides: { 'accounts.signInMethods': '1.6.0' },
}
const server = `const { services, service } = require('@stoa/sdk/server')
const methodOf = (id) => ({
  shape: 'redirect', id, name: 'Elsewhere',
  start: async (attempt) => 'https://elsewhere.example/?' + new URLSearchParams(attempt),
  finish: async (attempt, came) => {
    const { searchParams } = new URL(came)
    if (searchParams.get('verifier') !== attempt.codeVerifier) throw new Error('the code is bound to another verifier')
    return JSON.parse(searchParams.get('who'))
  },
})
module.exports.default = {
  needs: { signIn: service('accounts.signIn') },
  provides: { signInMethods: services('accounts.signInMethods') },
  activate: () => ({ signInMethods: { methods: () => ['elsewhere', 'elsewhere.more', 'two-factor'].map(methodOf) } }),
}`

interface Who {
  externalId: string
  emails?: { address: string; verified: boolean }[]
  displayName?: string
}

let site: Site
let rows: EveryRow
beforeAll(async () => {
  let databaseUrl: string | undefined
  mkdirSync(join(folder, 'plugins', 'elsewhere'), { recursive: true })
  writeFileSync(join(folder, 'plugins', 'elsewhere', 'plugin.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'plugins', 'elsewhere', 'server.cjs'), server)
  site = await startSite({
    plugins: ['accounts', 'elsewhere', 'two-factor', 'locale-en-us'],
    pluginDirs: [join(folder, 'plugins')],
    restore: async (into) => {
      databaseUrl = into.databaseUrl
    },
  })
  rows = await openEveryRow(site.dataDir, databaseUrl)
})
afterAll(async () => {
  await rows.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

function openBrowser() {
  const cookies = new Map<string, string>()
  async function go(path: string, init: RequestInit = {}, token = '') {
    const response = await testPerson(site.url, { id: 0, name: '', token }).fetch(path, {
      ...init,
      headers: {
        ...(init.headers as Record<string, string>),
        'content-type': 'application/json',
        cookie: [...cookies].map((pair) => pair.join('=')).join('; '),
      },
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    return response
  }
  async function call(method: string, path: string, body: unknown = {}, token = ''): Promise<Reply<Any>> {
    const response = await go(API + path, { method, ...(method !== 'GET' && { body: JSON.stringify(body) }) }, token)
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, ...JSON.parse(text) }
  }
  const to = (response: Response) => response.headers.get('location') ?? ''
  /** Goes to the other site. @returns what it is told */
  async function leave(next = '', method = 'elsewhere'): Promise<URLSearchParams> {
    const response = await go(`${API}/connector/login/${method}${next && `?next=${encodeURIComponent(next)}`}`)
    expect(response.status).toBe(302)
    return new URL(to(response), site.url).searchParams
  }
  /** Comes back as somebody. @returns where it leads */
  async function comeBack(told: URLSearchParams, who: Who, more: Record<string, string> = {}, method = 'elsewhere'): Promise<string> {
    const state = told.get('state') ?? ''
    const query = new URLSearchParams({ state, verifier: told.get('codeVerifier') ?? '', who: JSON.stringify(who), ...more })
    return to(await go(`${API}/connector/redirect/${method}?${query}`))
  }
  const landing = (path: string) => call('POST', '/connector/session', { code: new URL(path, site.url).searchParams.get('access_token') })
  return {
    cookies,
    go,
    call,
    leave,
    comeBack,
    landing,
    login: async (who: Who) => landing(await comeBack(await leave(), who)),
    enter: async (name: string) => {
      const { data } = await call('POST', '/user/login/email', { e_mail: `${name}@example.org`, pass: 'correct horse 7' })
      return data.access_token as string
    },
    async bind(token: string, who: Who, by = comeBack) {
      const { data } = await call('POST', '/connector/user/binding', { slug: 'elsewhere' }, token)
      return by(new URL(data.url).searchParams, who)
    },
  }
}
const proven = (name: string): Who => ({
  externalId: `id-${name}`,
  displayName: name,
  emails: [{ address: `${name}@elsewhere.example`, verified: true }],
})
const own = async (browser: ReturnType<typeof openBrowser>, token: string) =>
  (await browser.call('GET', '/connector/user/info', {}, token)).data as Any[]

async function rules(values: object) {
  const admin = await site.admin()
  const { data } = await admin.get(`${ADMIN}/siteinfo/login`)
  await admin.put(`${ADMIN}/siteinfo/login`, { ...data, ...values })
}

describe('a login at another site', () => {
  it('makes an account from a proven address, and finds it again', async () => {
    const offered = await site.visitor().get(`${API}/connector/info`)
    expect(offered.data.map(({ link }: Any) => new URL(link).pathname)).toEqual([
      `${API}/connector/login/elsewhere`,
      `${API}/connector/login/elsewhere.more`,
    ])
    const first = openBrowser()
    const landed = await first.comeBack(await first.leave('/tags'), proven('ana'))
    expect(landed).toMatch(/^\/users\/auth-landing\?access_token=[0-9a-f]{64}&next=%2Ftags$/)
    const session = await first.landing(landed)
    expect(session).toMatchObject({
      status: 200,
      data: { username: 'ana', e_mail: 'ana@elsewhere.example', mail_status: 1, have_password: false },
    })
    expect((await first.call('GET', '/user/info', {}, session.data.access_token)).data.rank).toBe(1)
    const again = await openBrowser().login({ externalId: 'id-ana', emails: [{ address: 'other@elsewhere.example', verified: true }] })
    expect(again.data).toMatchObject({ id: session.data.id, e_mail: 'ana@elsewhere.example' })
  })

  it('hands over by a code that works once, for a minute, in the browser that began, and also to clients that ask who they are', async () => {
    const browser = openBrowser()
    const landed = await browser.comeBack(await browser.leave(), proven('ben'))
    expect(await openBrowser().landing(landed)).toMatchObject({ status: 400, reason: 'error.accounts.sign_in_over' })
    const code = new URL(landed, site.url).searchParams.get('access_token') ?? ''
    expect((await openBrowser().call('GET', '/user/info', {}, code)).data).toBeNull()
    const asked = await browser.call('GET', '/user/info', {}, code)
    expect(asked.data).toMatchObject({ username: 'ben', access_token: expect.not.stringContaining(code) })
    expect((await browser.landing(landed)).status).toBe(400)
    const late = await browser.comeBack(await browser.leave(), proven('bea'))
    site.advance(61)
    expect((await browser.landing(late)).status).toBe(400)
  })

  it('begins with a press of the button, not with a link of another site', async () => {
    const browser = openBrowser()
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const led = await browser.go(`${API}/connector/login/elsewhere?next=%2Ftags`, { headers })
    const page = led.headers.get('location') ?? ''
    expect([led.status, page, browser.cookies.has('stoa_sign_in')]).toEqual([302, '/users/login?refused=elsewhere&next=%2Ftags', false])
    const html = await (await browser.go(page)).text()
    expect(html).toContain('A link of another site brought you here')
    expect(html).toContain('/connector/login/elsewhere?next=%2Ftags')
    expect((await browser.landing(await browser.comeBack(await browser.leave('/tags'), proven('ede')))).status).toBe(200)
  })

  it('takes what the other site sends by a form, which comes without cookies, and goes on in the browser that began', async () => {
    const browser = openBrowser()
    const callback = `${API}/connector/redirect/elsewhere`
    /** As a browser sends the form of another site's page. */
    const post = (fields: Record<string, string>, to = callback, headers: Record<string, string> = {}) =>
      fetch(new URL(to, site.url), {
        method: 'POST',
        redirect: 'manual',
        headers: { 'sec-fetch-site': 'cross-site', origin: 'https://elsewhere.example', ...headers },
        body: new URLSearchParams(fields),
      })
    const told = await browser.leave('/tags')
    const state = told.get('state') ?? ''
    const fields = {
      RelayState: state,
      verifier: told.get('codeVerifier') ?? '',
      who: JSON.stringify(proven('eva')),
      long: 'x'.repeat(50_000),
    }
    const led = await post(fields)
    const on = led.headers.get('location') ?? ''
    expect([led.status, on, led.headers.getSetCookie()]).toEqual([303, `${callback}?state=${state}`, []])
    // A stranger who learns the address gets nowhere with it.
    expect((await openBrowser().go(on)).headers.get('location')).toBe('/users/login?refused=expired')
    const landed = (await browser.go(on)).headers.get('location') ?? ''
    expect(landed).toContain('next=%2Ftags')
    expect((await browser.landing(landed)).data.username).toBe('eva')
    // Used up, unknown, or of another method: nothing is kept.
    for (const [sent, to] of [
      [fields, callback],
      [{ ...fields, RelayState: 'x'.repeat(64) }, callback],
      [{}, callback],
      [{ state: (await openBrowser().leave()).get('state') ?? '' }, `${callback}.more`],
    ] as const)
      expect((await post(sent, to)).headers.get('location')).toBe('/users/login?refused=expired')
    // Who is logged in here has not sent it, and it opens no other address.
    const open = await openBrowser().leave()
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
    expect((await post({ state: open.get('state') ?? '' }, callback, { cookie })).headers.get('location')).toContain('?state=')
    for (const other of ['/connector/session', '/user/login/email', '/user/password/reset'])
      expect((await post({ code: 'abc' }, API + other, { cookie })).status).toBe(400)
    expect((await post({ state: open.get('state') ?? '', long: 'x'.repeat(200_000) })).status).toBe(400)
  })

  it('says no on the page of the login where the person did, where the other site proves nobody, and where a method is off', async () => {
    const browser = openBrowser()
    expect(await browser.comeBack(await browser.leave(), proven('cid'), { error: 'access_denied' })).toBe('/users/login?refused=denied')
    expect(await browser.comeBack(await browser.leave(), proven('cid'), { verifier: 'x' })).toBe('/users/login?refused=failed')
    expect(await browser.comeBack(await browser.leave(), { externalId: '' })).toBe('/users/login?refused=failed')
    for (const method of ['two-factor', 'unknown', 'constructor'])
      expect((await browser.go(`${API}/connector/login/${method}`)).headers.get('location')).toBe('/users/login?refused=unavailable')
    const page = await (await browser.go('/users/login?refused=denied')).text()
    expect(page).toContain('nothing has changed here')
    expect(page).toContain('Continue with Elsewhere')
    const told = await browser.leave()
    await site.switch('elsewhere', false)
    expect(await browser.comeBack(told, proven('cid'))).toBe('/users/login?refused=unavailable')
    await site.switch('elsewhere', true)
    expect(await browser.comeBack(told, proven('cid'))).toBe('/users/login?refused=expired')
  })

  it('makes nobody where registration is closed or the domain is not allowed, and lets nobody suspended in', async () => {
    const dan = (await openBrowser().login(proven('dan'))).data
    await rules({ allow_new_registrations: false })
    const browser = openBrowser()
    expect(await browser.comeBack(await browser.leave(), proven('dee'))).toBe('/users/login?refused=closed')
    expect(await browser.comeBack(await browser.leave(), { externalId: 'id-dee' })).toBe('/users/login?refused=closed')
    expect((await openBrowser().login(proven('dan'))).status).toBe(200)
    await rules({ allow_new_registrations: true, allow_email_domains: ['example.org'] })
    const close = async (degree: string) =>
      expect((await (await site.admin()).put(`${ADMIN}/siteinfo/maintenance`, { degree, message: '', until: 0 })).status).toBe(200)
    await close('reading')
    expect(
      await browser.comeBack(await browser.leave(), { ...proven('dee'), emails: [{ address: 'dee@example.org', verified: true }] }),
    ).toBe('/users/login?refused=closed')
    await close('open')
    expect(await browser.comeBack(await browser.leave(), proven('dee'))).toBe('/users/login?refused=domain')
    await rules({ allow_email_domains: [] })
    const landed = await browser.comeBack(await browser.leave(), proven('dan'))
    await (await site.admin()).put(`${ADMIN}/user/status`, { user_id: dan.id, status: 'suspended' })
    expect((await browser.landing(landed)).data?.access_token).toBeUndefined()
    expect(await browser.comeBack(await browser.leave(), proven('dan'))).toBe('/users/login?refused=suspended')
  })

  it('asks for an address that was not proven, and makes the account only when the mail is opened in the same browser', async () => {
    const browser = openBrowser()
    const who = { externalId: 'id-eve', displayName: 'eve', emails: [{ address: 'eve@elsewhere.example', verified: false }] }
    const asked = async () => new URL(await browser.comeBack(await browser.leave(), who), site.url).searchParams.get('binding_key')
    const name = (binding_key: unknown, email: string, by = browser) => by.call('POST', '/connector/binding/email', { binding_key, email })
    const mailed = async (to: string) => (await site.mail()).filter((mail) => mail.to === to).at(-1)?.text ?? ''
    const key = await asked()
    expect((await name(key, 'eve@elsewhere.example', openBrowser())).status).toBe(400)
    const reply = await name(key, 'Eve@elsewhere.example')
    expect(reply.data).toEqual({ email_exist_and_must_be_confirmed: false, access_token: '' })
    expect((await name(key, 'eve2@elsewhere.example')).status).toBe(400)
    await site.idle()
    const code = /confirm-email\?code=([\w-]+)/.exec(await mailed('eve@elsewhere.example'))?.[1]
    expect((await openBrowser().call('POST', '/connector/binding/confirm', { code })).status).toBe(400)
    expect((await browser.call('POST', '/connector/binding/confirm', { code })).data).toMatchObject({
      username: 'eve',
      e_mail: 'eve@elsewhere.example',
      mail_status: 1,
    })
    expect((await browser.call('POST', '/connector/binding/confirm', { code })).status).toBe(400)

    // Whoever has the address here hears of it, and the caller does not.
    await site.member('fay')
    who.externalId = 'id-stranger'
    browser.cookies.delete('stoa_session')
    expect(await name(await asked(), 'fay@example.org')).toMatchObject({ status: 200, data: reply.data })
    await site.idle()
    const told = await mailed('fay@example.org')
    expect(told).toContain('already has an account')
    expect(told).not.toContain('code=')
  })
})

describe('an attack on a login at another site', () => {
  it('is in vain with the state of another browser, one that was used, one of another method and one that is too old', async () => {
    const [attacker, victim] = [openBrowser(), openBrowser()]
    const told = await attacker.leave()
    await victim.leave()
    expect(await victim.comeBack(told, proven('gil'))).toBe('/users/login?refused=expired')
    expect(await openBrowser().comeBack(told, proven('gil'))).toBe('/users/login?refused=expired')
    expect(await attacker.comeBack(told, proven('gil'))).toContain('/users/auth-landing')
    expect(await attacker.comeBack(told, proven('gil'))).toBe('/users/login?refused=expired')
    expect(await attacker.comeBack(await attacker.leave(), proven('gil'), {}, 'elsewhere.more')).toBe('/users/login?refused=expired')
    expect(await attacker.comeBack(await attacker.leave(), proven('gil'), { state: '' })).toBe('/users/login?refused=expired')
    const late = await attacker.leave()
    site.advance(601)
    expect(await attacker.comeBack(late, proven('gil'))).toBe('/users/login?refused=expired')
  })

  it('leads to no other site afterwards', async () => {
    const browser = openBrowser()
    await browser.login(proven('hal'))
    browser.cookies.delete('stoa_session')
    for (const next of [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '\\\\evil.example',
      'javascript:alert(1)',
    ]) {
      const landed = await browser.comeBack(await browser.leave(next), proven('hal'))
      expect(new URL(landed, site.url).searchParams.get('next')).toBeNull()
    }
  })

  it('takes no account over by its address, be it proven there or not', async () => {
    await site.member('ian')
    await site.member('ina', 'inactive')
    for (const name of ['ian', 'ina'])
      for (const verified of [true, false]) {
        const browser = openBrowser()
        const who = { externalId: `id-thief-${name}`, emails: [{ address: `${name.toUpperCase()}@example.org`, verified }] }
        expect(await browser.comeBack(await browser.leave(), who)).toMatch(verified ? /refused=taken$/ : /^\/users\/confirm-email\?/)
      }
  })

  it('makes one account where the same person comes back twice at once', async () => {
    const two = [openBrowser(), openBrowser()]
    const told = await Promise.all(two.map((browser) => browser.leave()))
    const landed = await Promise.all(two.map((browser, n) => browser.comeBack(told[n] as URLSearchParams, proven('jan'))))
    const sessions = await Promise.all(two.map((browser, n) => browser.landing(landed[n] as string)))
    expect(sessions.map(({ status }) => status)).toEqual([200, 200])
    expect(sessions[0]?.data.id).toBe(sessions[1]?.data.id)

    const once = openBrowser()
    const state = await once.leave()
    const both = await Promise.all([once.comeBack(state, proven('jan')), once.comeBack(state, proven('jan'))])
    expect(both.filter((path) => path.includes('auth-landing'))).toHaveLength(1)
  })

  it('binds nobody to what is somebody else’s, nor to whoever else is logged in', async () => {
    await openBrowser().login(proven('kim'))
    await site.member('lea')
    const lea = openBrowser()
    const token = await lea.enter('lea')
    expect(await lea.bind(token, proven('kim'))).toBe('/users/settings/account?refused=taken')
    expect(await own(lea, token)).toMatchObject([{ binding: false }, { binding: false }])

    // A stranger's bind link, opened in her browser, and hers in a browser where nobody or somebody else is logged in.
    await site.member('max')
    const max = openBrowser()
    const maxToken = await max.enter('max')
    expect(await max.bind(maxToken, proven('lea'), lea.comeBack)).toContain('refused=expired')
    const { data } = await lea.call('POST', '/connector/user/binding', { slug: 'elsewhere' }, token)
    lea.cookies.set('stoa_session', max.cookies.get('stoa_session') ?? '')
    expect(await lea.comeBack(new URL(data.url).searchParams, proven('lea'))).toBe('/users/settings/account?refused=other_person')
    expect(await own(max, maxToken)).toMatchObject([{ binding: false }, { binding: false }])
    // A link alone binds nothing.
    expect((await lea.go(`${API}/connector/login/elsewhere`)).headers.get('location')).toBe('/users/settings/account')
  })
})

describe('somebody who has no password', () => {
  const login = async (name: string) => {
    const browser = openBrowser()
    return { browser, token: (await browser.login(proven(name))).data.access_token as string }
  }

  it('confirms by a mailed code who they are, before anything delicate', async () => {
    await site.switch('two-factor', true)
    const { browser, token } = await login('sam')
    const delicate = [
      ['POST', '/user/email/change/code', { e_mail: 'new-sam@example.org' }],
      ['PUT', '/user/password', { pass: 'A first one 2026' }],
      ['POST', '/user/archive', {}],
      ['POST', '/connector/user/binding', { slug: 'elsewhere.more' }],
      ['POST', '/two-factor/secret', {}],
      ['POST', '/user/leave', { remove_all_content: false }],
    ] as const
    site.advance(601)
    for (const [method, path, body] of delicate) {
      const refused = await browser.call(method, path, body, token)
      expect([path, refused.status, refused.reason]).toEqual([path, 403, 'error.session.confirm'])
      expect(refused.data.methods.map(({ id }: Any) => id)).toEqual(['accounts.mail'])
    }
    await site.switch('two-factor', false)
    const begun = await browser.call('POST', '/user/session/confirm/begin', { method: 'accounts.mail' }, token)
    expect(begun.status).toBe(200)
    await site.idle()
    const mail = (await site.mail()).filter(({ to }) => to === 'sam@elsewhere.example').at(-1)?.text ?? ''
    const code = /\b\d{4} ?\d{4}\b/.exec(mail)?.[0]
    expect((await browser.call('POST', '/user/session/confirm', { method: 'accounts.mail', code }, token)).status).toBe(200)
    expect((await browser.call('POST', '/user/archive', {}, token)).status).toBe(200)
  })

  it('confirms by logging in there again, where no mail arrives', async () => {
    const { browser, token } = await login('tia')
    site.advance(601)
    expect((await browser.call('POST', '/user/archive', {}, token)).status).toBe(403)
    const again = await login('tia')
    expect((await again.browser.call('POST', '/user/archive', {}, again.token)).status).toBe(200)
  })
})

describe('my logins', () => {
  it('bind in a confirmed session, let in afterwards, and go again; each is mailed', async () => {
    await site.member('nia')
    const browser = openBrowser()
    const token = await browser.enter('nia')
    site.advance(601)
    expect(await browser.call('POST', '/connector/user/binding', { slug: 'elsewhere' }, token)).toMatchObject({
      status: 403,
      reason: 'error.session.confirm',
    })
    const fresh = await browser.enter('nia')
    const who = proven('nia')
    expect(await browser.bind(fresh, who)).toBe('/users/settings/account?bound')
    expect(await browser.bind(fresh, { ...who, externalId: 'another' })).toBe('/users/settings/account?refused=second')
    expect((await own(browser, fresh))[0]).toMatchObject({ slug: 'elsewhere', binding: true, external_id: 'id-nia' })
    expect((await openBrowser().login(who)).data.username).toBe('nia')
    const unbind = () => browser.call('DELETE', '/connector/user/unbinding', { external_id: 'id-nia', slug: 'elsewhere' }, fresh)
    site.advance(3600)
    expect(await unbind()).toMatchObject({ status: 403, reason: 'error.session.confirm' })
    const confirmed = (await openBrowser().login(who)).data.access_token
    const unbindConfirmed = () =>
      browser.call('DELETE', '/connector/user/unbinding', { external_id: 'id-nia', slug: 'elsewhere' }, confirmed)
    expect((await unbindConfirmed()).status).toBe(200)
    expect((await unbindConfirmed()).status).toBe(404)
    await site.idle()
    const subjects = (await site.mail()).filter(({ to }) => to === 'nia@example.org').map(({ subject }) => subject)
    expect(subjects).toEqual(
      expect.arrayContaining([expect.stringContaining('can now be used'), expect.stringContaining('was disconnected')]),
    )
  })

  it('are not unbound where nothing else lets the person in, and switching the plugin off warns of them', async () => {
    const browser = openBrowser()
    const { access_token: token } = (await browser.login(proven('olaf'))).data
    const unbind = () => browser.call('DELETE', '/connector/user/unbinding', { external_id: 'id-olaf' }, token)
    expect(await unbind()).toMatchObject({ status: 400, reason: 'error.accounts.last_way' })
    const more = new URL((await browser.call('POST', '/connector/user/binding', { slug: 'elsewhere.more' }, token)).data.url).searchParams
    expect(await browser.comeBack(more, proven('olaf'), {}, 'elsewhere.more')).toBe('/users/settings/account?bound')
    expect((await unbind()).status).toBe(200)
    const asked = await (await site.admin()).put(`${ADMIN}/plugin/status`, { plugin_slug_name: 'elsewhere', enabled: false })
    expect([asked.reason, asked.data.notes[0]]).toEqual(['error.plugin.warned', expect.stringContaining('could not log in any more')])
  })

  it('answer only who is there, and refuse nonsense without a fault', async () => {
    const visitor = site.visitor()
    expect((await visitor.get(`${API}/connector/user/info`)).status).toBe(401)
    expect((await (await site.member('qi', 'inactive')).get(`${API}/connector/user/info`)).status).toBe(403)
    expect((await visitor.post(`${API}/connector/user/binding`, { slug: 'elsewhere' })).status).toBe(401)
    expect((await visitor.del(`${API}/connector/user/unbinding`, { external_id: 'x' })).status).toBe(401)
    const pia = await site.member('pia')
    for (const body of [{}, { slug: 7 }, { slug: '' }, { slug: 'x'.repeat(900) }, { slug: '__proto__' }])
      expect((await pia.post(`${API}/connector/user/binding`, body)).status).toBeOneOf([400, 403])
    for (const query of ['', '?state=a&state=b', `?state=${'x'.repeat(9000)}`, '?__proto__=1&constructor=2'])
      expect((await visitor.fetch(`${API}/connector/redirect/elsewhere${query}`)).status).toBeLessThan(500)
    expect(site.errors).toEqual([])
  })

  it('stand in the archive of their person, and in no table once that person is deleted', async () => {
    const uma = await site.member('umabella')
    const browser = openBrowser()
    await browser.bind(await browser.enter('umabella'), { ...proven('umabella'), externalId: 'outside-0815' })
    // Left half-way: the other site has proven an address, and nobody went on.
    const left = openBrowser()
    await left.comeBack(await left.leave(), { ...proven('umabella-too'), emails: [] })
    const kept = async () => {
      const found = await rows.holding(['outside-0815', 'umabella'])
      return found.flatMap(({ table, column }) => (table.startsWith('accounts__') ? [`${table}.${column}`] : []))
    }
    expect((await ownArchive(site, 'umabella')).get('accounts/logins.json')).toEqual([
      { method: 'elsewhere', external_id: 'outside-0815', created_at: expect.any(Number), used_at: expect.any(Number) },
    ])
    expect(await kept()).toEqual(expect.arrayContaining(['accounts__identity.external_id', 'accounts__sign_in.kept']))
    const admin = await site.admin()
    expect((await admin.put(`${ADMIN}/user/status`, { user_id: String(uma.id), status: 'deleted' })).status).toBe(200)
    site.advance(3700)
    await expect.poll(kept).toEqual([])
  })

  it('go with the account of whoever leaves: the same login makes a new one then', async () => {
    const { data } = await openBrowser().login(proven('rhea'))
    const rhea = testPerson(site.url, { id: Number(data.id), name: 'rhea', token: data.access_token })
    expect((await rhea.post(`${API}/user/leave`, { remove_all_content: false })).status).toBe(200)
    site.advance(14 * 24 * 3600 + 601)
    const mails = async () => (await site.mail()).filter(({ to }) => to === 'rhea@elsewhere.example')
    await expect.poll(async () => (await mails()).at(-1)?.subject).toContain('has been deleted')
    await site.idle()
    const again = await openBrowser().login(proven('rhea'))
    expect(again.data.id).not.toBe(data.id)
  })
})
