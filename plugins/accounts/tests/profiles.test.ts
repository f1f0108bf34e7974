import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const profile = {
  display_name: 'Ana Marina',
  username: 'Ana_Marina',
  bio: 'I **travel** at night<script>1</script>',
  website: 'https://example.com',
  location: 'Porto',
}

describe('a profile', () => {
  let site: Site
  let ana: TestPerson
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    ana = await site.member('ana')
  })
  afterEach(() => site.close())

  const publicly = (username: string) => site.visitor().get(`${API}/personal/user/info`, { username })

  it('is edited by its owner and read by everybody, case aside', async () => {
    expect((await ana.put(`${API}/user/info`, profile)).status).toBe(200)
    const { data } = await publicly('ANA_marina')
    expect(data).toMatchObject({
      username: 'Ana_Marina',
      display_name: 'Ana Marina',
      bio_html: '<p>I <strong>travel</strong> at night</p>',
      location: 'Porto',
      status: 'normal',
    })
    expect(JSON.stringify(data)).not.toContain('example.org')
    expect(await publicly('nobody')).toMatchObject({ status: 404, reason: 'error.user.not_found' })
  })

  it('keeps nothing in a name that nobody sees, by which one could pass for another or turn a line around', async () => {
    for (const [wished, kept] of [
      ['ad\u200Bmi\u200Dn\u2060', 'admin'],
      ['\u202Eana\u2066 \u00A0 m.\uFEFF', 'ana m.'],
      ['👩🏽\u200D🚀 عنوان', '👩🏽\u200D🚀 عنوان'],
    ]) {
      expect((await ana.put(`${API}/user/info`, { ...profile, display_name: wished })).status).toBe(200)
      expect((await publicly('ana_marina')).data.display_name).toBe(kept)
    }
    expect(await ana.put(`${API}/user/info`, { ...profile, display_name: '\u200B' })).toMatchObject({ status: 400 })
  })

  it('keeps what the owner of the site does not let people change', async () => {
    const admin = await site.admin()
    const { data } = await admin.get(`${ADMIN}/siteinfo/users`)
    await admin.put(`${ADMIN}/siteinfo/users`, { ...data, allow_update_username: false, allow_update_bio: false })
    expect((await ana.put(`${API}/user/info`, profile)).status).toBe(200)
    expect((await ana.get(`${API}/user/info`)).data).toMatchObject({ username: 'ana', bio: '', display_name: 'Ana Marina' })
  })

  it('is found by the names it had, which nobody else can have any more', async () => {
    const [ben, admin] = [await site.member('ben'), await site.admin()]
    const rename = (person: TestPerson, username: string) => person.put(`${API}/user/info`, { ...profile, username })
    expect((await rename(ana, 'ana_marina')).status).toBe(200)
    expect((await publicly('ANA')).data).toMatchObject({ id: String(ana.id), username: 'ana_marina' })
    const page = await site.visitor().fetch('/users/Ana/answers')
    expect([page.status, page.headers.get('location')]).toEqual([302, '/users/ana_marina/answers'])
    expect((await site.visitor().fetch('/users/ana_marina')).status).toBe(200)

    expect(await rename(ben, 'Ana')).toMatchObject({ status: 400, reason: 'error.user.username_duplicate' })
    const corrected = { user_id: String(ben.id), display_name: 'Ben', username: 'ana', email: 'ben@example.org' }
    expect((await admin.put(`${ADMIN}/user/profile`, corrected)).reason).toBe('error.user.username_duplicate')
    const added = await admin.post(`${ADMIN}/users`, { users: 'ana, ana-two@example.org, Another12345' })
    expect(added.status).toBe(200)
    expect((await admin.get(`${ADMIN}/users/page`, { query: 'ana-two@example.org' })).data.list[0].username).toMatch(/^ana-\w{4}$/)

    // Back to a name of one's own, which is no new one; and three new ones in thirty days.
    expect((await rename(ana, 'ana')).status).toBe(200)
    for (const [name, status] of [
      ['ana_two', 200],
      ['ana_three', 200],
      ['ana_four', 400],
    ] as const)
      expect((await rename(ana, name)).status, name).toBe(status)
    expect((await rename(ana, 'ana_four')).data).toMatchObject([{ error_field: 'username' }])
  })

  it('refuses usernames that are taken, reserved or malformed, and addresses that are none', async () => {
    await site.member('mona')
    const refusal = async (changes: object) => {
      const reply = await ana.put<{ error_field: string }[]>(`${API}/user/info`, { ...profile, ...changes })
      return [reply.status, reply.reason, reply.data[0]?.error_field]
    }
    expect(await refusal({ username: 'MONA' })).toEqual([400, 'error.user.username_duplicate', 'username'])
    expect(await refusal({ username: 'settings' })).toEqual([400, 'error.user.username_invalid', 'username'])
    expect(await refusal({ username: 'no way!' })).toEqual([400, 'error.user.username_invalid', 'username'])
    expect(await refusal({ website: 'javascript:alert(1)' })).toEqual([400, 'base.request_format_error', 'website'])
    expect(await refusal({ avatar: { type: 'custom', custom: 'https://evil.example/x.png' } })).toEqual([
      400,
      'base.request_format_error',
      'avatar',
    ])
    expect(await refusal({ display_name: 'n'.repeat(31) })).toEqual([400, 'base.request_format_error', 'display_name'])
  })

  it("has an avatar that follows the site's default until another is chosen", async () => {
    const avatar = async () => (await ana.get(`${API}/user/info`)).data.avatar
    const letter = { type: 'default', gravatar: '', custom: '' }
    expect(await avatar()).toEqual(letter)
    await (await site.admin()).put(`${ADMIN}/siteinfo/users`, { default_avatar: 'gravatar' })
    expect(await avatar()).toMatchObject({ type: 'gravatar', gravatar: expect.stringMatching(/\/[0-9a-f]{64}$/) })
    await (await site.admin()).put(`${ADMIN}/siteinfo/users`, { default_avatar: 'system' })
    expect(await avatar()).toEqual(letter)
    await ana.put(`${API}/user/info`, { avatar: { type: 'gravatar', gravatar: '', custom: '' } })
    expect((await publicly('ana')).data.avatar).toBe('')
    await (await site.admin()).put(`${ADMIN}/siteinfo/users`, { default_avatar: 'gravatar' })
    await ana.put(`${API}/user/info`, { avatar: { type: 'default', gravatar: '', custom: '' } })
    expect(await avatar()).toEqual({ type: 'default', gravatar: '', custom: '' })
  })

  it('keeps language and colour scheme', async () => {
    expect((await ana.put(`${API}/user/interface`, {})).data.map((entry: { error_field: string }) => entry.error_field)).toEqual([
      'language',
      'color_scheme',
    ])
    expect((await ana.put(`${API}/user/interface`, { language: 'xx_YY', color_scheme: 'dark' })).status).toBe(400)
    expect((await ana.put(`${API}/user/interface`, { language: 'Default', color_scheme: 'dark' })).status).toBe(200)
    expect((await ana.get(`${API}/user/info`)).data).toMatchObject({ language: 'Default', color_scheme: 'dark', time_zone: '' })
    const zone = (time_zone: string) => ana.put(`${API}/user/interface`, { language: 'Default', color_scheme: 'dark', time_zone })
    expect((await zone('Moon/Base')).data[0].error_field).toBe('time_zone')
    expect((await zone('Asia/Shanghai')).status).toBe(200)
    expect((await ana.put(`${API}/user/interface`, { language: 'Default', color_scheme: 'dark' })).status).toBe(200)
    expect((await ana.get(`${API}/user/info`)).data.time_zone).toBe('Asia/Shanghai')
  })

  it("is found by the beginning of a name, never one's own", async () => {
    await site.member('ben')
    const names = async (username: string) =>
      (await ana.get<{ username: string }[]>(`${API}/user/info/search`, { username })).data.map((card) => card.username)
    expect(await names('B')).toEqual(['ben'])
    expect(await names('a')).not.toContain('ana')
    expect(await names('%')).toEqual([])
  })
})

