import type { Reply, Site } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAuthenticator } from './authenticator.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const PASSWORD = 'correct horse 7'
const place = { host: 'stoa.example', origin: 'https://stoa.example' }

// biome-ignore lint/suspicious/noExplicitAny: replies of any call
type Any = any

let site: Site
let ahead = 0
beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', 'passkeys', 'two-factor', 'locale-en-us'] })
  for (const slug of ['passkeys', 'two-factor']) await site.switch(slug, true)
  await move(place.origin)
})
afterAll(() => site.close())

const move = async (site_url: string) =>
  (await site.admin()).put(`${ADMIN}/siteinfo/general`, { name: 'Test', site_url, contact_email: 'admin@example.org' })

function openBrowser() {
  const cookies = new Map<string, string>()
  async function call(method: string, path: string, body: unknown = {}, token = ''): Promise<Reply<Any>> {
    const response = await testPerson(site.url, { id: 0, name: '', token }).fetch(API + path, {
      method,
      headers: { 'content-type': 'application/json', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, ...JSON.parse(text) }
  }
  return {
    call,
    login: (name: string) => call('POST', '/user/login/email', { e_mail: `${name}@example.org`, pass: PASSWORD }),
    /** What the device is asked. */
    ask: async (anew = true) => (await call('POST', '/user/login/proof/begin', { method: 'passkeys', anew })).data?.shown,
    answer: (response: string) => call('POST', '/user/login/proof', { method: 'passkeys', given: { response } }),
  }
}

async function withPasskey(name: string, device = makeAuthenticator(place)) {
  await site.member(name)
  const browser = openBrowser()
  const token = (await browser.login(name)).data.access_token as string
  const { options } = (await browser.call('POST', '/passkeys/registration', {}, token)).data
  const added = await browser.call('POST', '/passkeys', { name: 'Phone', response: device.register(options) }, token)
  return { device, browser, token, options, added }
}
const listOf = async (browser: ReturnType<typeof openBrowser>, token: string) =>
  (await browser.call('GET', '/passkeys', {}, token)).data.list

describe('a passkey', () => {
  it('is added in a confirmed session, and then lets in without address and password', async () => {
    const { device, browser, token, options, added } = await withPasskey('ana')
    expect(added.status).toBe(200)
    expect(options).toMatchObject({
      rp: { id: 'stoa.example', name: 'Test' },
      user: { name: 'ana@example.org' },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const entering = openBrowser()
    const asked = await entering.ask()
    expect(asked).toMatchObject({ rpId: 'stoa.example', userVerification: 'required' })
    expect(asked.allowCredentials ?? []).toEqual([])
    expect((await entering.answer(device.sign(asked))).data).toMatchObject({ username: 'ana', access_token: expect.any(String) })
    expect(await listOf(browser, token)).toMatchObject([{ name: 'Phone', last_used_at: expect.any(Number) }])
    // It demands nothing of those who type the password.
    expect((await openBrowser().login('ana')).status).toBe(200)
    ahead += 601
    site.advance(601)
    for (const [method, path] of [
      ['POST', '/passkeys/registration'],
      ['POST', '/passkeys'],
      ['DELETE', '/passkeys'],
    ] as const)
      expect((await browser.call(method, path, {}, token)).reason, `${method} ${path}`).toBe('error.session.confirm')
  })

  it('answers a challenge once, only in the browser that asked, and only this one', async () => {
    const { device } = await withPasskey('bo')
    const entering = openBrowser()
    const answer = device.sign(await entering.ask())
    expect((await openBrowser().answer(answer)).reason).toBe('error.accounts.attempt_over')
    const replies = await Promise.all([entering.answer(answer), entering.answer(answer)])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    await entering.ask()
    expect((await entering.answer(answer)).reason).toBe('error.accounts.proof_wrong')
    const late = openBrowser()
    const asked = await late.ask()
    ahead += 601
    site.advance(601)
    expect((await late.answer(device.sign(asked))).reason).toBe('error.accounts.attempt_over')
  })

  it('is refused with a counter that goes back, without user verification, for another site, or signed by another key', async () => {
    const { device } = await withPasskey('cai')
    const entering = openBrowser()
    device.setCounter(10)
    expect((await entering.answer(device.sign(await entering.ask()))).status).toBe(200)
    for (const counter of [9, 3]) {
      device.setCounter(counter)
      expect((await entering.answer(device.sign(await entering.ask()))).reason, `counter ${counter}`).toBe('error.accounts.proof_wrong')
    }
    device.setCounter(20)
    expect((await entering.answer(device.sign(await entering.ask(), 1))).reason, 'only present').toBe('error.accounts.proof_wrong')
    const stranger = JSON.parse(makeAuthenticator(place).sign(await entering.ask()))
    const { id } = JSON.parse(device.sign({ challenge: 'x' }))
    expect((await entering.answer(JSON.stringify({ ...stranger, id, rawId: id }))).reason, 'key').toBe('error.accounts.proof_wrong')
    await entering.ask()
    for (const junk of ['', '{', 'null', '[]', '{"id":1}', JSON.stringify({ id })]) {
      const { reason } = await entering.answer(junk)
      expect(['error.accounts.proof_wrong', 'error.accounts.attempt_over'], junk).toContain(reason)
    }
    device.setCounter(30)
    expect((await entering.answer(device.sign(await entering.ask()))).status).toBe(200)
  })

  it('of another origin registers nothing, nor does an answer to an older question, nor one that somebody has', async () => {
    const phisher = makeAuthenticator({ host: 'stoa.example', origin: 'https://st0a.example' })
    expect((await withPasskey('dan', phisher)).added.reason).toBe('error.passkeys.not_registered')
    const { device, browser, token, options } = await withPasskey('dee')
    expect((await browser.call('POST', '/passkeys', { name: 'x', response: device.register(options) }, token)).reason).toBe(
      'error.passkeys.not_registered',
    )
    expect((await withPasskey('eve', device)).added.reason).toBe('error.passkeys.taken')
    expect((await withPasskey('eve', makeAuthenticator({ ...place, host: 'other.example' }))).added.status).toBe(400)
  })

  it('confirms a session of its own person only', async () => {
    const ana = await withPasskey('fay')
    const ben = await withPasskey('gil')
    ahead += 601
    site.advance(601)
    const { call } = ana.browser
    const { methods } = (await call('POST', '/passkeys/registration', {}, ana.token)).data
    expect(methods.map(({ id }: { id: string }) => id)).toEqual(['accounts.password', 'passkeys', 'accounts.mail'])
    const ask = async () => (await call('POST', '/user/session/confirm/begin', { method: 'passkeys' }, ana.token)).data.shown
    const confirm = (response: string) => call('POST', '/user/session/confirm', { method: 'passkeys', given: { response } }, ana.token)
    expect((await ask()).allowCredentials).toHaveLength(1)
    expect((await confirm(ben.device.sign(await ask()))).reason).toBe('error.accounts.proof_wrong')
    const answer = ana.device.sign(await ask())
    expect((await confirm(answer)).status).toBe(200)
    expect((await confirm(answer)).reason).toBe('error.accounts.attempt_over')
    expect((await call('POST', '/passkeys/registration', {}, ana.token)).status).toBe(200)
  })

  it('does in place of a second step that is demanded, for its own person only', async () => {
    const { device, browser, token } = await withPasskey('hal')
    const other = await withPasskey('ida')
    const { secret } = (await browser.call('POST', '/two-factor/secret', {}, token)).data
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 1000 })
    expect((await browser.call('POST', '/two-factor', { code }, token)).status).toBe(200)
    const entering = openBrowser()
    expect((await entering.login('hal')).reason).toBe('error.accounts.second_step')
    expect((await entering.answer(other.device.sign(await entering.ask(false)))).reason).toBe('error.accounts.proof_wrong')
    expect((await entering.answer(device.sign(await entering.ask(false)))).data.username).toBe('hal')
    // Alone it lets in as well: the device has asked who holds it.
    expect((await entering.answer(device.sign(await entering.ask()))).data.username).toBe('hal')
  })

  it('is named and removed by its person only, and lets nobody in afterwards', async () => {
    const { device, browser, token } = await withPasskey('jo')
    const other = await withPasskey('kim')
    const [{ id }] = await listOf(browser, token)
    expect((await other.browser.call('PUT', '/passkeys', { id, name: 'Mine' }, other.token)).status).toBe(404)
    expect((await other.browser.call('DELETE', '/passkeys', { id }, other.token)).status).toBe(404)
    await browser.call('PUT', '/passkeys', { id, name: 'Key' }, token)
    expect(await listOf(browser, token)).toMatchObject([{ name: 'Key' }])
    expect((await browser.call('DELETE', '/passkeys', { id }, token)).status).toBe(200)
    expect(await listOf(browser, token)).toEqual([])
    const entering = openBrowser()
    expect((await entering.answer(device.sign(await entering.ask()))).reason).toBe('error.accounts.proof_wrong')
  })

  it('that is the last way in cannot be removed', async () => {
    const { browser, token } = await withPasskey('leo')
    const [{ id }] = await listOf(browser, token)
    const admin = await site.admin()
    const byPassword = (allow_password_login: boolean) => admin.put(`${ADMIN}/siteinfo/login`, { allow_password_login })
    await byPassword(false)
    expect((await browser.call('DELETE', '/passkeys', { id }, token)).reason).toBe('error.passkeys.last_way')
    expect(await listOf(browser, token)).toHaveLength(1)
    await byPassword(true)
    expect((await browser.call('DELETE', '/passkeys', { id }, token)).status).toBe(200)
  })

  it('lets no suspended person in', async () => {
    const { device } = await withPasskey('max')
    const { id } = await site.member('max')
    await (await site.admin()).put(`${ADMIN}/user/status`, { user_id: String(id), status: 'suspended' })
    const entering = openBrowser()
    expect((await entering.answer(device.sign(await entering.ask()))).reason).toBe('error.user.suspended')
  })

  it('is not to be had where the address of the site allows none, and says so', async () => {
    const { browser, token } = await withPasskey('nia')
    for (const url of ['http://stoa.example', 'http://127.0.0.1:4150', 'https://[::1]']) {
      await move(url)
      expect((await browser.call('GET', '/passkeys', {}, token)).data.address, url).toBe('')
      expect((await browser.call('POST', '/passkeys/registration', {}, token)).msg, url).toContain('https and a name')
      expect((await openBrowser().call('POST', '/user/login/proof/begin', { method: 'passkeys', anew: true })).status, url).toBe(400)
    }
    await move('http://localhost:4150')
    expect((await browser.call('GET', '/passkeys', {}, token)).data.address).toBe('http://localhost:4150')
    await move(place.origin)
  })

  it('that is the only way in of somebody is told of before the plugin goes off', async () => {
    await withPasskey('oda')
    const admin = await site.admin()
    await admin.put(`${ADMIN}/siteinfo/login`, { allow_password_login: false })
    const asked = await admin.put<Any>(`${ADMIN}/plugin/status`, { plugin_slug_name: 'passkeys', enabled: false })
    expect([asked.reason, asked.data.notes[0]]).toEqual(['error.plugin.warned', expect.stringContaining('could not log in any more')])
    expect(site.plugins.list().find(({ slug }) => slug === 'passkeys')?.state).toBe('on')
    await admin.put(`${ADMIN}/siteinfo/login`, { allow_password_login: true })
  })

  it('is asked for by nobody while the plugin is off', async () => {
    await site.switch('passkeys', false)
    expect((await openBrowser().call('POST', '/user/login/proof/begin', { method: 'passkeys', anew: true })).status).toBe(400)
    expect((await openBrowser().login('ana')).status).toBe(200)
    await site.switch('passkeys', true)
    expect(await openBrowser().ask()).toMatchObject({ rpId: 'stoa.example' })
    expect(site.errors).toEqual([])
  })
})
