import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const dora = { name: 'dora', e_mail: 'Dora@Example.com', pass: 'Dora12345' }

describe('joining a site', () => {
  let site: Site
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
  })
  afterEach(() => site.close())

  const codeMailedTo = async (address: string) => {
    const mail = (await site.mail()).filter(({ to }) => to === address).at(-1)
    return /code=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  it('begins unactivated, with a link by mail that activates once', async () => {
    const visitor = site.visitor()
    const registered = await visitor.post(`${API}/user/register/email`, dora)
    expect(registered.status).toBe(200)
    expect(registered.data).toMatchObject({
      username: 'dora',
      e_mail: 'dora@example.com',
      mail_status: 2,
      status: 'inactive',
      rank: 0,
      role_id: 1,
    })
    expect(registered.headers.getSetCookie().join()).toMatch(/stoa_session=.*HttpOnly.*visit=/i)

    const code = await codeMailedTo('dora@example.com')
    const active = await visitor.post(`${API}/user/email/verification`, { code })
    expect(active.data).toMatchObject({ mail_status: 1, status: 'normal' })
    const me = await visitor.fetch(`${API}/user/info`, { headers: { authorization: active.data.access_token } })
    expect((await me.json()).data).toMatchObject({ rank: 1, avatar: { custom: '' }, access_token: active.data.access_token })

    const again = await visitor.post(`${API}/user/email/verification`, { code })
    expect(again).toMatchObject({ status: 403, reason: 'error.email.verify_url_expired', data: { type: 'url_expired' } })
  })

  it('leaves one session in a browser that registers, activates and logs in; those of other browsers stay', async () => {
    let cookie = ''
    const inBrowser = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json', cookie }
      const reply = await site.visitor().fetch(`${API}/user/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(reply.status).toBe(200)
      const set = reply.headers.getSetCookie().map((line) => line.split(';')[0] as string)
      cookie = set.find((pair) => pair.startsWith('stoa_session=')) as string
      return ((await reply.json()) as { data: { access_token: string } }).data.access_token
    }
    const sessions = async (authorization: string) =>
      (await (await site.visitor().fetch(`${API}/user/session`, { headers: { authorization } })).json()).data.length
    await inBrowser('register/email', dora)
    const active = await inBrowser('email/verification', { code: await codeMailedTo('dora@example.com') })
    expect(await sessions(active)).toBe(1)
    const login = { e_mail: dora.e_mail, pass: dora.pass }
    await site.visitor().post(`${API}/user/login/email`, login)
    expect(await sessions(await inBrowser('login/email', login))).toBe(2)
  })

  it('names what is wrong with a form', async () => {
    const visitor = site.visitor()
    const fieldsOf = async (body: object) => {
      const reply = await visitor.post<{ error_field: string }[]>(`${API}/user/register/email`, body)
      expect(reply.status).toBe(400)
      return reply.data.map((entry) => entry.error_field)
    }
    expect(await fieldsOf({})).toEqual(['name', 'e_mail', 'pass'])
    expect(await fieldsOf({ ...dora, pass: 'short' })).toEqual(['pass'])
    expect(await fieldsOf({ ...dora, e_mail: 'nonsense' })).toEqual(['e_mail'])
    expect(await fieldsOf({ ...dora, e_mail: 'admin@example.org' })).toEqual(['e_mail'])
    for (const pass of ['PassWord1', 'qwertyuiop', '1qaz2wsx', 'dora@example.com'])
      expect(await fieldsOf({ ...dora, pass }), pass).toEqual(['pass'])
  })

  it("is refused by the owner's rules: closed, or another domain", async () => {
    const admin = await site.admin()
    const login = {
      allow_new_registrations: false,
      allow_email_registrations: true,
      allow_password_login: true,
      login_required: false,
      allow_email_domains: [],
    }
    await admin.put('/answer/admin/api/siteinfo/login', login)
    expect(await site.visitor().post(`${API}/user/register/email`, dora)).toMatchObject({
      status: 400,
      reason: 'error.user.not_allowed_registration',
      data: null,
    })
    await admin.put('/answer/admin/api/siteinfo/login', { ...login, allow_new_registrations: true, allow_email_domains: ['example.org'] })
    const other = await site.visitor().post(`${API}/user/register/email`, { ...dora, e_mail: 'dora@notexample.org' })
    expect(other).toMatchObject({ status: 400, reason: 'error.email.illegal_email_domain_error', data: null })
  })

  it('gives a username in pinyin, and another one when it is taken', async () => {
    const visitor = site.visitor()
    const first = await visitor.post(`${API}/user/register/email`, { ...dora, name: '张三' })
    expect(first.data).toMatchObject({ username: 'zhang-san', display_name: '张三' })
    const second = await visitor.post(`${API}/user/register/email`, { ...dora, e_mail: 'two@example.com', name: '张三' })
    expect(second.data.username).toMatch(/^zhang-san-[a-z0-9]{4}$/)
  })

  it('takes a code for nothing but its purpose', async () => {
    const visitor = site.visitor()
    await visitor.post(`${API}/user/register/email`, dora)
    const code = await codeMailedTo('dora@example.com')
    expect((await visitor.post(`${API}/user/password/replacement`, { code, pass: 'Stolen12345' })).status).toBe(403)
    expect((await visitor.put(`${API}/user/email`, { code })).status).toBe(403)
    expect((await visitor.post(`${API}/user/email/verification`, { code })).status).toBe(200)
  })

  it('counts only the newest code, for a day', async () => {
    const visitor = site.visitor()
    const { data } = await visitor.post(`${API}/user/register/email`, dora)
    const first = await codeMailedTo('dora@example.com')
    await visitor.fetch(`${API}/user/email/verification/send`, { method: 'POST', headers: { authorization: data.access_token } })
    const second = await codeMailedTo('dora@example.com')
    expect(second).not.toBe(first)
    expect((await visitor.post(`${API}/user/email/verification`, { code: first })).status).toBe(403)
    site.advance(24 * 3600 + 1)
    expect((await visitor.post(`${API}/user/email/verification`, { code: second })).status).toBe(403)
  })
})
