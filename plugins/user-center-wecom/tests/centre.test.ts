import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EveryRow } from '../../../tests/support/every-row.ts'
import { openEveryRow } from '../../../tests/support/every-row.ts'
import { openBrowser } from '../../accounts/testing/index.ts'
import { startWeCom } from '../../connector-wecom/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const CENTRE = `${API}/user-center`
const INSIDE = 'Mozilla/5.0 wxwork/4.1.30'
const HOUR = 3600
const GET = '/cgi-bin/user/get'

let site: Site
let rows: EveryRow
let wecom: Awaited<ReturnType<typeof startWeCom>>

const configure = async (slug: string, config_fields: object) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, { plugin_slug_name: slug, config_fields })
const save = (values: object = {}) =>
  configure('user-center-wecom', { original_accounts: true, status_from_company: true, show_departments: true, sync_hours: 1, ...values })
const agent = async () => (await site.visitor().get(`${CENTRE}/agent`)).data
const stateOf = async (name: string) => {
  const { data } = await (await site.admin()).get(`${ADMIN}/users/page`, { query: `${name}@company.example` })
  return data.list[0]?.status
}
/** When what is known is too old. */
async function nextTime(): Promise<void> {
  site.advance(HOUR + 1)
  await site.idle()
}
async function enter(name: string) {
  const browser = openBrowser(site, INSIDE)
  const path = await browser.comeBack(wecom.enter(await browser.ledTo(`${CENTRE}/login/redirect`), name))
  return { browser, path }
}
const join = (userid: string, status = 1) =>
  wecom.members.set(userid, { userid, name: `Name of ${userid}`, status, department: [1, 7], biz_mail: `${userid}@company.example` })
const passwordLogin = () => site.visitor().post(`${API}/user/login/email`, { e_mail: 'member@example.org', pass: 'correct horse 7' })

beforeAll(async () => {
  let databaseUrl: string | undefined
  site = await startSite({
    plugins: ['accounts', 'user-center-wecom', 'admin', 'locale-en-us'],
    outgoing: ['127.0.0.0/8'],
    restore: async (into) => {
      databaseUrl = into.databaseUrl
    },
  })
  rows = await openEveryRow(site.dataDir, databaseUrl)
  // Numbers that stand in no other column.
  await rows.countPeopleFrom(7_000_001)
  wecom = await startWeCom()
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  wecom.company.trusted = new URL(data.site_url).host
  wecom.departments.push({ id: 7, name: 'Sales', parentid: 1, order: 2 })
  for (const name of ['ana', 'ben']) join(name)
  await site.member('member')
})
afterAll(async () => {
  wecom.close()
  await rows.close()
  await site.close()
})

