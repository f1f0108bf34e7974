import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'

describe('settings of the site', () => {
  let site: Site
  let admin: TestPerson
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    admin = await site.admin()
  })
  afterEach(() => site.close())

  const refusedField = async (group: string, body: object) => {
    const reply = await admin.put<{ error_field: string }[]>(`${ADMIN}/siteinfo/${group}`, body)
    return [reply.status, reply.data?.[0]?.error_field]
  }

  it('are those of a fresh site, in twelve members without secrets', async () => {
    const { data } = await site.visitor().get(`${API}/siteinfo`)
    expect(Object.keys(data).sort()).toEqual([
      'branding',
      'custom_css_html',
      'general',
      'interface',
      'login',
      'revision',
      'site_legal',
      'site_seo',
      'site_users',
      'site_write',
      'theme',
      'version',
    ])
    expect(data.general).toMatchObject({ name: 'Test', contact_email: '', check_update: true })
    expect(data.interface).toEqual({ language: 'en_US', time_zone: 'UTC' })
    expect(data.site_seo.permalink).toBe(2)
    expect(data.site_users).toMatchObject({ default_avatar: 'system', allow_update_username: true })
    expect(data.theme).toMatchObject({ theme: 'default', theme_options: [{ value: 'default' }], color_scheme: '' })
  })

  it('are for admins, decided before the body is looked at', async () => {
    expect((await site.visitor().put(`${ADMIN}/siteinfo/general`, {})).status).toBe(401)
    expect((await (await site.moderator()).put(`${ADMIN}/siteinfo/general`, {})).status).toBe(403)
    const empty = await admin.put<{ error_field: string }[]>(`${ADMIN}/siteinfo/general`, {})
    expect(empty.data.map((entry) => entry.error_field)).toEqual(['name', 'site_url', 'contact_email'])
  })

  it('reach what the kernel knows of the site in the same moment', async () => {
    const general = {
      name: 'Tea house',
      short_description: '',
      description: 'A place',
      site_url: 'https://tea.example/',
      contact_email: 'a@b.com',
      check_update: false,
    }
    expect((await admin.put(`${ADMIN}/siteinfo/general`, general)).data).toMatchObject({
      name: 'Tea house',
      site_url: 'https://tea.example',
    })
    expect((await admin.get(`${API}/siteinfo`)).data.general).toMatchObject({ name: 'Tea house', description: 'A place' })
    // What was written before the site moved names its pictures by the address of then.
    await admin.put(`${ADMIN}/siteinfo/general`, { ...general, site_url: 'https://moved.example' })
    const content = '![a](https://tea.example/uploads/a.png) [b](https://moved.example/b)'
    expect((await admin.post<string>(`${API}/post/render`, { content })).data).toMatch(/src="\/uploads\/a.png".* href="\/b"/)
    await admin.put(`${ADMIN}/siteinfo/login`, { login_required: true })
    expect((await site.visitor().get(`${API}/user/ranking`)).status).toBe(401)
    expect((await (await site.visitor().fetch('/robots.txt')).text()).trim()).toBe('User-agent: *\nDisallow: /')
  })

  it('refuse values that mean nothing, naming the field', async () => {
    expect(await refusedField('theme', { theme: 'moonlight' })).toEqual([400, 'theme'])
    expect(await refusedField('theme', { theme: 'default', theme_config: { default: { primary_color: 'red; }' } } })).toEqual([
      400,
      'theme_config',
    ])
    expect(await refusedField('seo', { permalink: 9, robots: '' })).toEqual([400, 'permalink'])
    expect(await refusedField('users', { default_avatar: 'moon' })).toEqual([400, 'default_avatar'])
    expect(await refusedField('legal', { external_content_display: 'sometimes' })).toEqual([400, 'external_content_display'])
    expect(await refusedField('interface', { language: 'en_US', time_zone: 'Moon/Base' })).toEqual([400, 'time_zone'])
    expect(await refusedField('login', { allow_email_domains: ['not a domain'] })).toEqual([400, 'allow_email_domains'])
    expect(await admin.put(`${ADMIN}/siteinfo/interface`, { language: 'xx_YY', time_zone: 'UTC' })).toMatchObject({
      status: 400,
      reason: 'error.lang.not_found',
      data: null,
    })
  })

  it('render legal texts themselves, whatever HTML comes along', async () => {
    await admin.put(`${ADMIN}/siteinfo/legal`, {
      terms_of_service_original_text: 'Be **kind**',
      terms_of_service_parsed_text: '<script>1</script>',
      external_content_display: 'always_display',
    })
    expect((await site.visitor().get(`${API}/siteinfo/legal`, { info_type: 'tos' })).data).toEqual({
      terms_of_service_original_text: 'Be **kind**',
      terms_of_service_parsed_text: '<p>Be <strong>kind</strong></p>',
    })
    expect((await site.visitor().get(`${API}/siteinfo/legal`, { info_type: 'privacy' })).data).toEqual({})
    expect((await site.visitor().get(`${API}/siteinfo/legal`, { info_type: 'cookies' })).data).toMatchObject([{ error_field: 'info_type' }])
  })

  it("answers for the icon with the owner's, or one of ours", async () => {
    const icon = () => site.visitor().fetch('/favicon.ico')
    const ours = await icon()
    expect([ours.status, ours.headers.get('content-type')]).toEqual([200, 'image/svg+xml; charset=utf-8'])
    await admin.put(`${ADMIN}/siteinfo/branding`, { favicon: `${site.url}/uploads/branding/a.png` })
    const owners = await icon()
    expect([owners.status, owners.headers.get('location')]).toEqual([302, `${site.url}/uploads/branding/a.png`])
  })

  it("serve the owner's CSS as a file", async () => {
    await admin.put(`${ADMIN}/siteinfo/custom-css-html`, { custom_css: 'body{color:black}' })
    const reply = await site.visitor().fetch('/custom.css')
    expect(reply.headers.get('content-type')).toContain('text/css')
    expect(await reply.text()).toContain('body{color:black}')
  })
})

