import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EveryRow } from '../../../tests/support/every-row.ts'
import { openEveryRow } from '../../../tests/support/every-row.ts'
import type { WeComMember } from '../../../tests/vendors/wecom.ts'
import { errcode, startWeCom } from '../../../tests/vendors/wecom.ts'
import { openBrowser } from '../../accounts/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const CENTRE = `${API}/user-center`
const INSIDE = 'Mozilla/5.0 wxwork/4.1.30'
const HOUR = 3600
const GET = '/cgi-bin/user/get'

const company = { corpId: 'ww0company', agentId: 1000002, secret: 'a secret of the company' }

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
const asks = () => wecom.callsTo(GET).length
/** When what is known is too old: WeCom has been asked, and what it said is stored. */
async function nextTime(seconds = HOUR + 1): Promise<void> {
  const before = asks()
  site.advance(seconds)
  // The run begins within a second; once it has, it is waited for.
  await expect.poll(asks).toBeGreaterThan(before)
  await site.idle()
}
/** Somebody is inside the app, or scans what the page at an address shows. @returns the address they are sent back by */
async function sentBack(browser: ReturnType<typeof openBrowser>, name: string, address: string): Promise<string> {
  wecom.door.userid = name
  return browser.visit(address)
}
async function enter(name: string) {
  const browser = openBrowser(site, INSIDE)
  const path = await browser.comeBack(await sentBack(browser, name, await browser.ledTo(`${CENTRE}/login/redirect`)))
  return { browser, path }
}
const join = (userid: string, status: 1 | 5 = 1) =>
  wecom.members.set(userid, { userid, name: `Name of ${userid}`, status, department: [1, 7], biz_mail: `${userid}@company.example` })
const passwordLogin = () => site.visitor().post(`${API}/user/login/email`, { e_mail: 'member@example.org', pass: 'correct horse 7' })