describe('the ranking and the staff', () => {
  it('lists who earned something this week, and moderators and admins', async () => {
    const site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    try {
      await site.moderator('mona')
      const { data } = await site.visitor().get(`${API}/user/ranking`)
      expect(data.users_with_the_most_reputation).toEqual([])
      expect(data.staffs.map((entry: { username: string }) => entry.username)).toEqual(['admin', 'mona'])
      await site.member('bert')
      await site.member('gone', 'suspended')
      const people = async (query: Record<string, string | number>) => {
        const page = (await site.visitor().get<{ count: number; list: { username: string }[] }>(`${API}/user/page`, query)).data
        return [page.count, page.list.map(({ username }) => username)]
      }
      expect(await people({ order: 'newest' })).toEqual([3, ['bert', 'mona', 'admin']])
      expect(await people({ page: 2, page_size: 2, order: 'newest' })).toEqual([3, ['admin']])
      expect(await people({ name: 'BE' })).toEqual([1, ['bert']])
      expect((await site.visitor().fetch('/users?name=be', { headers: { accept: 'text/html' } })).status).toBe(200)
      expect((await site.visitor().get(`${API}/user/staff`, { username: 'm', page_size: 10 })).data).toMatchObject([{ username: 'mona' }])
      expect((await site.visitor().get(`${API}/user/staff`, { username: 'zzz' })).data).toBeNull()
    } finally {
      await site.close()
    }
  })
})