describe('rights', () => {
  let site: Site
  beforeEach(async () => {
    site = await startSite({ plugins: ['accounts', 'tags', 'reports', 'locale-en-us'] })
  })
  afterEach(() => site.close())

  const verdict = async (person: TestPerson, action: string) => (await person.get(`${API}/permission`, { action })).data[action]

  it('come by role, or by reputation at the chosen level', async () => {
    const [admin, mona, ana] = [await site.admin(), await site.moderator('mona'), await site.member('ana')]
    expect(await verdict(ana, 'report.add')).toEqual({ has_permission: true, no_permission_tip: '' })
    expect((await verdict(ana, 'tag.audit')).no_permission_tip).toContain('2,500')
    expect((await verdict(mona, 'tag.audit')).has_permission).toBe(true)
    expect((await verdict(mona, 'admin.access')).has_permission).toBe(false)
    expect((await verdict(admin, 'admin.access')).has_permission).toBe(true)
    expect((await verdict(ana, 'moon.land')).has_permission).toBe(false)
    expect((await admin.put(`${ADMIN}/setting/privileges`, { level: 1 })).status).toBe(200)
    expect((await verdict(ana, 'tag.audit')).has_permission).toBe(true)
  })

  it("are offered in four levels, the last of which is the owner's own", async () => {
    const admin = await site.admin()
    expect((await admin.put(`${ADMIN}/setting/privileges`, { level: 7 })).data).toMatchObject([{ error_field: 'level' }])
    await admin.put(`${ADMIN}/setting/privileges`, { level: 99, custom_privileges: [{ key: 'rank.report.add', value: 30 }] })
    const { data } = await admin.get(`${ADMIN}/setting/privileges`)
    expect(data.selected_level).toBe(99)
    expect(data.options.map((option: { level: number }) => option.level)).toEqual([1, 2, 3, 99])
    expect(data.options[3].privileges.find((row: { key: string }) => row.key === 'rank.report.add').value).toBe(30)
  })
})

describe('reasons', () => {
  it('are listed by object and action, and refused for pairs without a list', async () => {
    const site = await startSite({ plugins: ['accounts', 'locale-en-us'] })
    try {
      const ana = await site.member('ana')
      const { data } = await ana.get<{ reason_type: number }[]>(`${API}/reasons`, { object_type: 'experience', action: 'close' })
      expect(data.map((reason) => reason.reason_type)).toEqual([60, 63, 64, 59])
      expect((await ana.get(`${API}/reasons`, { object_type: 'answer', action: 'close' })).status).toBe(400)
    } finally {
      await site.close()
    }
  })
})
