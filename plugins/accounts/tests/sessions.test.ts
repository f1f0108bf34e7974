import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const PASSWORD = 'correct horse 7'

describe('logging in', () => {
  let site: Site
  let ana: TestPerson
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    ana = await site.member('ana')
  })
  afterEach(() => site.close())

  const login = (e_mail: string, pass = PASSWORD) => site.visitor().post(`${API}/user/login/email`, { e_mail, pass })

  it('opens a session that logging out ends', async () => {
    const { status, data } = await login('ANA@example.org')
    expect(status).toBe(200)
    expect(data).toMatchObject({ username: 'ana', rank: 1, have_password: true, language: 'Default', color_scheme: 'default' })
    const me = async () =>
      (await (await site.visitor().fetch(`${API}/user/info`, { headers: { authorization: `Bearer ${data.access_token}` } })).json()).data
    expect(await me()).toMatchObject({ username: 'ana' })
    await site.visitor().fetch(`${API}/user/logout`, { headers: { authorization: data.access_token } })
    expect(await me()).toBeNull()
  })

  it('says the same for an unknown address, a wrong password and passwords switched off', async () => {
    const refusal = { status: 400, reason: 'error.object.email_or_password_incorrect', data: [{ error_field: 'e_mail' }] }
    expect(await login('nobody@example.org')).toMatchObject(refusal)
    expect(await login('ana@example.org', 'Wrong12345')).toMatchObject(refusal)
    await (await site.admin()).put(`${ADMIN}/siteinfo/login`, { allow_password_login: false })
    expect(await login('ana@example.org')).toMatchObject(refusal)
  })

  it('is limited for strangers only, and shares its count with every other door', async () => {
    await site.close()
    site = await startSite({ plugins: ['accounts', 'locale-en-us'], rateLimits: true })
    await site.member('ana')
    const from = (cookie: string, pass = PASSWORD) =>
      site.visitor().fetch(`${API}/user/login/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie },
        body: JSON.stringify({ e_mail: 'ana@example.org', pass }),
      })
    const first = await from('')
    const browser = first.headers.getSetCookie().find((line) => line.startsWith('stoa_browser=')) as string
    expect(browser).toMatch(/HttpOnly.*SameSite=Lax/i)
    const rescue = (login: string) =>
      site.visitor().fetch('/rescue/login', { method: 'POST', body: new URLSearchParams({ login, password: 'x' }) })
    for (let n = 0; n < 5; n++) {
      expect((await from('', 'Wrong12345')).status).toBe(400)
      expect((await rescue(' Ana@example.org')).status).toBe(403)
    }
    expect((await from('')).status).toBe(429)
    expect((await rescue('ana@example.org')).status).toBe(429)
    expect((await from(browser.split(';')[0] as string)).status).toBe(200)
  })

  it('and whatever else takes a password or mails is limited before anything is read, by person, network and address', async () => {
    await site.close()
    site = await startSite({ plugins: ['accounts', 'locale-en-us'], rateLimits: true })
    const admin = await site.admin()
    /** Statuses of so many tries with a body that is no form. */
    const tries = async (count: number, path: string, method = 'POST', token = '') => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: token }) }
      const statuses = []
      for (let n = 0; n < count; n++) statuses.push((await site.visitor().fetch(API + path, { method, headers, body: '{}' })).status)
      return [...new Set(statuses)]
    }
    // Guesses at one's own password count together, those of staff too.
    expect(await tries(6, '/user/password', 'PUT', admin.token)).toEqual([400])
    expect(await tries(4, '/user/email/change/code', 'POST', admin.token)).toEqual([400])
    expect(await tries(1, '/user/password', 'PUT', admin.token)).toEqual([429])
    expect(await tries(21, '/user/password/replacement')).toEqual([400, 429])
    // One address, however many ask.
    const reset = () => site.visitor().post(`${API}/user/password/reset`, { e_mail: 'Nobody@example.org' })
    for (let n = 0; n < 10; n++) expect((await reset()).status).toBe(200)
    expect((await reset()).status).toBe(429)
    expect((await site.visitor().post(`${API}/user/password/reset`, { e_mail: 'another@example.org' })).status).toBe(200)
    expect(await tries(60, '/user/password/reset')).toEqual([400, 429])
    expect(await tries(61, '/user/register/email')).toEqual([400, 429])
    expect(await tries(30, '/user/email/verification')).toEqual([400])
    expect(await tries(31, '/user/email', 'PUT')).toEqual([400, 429])
  })

  it('is refused to suspended people, whose open sessions can only read who they are', async () => {
    await (await site.admin()).put(`${ADMIN}/user/status`, { user_id: String(ana.id), status: 'suspended' })
    expect(await login('ana@example.org')).toMatchObject({ status: 403, reason: 'error.user.suspended', data: { type: 'suspended' } })
    expect((await ana.get(`${API}/user/info`)).data).toMatchObject({ status: 'suspended' })
    expect(await ana.put(`${API}/user/interface`, { language: 'en_US', color_scheme: 'dark' })).toMatchObject({
      status: 403,
      data: { type: 'suspended' },
    })
  })

  it('leaves unactivated people outside of everything but their own account', async () => {
    const eli = await site.member('eli', 'inactive')
    expect((await eli.get(`${API}/user/info`)).data).toMatchObject({ status: 'inactive', mail_status: 2 })
    expect(await eli.get(`${API}/permission`, { action: 'experience.add' })).toMatchObject({
      status: 403,
      reason: 'error.email.need_to_be_verified',
      data: { type: 'inactive' },
    })
  })

  it('ends when the role changes or an admin sets a password', async () => {
    const admin = await site.admin()
    await admin.put(`${ADMIN}/user/role`, { user_id: String(ana.id), role_id: 3 })
    expect((await ana.get(`${API}/user/info`)).data).toBeNull()
    const { data } = await login('ana@example.org')
    expect(data.role_id).toBe(3)
    await admin.put(`${ADMIN}/user/password`, { user_id: String(ana.id), password: 'Changed12345' })
    expect((await login('ana@example.org')).status).toBe(400)
    expect((await login('ana@example.org', 'Changed12345')).status).toBe(200)
  })

  it('keeps the session that changed the password and ends the others', async () => {
    const other = (await login('ana@example.org')).data.access_token
    const change = (body: object) => ana.put(`${API}/user/password`, body)
    expect(await change({ old_pass: 'Wrong12345', pass: 'Changed12345' })).toMatchObject({
      reason: 'error.object.old_password_verification_failed',
      data: [{ error_field: 'old_pass' }],
    })
    expect(await change({ old_pass: PASSWORD, pass: PASSWORD })).toMatchObject({
      reason: 'error.object.new_password_same_as_previous_setting',
      data: [{ error_field: 'pass' }],
    })
    expect((await change({ old_pass: PASSWORD, pass: 'Changed12345' })).status).toBe(200)
    expect((await ana.get(`${API}/user/info`)).data).toMatchObject({ username: 'ana' })
    expect((await (await site.visitor().fetch(`${API}/user/info`, { headers: { authorization: other } })).json()).data).toBeNull()
  })

  it('is possible again after a reset by mail, which says nothing about unknown addresses', async () => {
    const visitor = site.visitor()
    expect((await visitor.post(`${API}/user/password/reset`, { e_mail: 'nobody@example.org' })).status).toBe(200)
    expect((await visitor.post(`${API}/user/password/reset`, { e_mail: 'ana@example.org' })).status).toBe(200)
    const mails = await site.mail()
    expect(mails.map(({ to }) => to)).toEqual(['ana@example.org'])
    const code = /password-reset\?code=([\w-]+)/.exec(mails[0]?.text ?? '')?.[1]
    expect((await visitor.post(`${API}/user/password/replacement`, { code, pass: 'Changed12345' })).status).toBe(200)
    expect((await ana.get(`${API}/user/info`)).data).toBeNull()
    expect((await login('ana@example.org', 'Changed12345')).status).toBe(200)
  })

  it('uses the new address once its link was followed', async () => {
    const ask = (body: object) => ana.post(`${API}/user/email/change/code`, body)
    expect(await ask({ e_mail: 'new@example.org', pass: 'Wrong12345' })).toMatchObject({ data: [{ error_field: 'pass' }] })
    expect(await ask({ e_mail: 'admin@example.org', pass: PASSWORD })).toMatchObject({
      reason: 'error.email.duplicate',
      data: [{ error_field: 'e_mail' }],
    })
    expect((await ask({ e_mail: 'new@example.org', pass: PASSWORD })).status).toBe(200)
    const code = /confirm-new-email\?code=([\w-]+)/.exec((await site.mail()).at(-1)?.text ?? '')?.[1]
    expect((await site.visitor().put(`${API}/user/email`, { code })).data).toMatchObject({ e_mail: 'new@example.org' })
    expect((await login('new@example.org')).status).toBe(200)
  })
})