describe('WeCom as directory of the people', () => {
  it('is off at first, and there only once the login by WeCom works', async () => {
    const off = { enabled: false, agent_info: null }
    expect(await agent()).toEqual(off)
    expect(await openBrowser(site).ledTo(`${CENTRE}/login/redirect`)).toBe('/user-center/auth-failed')
    expect(await openBrowser(site).ledTo(`${CENTRE}/login/callback?state=x&code=y`)).toBe('/user-center/auth-failed')
    await site.switch('connector-wecom', true)
    await site.switch('user-center-wecom', true)
    expect(await agent()).toEqual(off)
    const { corpid, corpsecret, agentid } = wecom.company
    const servers = { api_url: wecom.url, login_url: wecom.url, inside_url: wecom.url }
    const keys = { corp_id: corpid, corp_secret: corpsecret, agent_id: agentid, private_info: true, trust_company_mail: true }
    expect((await configure('connector-wecom', { ...keys, ...servers })).status).toBe(200)
    const { agent_info } = await agent()
    expect(agent_info).toMatchObject({ name: 'WeCom', display_name: 'WeCom', control_center: [], enabled_original_user_system: true })
    expect(agent_info.login_redirect_url).toMatch(/\/answer\/api\/v1\/user-center\/login\/redirect$/)
    expect(await save({ sync_hours: 0 })).toMatchObject({ status: 400, data: [{ error_field: 'sync_hours' }] })
    expect((await save()).status).toBe(200)
  })

  it('lets people in, and takes them back at its own address as well', async () => {
    const { browser, path } = await enter('ana')
    expect(await browser.land(path)).toMatchObject({ e_mail: 'ana@company.example' })
    const other = openBrowser(site)
    const back = new URL(wecom.enter(await other.ledTo(`${CENTRE}/sign-up/redirect?next=//evil.example`), 'ana')).search
    const landed = await other.ledTo(`${CENTRE}/sign-up/callback${back}`)
    expect(landed).toMatch(/^\/users\/auth-landing\?access_token=\w+$/)
    expect(await other.ledTo(`${CENTRE}/login/callback${back}`)).toBe('/users/login?refused=expired')
    await enter('ben')
  })

  it('keeps departments with their age, and tells them where the owner wants that', async () => {
    await nextTime()
    const { data } = await (await site.admin()).get(`${ADMIN}/users/page`, { query: 'ana@company.example' })
    const branding = () => site.visitor().get(`${CENTRE}/personal/branding`, { username: data.list[0].username })
    await expect
      .poll(async () => (await branding()).data.personal_branding.map(({ label }: { label: string }) => label))
      .toEqual(['Company', 'Sales'])
    await save({ show_departments: false })
    expect((await branding()).data).toEqual({ enabled: false, personal_branding: [] })
    expect((await site.visitor().get(`${CENTRE}/personal/branding`, { username: 'admin' })).data.enabled).toBe(false)
    const member = await site.member('member')
    const nowhere = { enabled: false, redirect_url: '' }
    expect((await member.get(`${CENTRE}/user/settings`)).data).toEqual({ profile_setting_agent: nowhere, account_setting_agent: nowhere })
  })

  it('changes nothing while WeCom is down, limited or without rights', async () => {
    join('ben', 5)
    for (const fault of ['down', 'html', { errcode: 45_009 }, { errcode: 60_011 }] as const) {
      const before = wecom.asked.filter(({ path }) => path === GET).length
      wecom.faults.set(GET, [fault])
      await nextTime()
      await expect.poll(() => wecom.asked.filter(({ path }) => path === GET).length).toBeGreaterThan(before)
      await site.idle()
      expect(await stateOf('ana'), JSON.stringify(fault)).toBe('normal')
    }
    expect(site.errors).toEqual([])
  })

  it('suspends whoever left, once, and lets them in again when they are back', async () => {
    join('ben', 5)
    await nextTime()
    await expect.poll(() => stateOf('ben')).toBe('suspended')
    expect((await enter('ben')).path).toBe('/users/login?refused=suspended')
    expect(await stateOf('ana')).toBe('normal')
    join('ben')
    await nextTime()
    await expect.poll(() => stateOf('ben')).toBe('normal')
    wecom.members.delete('ben')
    await nextTime()
    await expect.poll(() => stateOf('ben')).toBe('suspended')
    // An admin decides otherwise: what has not changed since does not count again.
    const admin = await site.admin()
    const { data } = await admin.get(`${ADMIN}/users/page`, { query: 'ben@company.example' })
    await admin.put(`${ADMIN}/user/status`, { user_id: data.list[0].user_id, status: 'normal' })
    await nextTime()
    expect(await stateOf('ben')).toBe('normal')
  })

  it('forgets what it knows of somebody who goes', async () => {
    const admin = await site.admin()
    const { data } = await admin.get(`${ADMIN}/users/page`, { query: 'ben@company.example' })
    const { user_id } = data.list[0]
    const kept = async () => (await rows.holding([String(user_id)])).filter(({ table }) => table.startsWith('user_center_wecom'))
    expect(await kept()).toHaveLength(1)
    await admin.put(`${ADMIN}/user/status`, { user_id, status: 'deleted' })
    await expect.poll(kept).toEqual([])
  })

  it('closes the logins of the site only while an admin comes in by it', async () => {
    await save({ original_accounts: false })
    expect((await agent()).agent_info.enabled_original_user_system).toBe(true)
    expect((await passwordLogin()).status).toBe(200)
    join('boss')
    const boss = openBrowser(site)
    await boss.enter('admin')
    const { data } = await boss.send('POST', '/connector/user/binding', { slug: 'connector-wecom' })
    expect(await boss.comeBack(wecom.enter(data.url, 'boss'))).toBe('/users/settings/account?bound')
    expect((await agent()).agent_info.enabled_original_user_system).toBe(false)
    const may = {
      allow_create_user: false,
      allow_update_user_password: false,
      allow_update_user_status: true,
      allow_update_user_role: true,
    }
    expect((await (await site.admin()).get(`${ADMIN}/user-center/agent`)).data).toEqual(may)
    expect(await passwordLogin()).toMatchObject({ status: 403, reason: 'error.accounts.centre_only' })
    const member = await site.member('member')
    for (const [method, path] of [
      ['post', '/user/register/email'],
      ['post', '/user/password/reset'],
      ['post', '/user/email/change/code'],
      ['put', '/user/password'],
    ] as const)
      expect((await member[method](API + path, {})).status, path).toBe(403)
    // The boss who leaves the company stays an admin here.
    join('boss', 5)
    await nextTime()
    expect((await enter('boss')).path).toContain('/users/auth-landing')
    const page = await (await fetch(`${site.url}/users/login`)).text()
    expect(page).toContain('user-center/login/redirect')
    expect(page).not.toContain('name="pass"')
    // Without the login by WeCom there is no user centre, and the logins of the site are open.
    await site.switch('connector-wecom', false)
    expect((await passwordLogin()).status).toBe(200)
    expect(site.errors).toEqual([])
  })
})
