import type { Reply, Site } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const CLEAN_UP = `${API}/user/clean-up`
const PASSWORD = 'correct horse 7'

// biome-ignore lint/suspicious/noExplicitAny: replies of any call
type Any = any

let site: Site
let ahead = 0
beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', 'two-factor', 'locale-en-us'] })
})
afterAll(() => site.close())

const pass = (seconds: number) => {
  ahead += seconds
  site.advance(seconds)
}
const codeOf = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + (ahead + steps * 30) * 1000 })

/** A browser with its own cookies. */
function openBrowser() {
  const cookies = new Map<string, string>()
  async function call(method: string, path: string, body: unknown = {}, token = ''): Promise<Reply<Any> & { cookies: string[] }> {
    const response = await testPerson(site.url, { id: 0, name: '', token }).fetch(path, {
      method,
      headers: { 'content-type': 'application/json', cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(method !== 'GET' && { body: JSON.stringify(body) }),
    })
    const set = response.headers.getSetCookie().map((line) => line.split(';')[0] as string)
    for (const pair of set) cookies.set(pair.split('=')[0] as string, pair.slice(pair.indexOf('=') + 1))
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, cookies: set, ...JSON.parse(text) }
  }
  return {
    call,
    login: (name: string, more: object = {}, password = PASSWORD) =>
      call('POST', `${API}/user/login/email`, { e_mail: `${name}@example.org`, pass: password, ...more }),
    prove: (proof: object) => call('POST', `${API}/user/login/proof`, proof),
    pending: () => call('GET', `${API}/user/login/pending`),
  }
}

/** Somebody who has set it up, with a fresh step for the next code. */
async function protectedPerson(name: string) {
  await site.member(name)
  const browser = openBrowser()
  const token = (await browser.login(name)).data.access_token as string
  const { secret } = (await browser.call('POST', `${API}/two-factor/secret`, {}, token)).data
  const { data } = await browser.call('POST', `${API}/two-factor`, { code: codeOf(secret) }, token)
  pass(60)
  return { name, browser, token, secret: secret as string, codes: data.codes as string[] }
}

describe('without a second step', () => {
  it('is off until the owner switches it on, and then nothing changes for those who set nothing up', async () => {
    expect(site.plugins.list().find(({ slug }) => slug === 'two-factor')?.state).toBe('off')
    const ana = await site.member('ana')
    expect((await ana.get(`${API}/two-factor`)).status).toBe(404)
    expect((await openBrowser().login('ana')).status).toBe(200)
    await site.switch('two-factor', true)
    expect((await ana.get(`${API}/two-factor`)).data).toEqual({ is_on: false, since: 0, recovery_left: 0, is_demanded: false })
    expect((await openBrowser().login('ana', { captcha_code: '123456' })).status).toBe(200)
  })

  it('a session is confirmed by logging in, for ten minutes, and then by the password or a mailed code', async () => {
    const browser = openBrowser()
    await site.member('bo')
    const token = (await browser.login('bo')).data.access_token
    const begin = () => browser.call('POST', `${API}/two-factor/secret`, {}, token)
    const confirm = (proof: object, by = browser) => by.call('POST', `${API}/user/session/confirm`, proof, token)
    expect((await begin()).status).toBe(200)
    pass(601)
    const refused = await begin()
    expect(refused).toMatchObject({ status: 403, reason: 'error.session.confirm', data: { type: 'confirm' } })
    expect(refused.msg).toContain('log in again')
    expect(refused.data.methods.map(({ id }: { id: string }) => id)).toEqual(['accounts.password', 'accounts.mail'])
    const wrong = await confirm({ method: 'accounts.password', given: { password: 'Wrong12345' } })
    expect(wrong).toMatchObject({ status: 400, data: [{ error_field: 'password' }] })
    expect((await confirm({ method: 'two-factor', code: '123456' })).status).toBe(400)
    expect((await begin()).status).toBe(403)
    expect((await confirm({ method: 'accounts.password', given: { password: PASSWORD } })).status).toBe(200)
    expect((await begin()).status).toBe(200)

    pass(3700)
    expect((await begin()).status).toBe(403)
    await browser.call('POST', `${API}/user/session/confirm/begin`, { method: 'accounts.mail' }, token)
    const mail = (await site.mail()).at(-1)
    expect(mail?.to).toBe('bo@example.org')
    const code = /^\d{8}$/m.exec(mail?.text ?? '')?.[0] as string
    const proof = { method: 'accounts.mail', code }
    expect((await confirm(proof, openBrowser())).reason).toBe('error.accounts.attempt_over')
    expect((await confirm({ ...proof, code: '00000000' })).reason).toBe('error.accounts.proof_wrong')
    expect((await confirm(proof)).status).toBe(200)
    expect((await begin()).status).toBe(200)
    expect((await confirm(proof)).reason).toBe('error.accounts.attempt_over')
    // Another session of the same person is not.
    expect((await openBrowser().call('POST', `${API}/two-factor/secret`, {}, (await site.member('bo')).token)).status).toBe(403)
  })
})