beforeAll(async () => {
  let databaseUrl: string | undefined
  site = await startSite({
    plugins: ['accounts', 'user-center-wecom', 'admin', 'dashboard', 'locale-en-us'],
    outgoing: ['127.0.0.0/8'],
    restore: async (into) => {
      databaseUrl = into.databaseUrl
    },
  })
  rows = await openEveryRow(site.dataDir, databaseUrl)
  // Numbers that stand in no other column.
  await rows.countPeopleFrom(7_000_001)
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  const departments = [
    { id: 1, name: 'Company', parentid: 0 },
    { id: 7, name: 'Sales', parentid: 1 },
  ]
  wecom = await startWeCom({ ...company, trustedDomain: new URL(data.site_url).host, members: [], departments })
  for (const name of ['ana', 'ben']) join(name)
  await site.member('member')
})
afterAll(async () => {
  await wecom.close()
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
    const { corpId, secret, agentId } = company
    const servers = { api_url: wecom.urls.api, login_url: wecom.urls.login, inside_url: wecom.urls.weixin }
    const keys = { corp_id: corpId, corp_secret: secret, agent_id: String(agentId), private_info: true, trust_company_mail: true }
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
    const back = new URL(await sentBack(other, 'ana', await other.ledTo(`${CENTRE}/sign-up/redirect?next=//evil.example`))).search
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
    for (const fault of ['error', 'html', errcode(45_009), errcode(60_011)] as const) {
      wecom.fail(fault, { path: GET, times: 1 })
      await nextTime()
      expect(await stateOf('ana'), JSON.stringify(fault)).toBe('normal')
    }
    expect(site.errors).toEqual([])
  })

  it('learns of the others where WeCom does not tell of one', async () => {
    join('cem')
    await enter('cem')
    await nextTime()
    wecom.fail(errcode(60_011), { path: GET, times: 1 })
    join('ben', 5)
    join('cem', 5)
    await nextTime()
    await expect.poll(() => stateOf('cem')).toBe('suspended')
    expect(await stateOf('ana')).toBe('normal')
    for (const name of ['ben', 'cem']) join(name)
    await nextTime()
    await expect.poll(() => stateOf('cem')).toBe('normal')
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

  it('suspends nobody where the company says of most that they are gone, and does once it is a few again', async () => {
    const crowd = Array.from({ length: 12 }, (_, n) => `crowd${n}`)
    for (const name of crowd) {
      join(name)
      await enter(name)
    }
    await nextTime()
    const known = new Map(wecom.members)
    for (const name of crowd) wecom.members.delete(name)
    const before = asks()
    await nextTime()
    // Each of them was asked about.
    expect(asks()).toBeGreaterThanOrEqual(before + crowd.length)
    for (const name of crowd) expect(await stateOf(name), name).toBe('normal')
    for (const name of crowd.slice(1)) wecom.members.set(name, known.get(name) as never)
    await nextTime()
    await expect.poll(() => stateOf('crowd0')).toBe('suspended')
    expect(await stateOf('crowd1')).toBe('normal')
  })

  it('says on the dashboard that nobody was suspended and what to do, until the answer is right or the owner says that it is', async () => {
    const said = async () =>
      (await (await site.admin()).get(`${ADMIN}/dashboard/overview`)).data.matters
        .filter(({ path }: { path?: string }) => path === '/admin/user-center-wecom')
        .map(({ text, tone }: { text: string; tone: string }) => [text.split('.')[0], tone])
    const crowd = Array.from({ length: 20 }, (_, n) => `staff${n}`)
    for (const name of crowd) {
      join(name)
      await enter(name)
    }
    await nextTime()
    expect(await said()).toEqual([])
    const known = crowd.map((name) => wecom.members.get(name) as WeComMember)
    for (const name of crowd) wecom.members.delete(name)
    await nextTime()
    expect(await said()).toEqual([[expect.stringMatching(/^WeCom says that 20 of \d+ members have left$/), 'danger']])
    // In the next quarter of an hour WeCom tells of four of them and breaks off: that is no smaller number of people who left.
    const before = asks()
    wecom.fail(errcode(60_111), { path: GET, times: 4 })
    wecom.fail('error', { path: GET, times: 1 })
    await nextTime(900)
    expect(asks()).toBe(before + 5)
    expect(await stateOf('staff0')).toBe('normal')
    expect(await said()).toHaveLength(1)
    // The range of the app is right again.
    for (const member of known) wecom.members.set(member.userid, member)
    await nextTime(900)
    expect(await said()).toEqual([])
    // They did leave.
    for (const name of crowd) wecom.members.delete(name)
    await nextTime()
    expect(await said()).toHaveLength(1)
    await save({ believe_once: true })
    await nextTime(900)
    expect(await stateOf('staff11')).toBe('suspended')
    expect(await said()).toEqual([])
    const { data } = await (await site.admin()).get(`${ADMIN}/plugin/config`, { plugin_slug_name: 'user-center-wecom' })
    expect(data.config_fields.find(({ name }: { name: string }) => name === 'believe_once').value).toBe(false)
  })

  it('is tested by its button, which says in words what WeCom refuses, and refuses settings that do not work', async () => {
    const config = { plugin_slug_name: 'user-center-wecom', config_fields: { sync_hours: 1, show_departments: true } }
    const test = async () => (await site.admin()).post(`${ADMIN}/plugin/config/test`, config)
    const LIST = '/cgi-bin/department/list'
    const stored = wecom.transcript.length
    expect((await test()).status).toBe(200)
    expect(wecom.transcript.slice(stored).map(({ path }) => path)).toEqual(expect.arrayContaining([GET, LIST]))
    for (const [path, fault, field, words] of [
      [GET, errcode(60_011), 'status_from_company', 'does not let the app read members'],
      [LIST, errcode(60_011), 'show_departments', 'does not let the app read departments'],
      [GET, errcode(60_020), 'connection', 'takes no requests from the address of this server'],
      [GET, errcode(40_001), 'connection', 'refuses the keys'],
      [GET, errcode(45_009), 'connection', 'no more requests'],
      [GET, 'error', 'connection', 'does not answer'],
    ] as const) {
      wecom.fail(fault, { path, times: 1 })
      const refused = await test()
      expect([refused.status, refused.reason]).toEqual([400, 'error.plugin.does_not_work'])
      expect(refused.data).toEqual([{ error_field: field, error_msg: expect.stringContaining(words) }])
    }
    wecom.fail('error', { path: GET, times: 1 })
    expect(await save()).toMatchObject({ status: 400, reason: 'error.plugin.does_not_work' })
    for (const person of [site.visitor(), await site.member('member'), await site.moderator()])
      expect([401, 403]).toContain((await person.post(`${ADMIN}/plugin/config/test`, config)).status)
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
    expect(await boss.comeBack(await sentBack(boss, 'boss', data.url))).toBe('/users/settings/account?bound')
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
