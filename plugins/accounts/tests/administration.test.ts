import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'

describe('managing people', () => {
  let site: Site
  let admin: TestPerson
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    admin = await site.admin()
  })
  afterEach(() => site.close())

  const add = (users: string) => admin.post(`${ADMIN}/users`, { users })
  const page = async (query: Record<string, string | number | boolean>) =>
    (await admin.get<{ count: number; list: Record<string, unknown>[] }>(`${ADMIN}/users/page`, query)).data

  it('adds all people of a text or none, and names the wrong line without its password', async () => {
    const wrong = await add('ana, ana@example.com, Ana123456\nben, nonsense, Secret12345')
    expect(wrong).toMatchObject({ status: 400, data: [{ error_field: 'users', error_msg: expect.stringContaining('2') }] })
    expect(wrong.text).not.toContain('Secret12345')
    expect((await page({ query: 'ana' })).count).toBe(0)
    expect((await add('ana, ana@example.com, Ana123456\n\nben, ben@example.com, Ben123456')).status).toBe(200)
    expect(await page({ query: 'ben@example.com' })).toMatchObject({
      count: 1,
      list: [{ username: 'ben', rank: 1, status: 'normal', role_id: 1 }],
    })
  })

  it('lets others write while the passwords of many are hashed', async () => {
    const ana = await site.member('ana')
    const done: string[] = []
    const many = Array.from({ length: 24 }, (_, index) => `Person ${index}, person${index}@example.com, Secret12345`)
    const adding = add(many.join('\n')).then(({ status }) => done.push(`people ${status}`))
    for (const color_scheme of ['dark', 'light', 'system']) {
      const { status } = await ana.put(`${API}/user/interface`, { language: 'en_US', color_scheme })
      done.push(`ana ${status}`)
    }
    await adding
    expect(done).toEqual(['ana 200', 'ana 200', 'ana 200', 'people 200'])
    expect((await site.visitor().post(`${API}/user/login/email`, { e_mail: 'person23@example.com', pass: 'Secret12345' })).status).toBe(200)
  })

  it('finds people by state, role, id and the beginning of a name', async () => {
    await site.member('eli', 'inactive')
    const mona = await site.moderator('mona')
    expect((await page({ status: 'inactive' })).list.map((row) => row.username)).toEqual(['eli'])
    expect((await page({ page: 1 })).list.map((row) => row.username).sort()).toEqual(['admin', 'mona'])
    expect((await page({ staff: true })).count).toBe(2)
    expect((await page({ query: `user:${mona.id}` })).list).toMatchObject([{ username: 'mona' }])
    expect((await admin.get(`${ADMIN}/users/page`, { status: 'asleep' })).data).toMatchObject([{ error_field: 'status' }])
  })

  it('lets nobody act on themselves, and nobody but admins act at all', async () => {
    const self = { user_id: String(admin.id) }
    expect((await admin.put(`${ADMIN}/user/status`, { ...self, status: 'suspended' })).reason).toBe('error.admin.cannot_modify_self_status')
    expect((await admin.put(`${ADMIN}/user/role`, { ...self, role_id: 1 })).reason).toBe('error.user.cannot_update_your_role')
    expect((await admin.put(`${ADMIN}/user/password`, { ...self, password: 'Admin54321' })).reason).toBe(
      'error.admin.cannot_update_their_password',
    )
    const moderator = await site.moderator('mona')
    expect(await moderator.put(`${ADMIN}/user/role`, {})).toMatchObject({ status: 403, reason: 'base.unauthorized_error' })
    expect((await site.visitor().put(`${ADMIN}/user/role`, {})).status).toBe(401)
    expect((await admin.put(`${ADMIN}/user/status`, { user_id: '99', status: 'suspended' })).reason).toBe('error.user.not_found')
  })

  it('corrects names and address within the rules', async () => {
    const ana = await site.member('ana')
    await site.member('ben')
    const edit = (changes: object) =>
      admin.put(`${ADMIN}/user/profile`, {
        user_id: String(ana.id),
        display_name: 'Ana Two',
        username: 'ana_two',
        email: 'ana@example.org',
        ...changes,
      })
    expect((await edit({ display_name: 'A' })).data).toMatchObject([{ error_field: 'display_name' }])
    expect(await edit({ email: 'ben@example.org' })).toMatchObject({ reason: 'error.email.duplicate', data: [{ error_field: 'email' }] })
    expect(await edit({ username: 'ben' })).toMatchObject({ reason: 'error.user.username_duplicate' })
    expect((await edit({ email: 'ana2@example.org' })).status).toBe(200)
    expect((await page({ query: 'ana2@example.org' })).list).toMatchObject([{ display_name: 'Ana Two', username: 'ana_two' }])
  })

  it('takes name, sessions and page from somebody deleted, and frees the address', async () => {
    const del = await site.member('del')
    expect((await admin.put(`${ADMIN}/user/status`, { user_id: String(del.id), status: 'deleted' })).status).toBe(200)
    expect((await del.put(`${API}/user/interface`, {})).status).toBe(401)
    // An unknown token is a visitor's; this one was somebody's, whose tabs are told that it is over.
    expect((await del.get(`${API}/user/info`)).status).toBe(401)
    expect((await site.visitor().get(`${API}/personal/user/info`, { username: 'del' })).status).toBe(404)
    expect((await page({ status: 'deleted' })).list).toMatchObject([
      { username: expect.stringMatching(/^user\d+$/), e_mail: '', avatar: '', deleted_at: expect.any(Number) },
    ])
    expect((await add('del, del@example.org, Del1234567')).status).toBe(200)
  })

  it('hands out an activation link for somebody unactivated only', async () => {
    const eli = await site.member('eli', 'inactive')
    const link = await admin.get(`${ADMIN}/user/activation`, { user_id: String(eli.id) })
    expect(link.data.activation_url).toMatch(/\/users\/account-activation\?code=[\w-]+$/)
    expect((await admin.post(`${ADMIN}/user/activation`, { user_id: String(eli.id) })).status).toBe(200)
    expect((await site.mail()).at(-1)?.to).toBe('eli@example.org')
    expect((await admin.get(`${ADMIN}/user/activation`, { user_id: String(admin.id) })).status).toBe(400)
  })
})