describe('a second step', () => {
  it('begins with a code of the app, and gives ten recovery codes that are stored as hashes', async () => {
    await site.member('cai')
    const browser = openBrowser()
    const token = (await browser.login('cai')).data.access_token
    const call = (method: string, path: string, body = {}) => browser.call(method, `${API}${path}`, body, token)
    expect((await call('POST', '/two-factor', { code: '123456' })).reason).toBe('error.two_factor.not_begun')
    expect((await call('POST', '/two-factor/recovery')).reason).toBe('error.two_factor.is_off')
    const { secret, uri, qr } = (await call('POST', '/two-factor/secret')).data
    expect(uri).toContain(`secret=${secret}`)
    expect(decodeURIComponent(uri)).toContain('cai@example.org')
    expect(qr.path).toMatch(/^M\d/)
    expect(await call('POST', '/two-factor', { code: codeOf(secret, 40) })).toMatchObject({ status: 400, data: [{ error_field: 'code' }] })
    // A secret that nobody confirmed asks nobody.
    expect((await openBrowser().login('cai')).status).toBe(200)
    const code = codeOf(secret)
    const { codes } = (await call('POST', '/two-factor', { code })).data
    expect(new Set(codes).size).toBe(10)
    expect(await call('GET', '/two-factor')).toMatchObject({ data: { is_on: true, recovery_left: 10 } })
    expect((await call('POST', '/two-factor/secret')).reason).toBe('error.two_factor.already_on')
    const again = (await call('POST', '/two-factor/recovery')).data.codes
    expect(again).not.toContain(codes[0])
    const late = openBrowser()
    await late.login('cai')
    // The code that turned it on counts no more, nor do the codes that were replaced.
    for (const used of [code, codes[0]]) expect((await late.prove({ code: used })).reason).toBe('error.accounts.proof_wrong')
    expect((await late.prove({ code: again[0].toUpperCase().replace('-', ' ') })).data.username).toBe('cai')
  })

  it('is asked for after the right password only, opens no session before, and takes a code once', async () => {
    const { secret } = await protectedPerson('dan')
    expect((await openBrowser().login('dan', {}, 'Wrong12345')).reason).toBe('error.object.email_or_password_incorrect')
    const browser = openBrowser()
    expect((await browser.pending()).data).toBeNull()
    const asked = await browser.login('dan')
    expect(asked).toMatchObject({
      status: 400,
      reason: 'error.accounts.second_step',
      data: [{ error_field: 'pass' }, { error_field: 'second_step' }],
    })
    expect(asked.data[0].error_msg).toContain('second step')
    expect(asked.text).not.toContain('access_token')
    expect(asked.cookies.map((pair) => pair.split('=')[0]).sort()).toEqual(['stoa_attempt', 'stoa_browser'])
    const { methods } = (await browser.pending()).data
    expect(methods.map(({ name }: { name: string }) => name)).toEqual(['Authenticator app', 'Recovery code'])
    const code = codeOf(secret)
    const entered = await browser.prove({ code: `${code.slice(0, 3)} ${code.slice(3)}` })
    expect(entered.data).toMatchObject({ username: 'dan', access_token: expect.any(String) })
    expect(entered.cookies.join()).toContain('stoa_session=')
    expect((await browser.prove({ code })).reason).toBe('error.accounts.attempt_over')
    const replay = openBrowser()
    await replay.login('dan')
    expect((await replay.prove({ code })).reason).toBe('error.accounts.proof_wrong')
    expect((await replay.prove({ code: codeOf(secret, -1) })).reason).toBe('error.accounts.proof_wrong')
    // One step ahead is within what clocks differ.
    expect((await replay.prove({ code: codeOf(secret, 1) })).status).toBe(200)
  })

  it('is taken with the password from clients that have no page for it', async () => {
    const { secret } = await protectedPerson('eli')
    const client = openBrowser()
    expect(await client.login('eli', { captcha_code: '000000' })).toMatchObject({ status: 400, data: [{ error_field: 'captcha_code' }] })
    // With an id it is the answer to something else.
    expect((await client.login('eli', { captcha_code: codeOf(secret), captcha_id: 'x' })).reason).toBe('error.accounts.second_step')
    const code = codeOf(secret)
    expect((await client.login('eli', { captcha_code: code })).data.username).toBe('eli')
    expect((await client.login('eli', { captcha_code: code })).reason).toBe('error.accounts.proof_wrong')
  })

  it('belongs to the browser that began, to the password that was given, and to ten minutes', async () => {
    const { secret, browser: own, token } = await protectedPerson('fay')
    const begun = openBrowser()
    await begun.login('fay')
    expect((await openBrowser().prove({ code: codeOf(secret) })).reason).toBe('error.accounts.attempt_over')
    expect((await own.call('PUT', `${API}/user/password`, { old_pass: PASSWORD, pass: 'Changed12345' }, token)).status).toBe(200)
    expect((await begun.pending()).data).toBeNull()
    expect((await begun.prove({ code: codeOf(secret) })).reason).toBe('error.accounts.attempt_over')
    await begun.login('fay', {}, 'Changed12345')
    pass(600)
    expect((await begun.prove({ code: codeOf(secret) })).reason).toBe('error.accounts.attempt_over')
  })

  it('cannot be guessed: five tries an attempt, ten an hour, whoever tries', async () => {
    const { secret, codes } = await protectedPerson('gil')
    const wrong = async (browser: ReturnType<typeof openBrowser>) => (await browser.prove({ code: '000000' })).reason
    const first = openBrowser()
    await first.login('gil')
    for (let n = 0; n < 5; n++) expect(await wrong(first)).toBe('error.accounts.proof_wrong')
    expect(await wrong(first)).toBe('error.accounts.attempt_over')
    expect((await first.prove({ code: codeOf(secret) })).reason).toBe('error.accounts.attempt_over')
    for (let n = 0; n < 5; n++)
      expect((await openBrowser().login('gil', { captcha_code: '000000' })).reason).toBe('error.accounts.proof_wrong')
    const late = openBrowser()
    await late.login('gil')
    for (const code of [codeOf(secret), codes[0]]) expect((await late.prove({ code })).status).toBe(429)
    pass(3601)
    await late.login('gil')
    expect((await late.prove({ code: codeOf(secret) })).status).toBe(200)
  })

  it('takes each recovery code once, also when it comes twice at once', async () => {
    const { codes, token, browser: own } = await protectedPerson('hal')
    const browsers = [openBrowser(), openBrowser(), openBrowser()]
    for (const browser of browsers) await browser.login('hal')
    const replies = await Promise.all(browsers.map((browser) => browser.prove({ code: codes[0] })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    expect((await own.call('GET', `${API}/two-factor`, {}, token)).data.recovery_left).toBe(9)
  })

  it('takes one code of the app once, also when it comes twice at once', async () => {
    const { secret } = await protectedPerson('hope')
    const browsers = [openBrowser(), openBrowser(), openBrowser()]
    for (const browser of browsers) await browser.login('hope')
    const code = codeOf(secret)
    const replies = await Promise.all(browsers.map((browser) => browser.prove({ code })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  it('is asked for before email, password and the step itself are changed; the password alone confirms nothing then', async () => {
    const { secret, token, browser } = await protectedPerson('ida')
    pass(601)
    const call = (method: string, path: string, body = {}) => browser.call(method, `${API}${path}`, body, token)
    const calls = [
      ['POST', '/user/email/change/code', { e_mail: 'ida2@example.org', pass: PASSWORD }],
      ['PUT', '/user/password', { old_pass: PASSWORD, pass: 'Changed12345' }],
      ['POST', '/two-factor/recovery', {}],
      ['DELETE', '/two-factor', {}],
    ] as const
    for (const [method, path, body] of calls) expect((await call(method, path, body)).reason, path).toBe('error.session.confirm')
    expect((await call('POST', '/user/session/confirm', { method: 'accounts.password', given: { password: PASSWORD } })).status).toBe(400)
    expect((await call('POST', '/user/session/confirm/begin', { method: 'accounts.mail' })).status).toBe(400)
    expect((await call('POST', '/user/session/confirm', { code: codeOf(secret) })).status).toBe(200)
    for (const [method, path, body] of calls) expect((await call(method, path, body)).status, path).toBe(200)
    expect((await openBrowser().login('ida', {}, 'Changed12345')).status).toBe(200)
  })

  it('stands behind mailed links as well', async () => {
    const { secret, token, browser } = await protectedPerson('jo')
    await browser.call('POST', `${API}/user/email/change/code`, { e_mail: 'jo2@example.org', pass: PASSWORD }, token)
    const code = /confirm-new-email\?code=([\w-]+)/.exec((await site.mail()).at(-1)?.text ?? '')?.[1]
    const other = openBrowser()
    const asked = await other.call('PUT', `${API}/user/email`, { code })
    expect([asked.reason, asked.cookies.join().includes('stoa_session')]).toEqual(['error.accounts.second_step', false])
    expect((await other.prove({ code: codeOf(secret) })).data.e_mail).toBe('jo2@example.org')
  })

  it('is taken away by an admin whose session is confirmed, and by nobody else', async () => {
    await protectedPerson('kim')
    const kim = await site.member('kim')
    const body = { user_id: String(kim.id) }
    expect((await (await site.moderator()).del(`${ADMIN}/two-factor`, body)).status).toBe(403)
    const admin = await site.admin()
    pass(601)
    const reset = () => admin.del(`${ADMIN}/two-factor`, body)
    expect((await reset()).reason).toBe('error.session.confirm')
    expect((await admin.get(`${ADMIN}/two-factor`, body)).data).toEqual({ is_on: true })
    await admin.post(`${API}/user/session/confirm`, { method: 'accounts.password', given: { password: PASSWORD } })
    expect((await admin.del(`${ADMIN}/two-factor`, { user_id: 'nobody' })).reason).toBe('error.two_factor.unknown_person')
    expect((await reset()).status).toBe(200)
    expect((await reset()).status).toBe(200)
    expect((await openBrowser().login('kim')).status).toBe(200)
  })

  it('is demanded of staff where the owner says so', async () => {
    const mona = await site.moderator('mona')
    const demanded = async (person = mona) => (await person.get(`${API}/two-factor`)).data.is_demanded
    expect(await demanded()).toBe(false)
    const admin = await site.admin()
    const save = (staff: boolean) => admin.put(`${ADMIN}/plugin/config`, { plugin_slug_name: 'two-factor', config_fields: { staff } })
    const settings = (person = admin) => person.get(`${ADMIN}/plugin/config?plugin_slug_name=two-factor`)
    // Otherwise nobody may be left who can take it back.
    const refused = await save(true)
    expect([refused.status, refused.data]).toEqual([
      400,
      [{ error_field: 'staff', error_msg: 'Turn on two-step login for your own account first.' }],
    ])
    const confirm = (person: typeof admin) =>
      person.post(`${API}/user/session/confirm`, { method: 'accounts.password', given: { password: PASSWORD } })
    await confirm(admin)
    const { id, name } = await site.member('otto')
    expect((await admin.put(`${ADMIN}/user/role`, { user_id: String(id), role_id: 2 })).status).toBe(200)
    const other = testPerson(site.url, { id, name, token: (await openBrowser().login('otto')).data.access_token })
    const setUp = async (person: typeof admin) => {
      await confirm(person)
      const { secret } = (await person.post<Any>(`${API}/two-factor/secret`)).data
      expect((await person.post(`${API}/two-factor`, { code: codeOf(secret) })).status).toBe(200)
    }
    await setUp(admin)
    expect((await save(true)).status).toBe(200)
    expect((await settings()).status).toBe(200)
    expect(await demanded()).toBe(true)
    expect(await demanded(await site.member('ana'))).toBe(false)

    // Whatever the browser draws: no call of staff is answered, and where staff are told apart the person is a member.
    const act = () => mona.post(CLEAN_UP, { user_id: '999999' })
    const held = await act()
    expect([held.status, held.reason]).toEqual([403, 'base.more_needed'])
    expect(held.msg).toContain('second step')
    expect((await settings(other)).reason).toBe('base.more_needed')
    await setUp(other)
    expect((await settings(other)).status).toBe(200)
    await setUp(mona)
    expect((await act()).reason).not.toBe('base.more_needed')

    // It ends with the setting, and with the plugin.
    const nora = await site.moderator('nora')
    const actOf = async (person: typeof admin) => (await person.post(CLEAN_UP, { user_id: '999999' })).reason
    expect(await actOf(nora)).toBe('base.more_needed')
    await site.switch('two-factor', false)
    expect(await actOf(nora)).not.toBe('base.more_needed')
    await site.switch('two-factor', true)
    expect(await actOf(nora)).toBe('base.more_needed')
    expect((await save(false)).status).toBe(200)
    expect(await actOf(nora)).not.toBe('base.more_needed')
  })

  it('is asked of nobody while the plugin is off, and again when it is back', async () => {
    const { secret } = await protectedPerson('leo')
    const admin = await site.admin()
    const asked = await admin.put<Any>(`${ADMIN}/plugin/status`, { plugin_slug_name: 'two-factor', enabled: false })
    expect([asked.reason, asked.data.notes[0]]).toEqual([
      'error.plugin.warned',
      expect.stringMatching(/^\d+ (people have|person has) a second/),
    ])
    await site.switch('two-factor', false)
    expect((await openBrowser().login('leo')).status).toBe(200)
    await site.switch('two-factor', true)
    const browser = openBrowser()
    expect((await browser.login('leo')).reason).toBe('error.accounts.second_step')
    expect((await browser.prove({ code: codeOf(secret) })).status).toBe(200)
    expect(site.errors).toEqual([])
  })
})
