import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../accounts/testing/index.ts'
import { startWeCom } from '../../connector-wecom/testing/index.ts'
import { startDingTalk } from './double.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-dingtalk'
const ana = { unionId: 'union-ana', openId: 'open-ana', nick: 'Ana', email: 'owner@example.org' }

let site: Site
let dingtalk: Awaited<ReturnType<typeof startDingTalk>>

const configure = async (slug: string, config_fields: object) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, { plugin_slug_name: slug, config_fields })
const save = (values: object = {}) =>
  configure(SLUG, {
    client_id: dingtalk.app.clientId,
    client_secret: dingtalk.app.clientSecret,
    login_url: dingtalk.url,
    api_url: dingtalk.url,
    ...values,
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data
async function scan(how: Parameters<typeof dingtalk.enter>[2] = {}, who = ana, browser = openBrowser(site)) {
  return browser.comeBack(dingtalk.enter(await browser.leave(SLUG), who, how))
}

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'connector-wecom', 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  dingtalk = await startDingTalk()
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  dingtalk.app.redirect = `${data.site_url}${API}/connector/redirect/${SLUG}`
})
afterAll(async () => {
  dingtalk.close()
  await site.close()
})

describe('a login by DingTalk', () => {
  it('is off at first, and offered once it has keys', async () => {
    expect(await offered()).toEqual([])
    await site.switch(SLUG, true)
    expect(await offered()).toEqual([])
    for (const [values, field] of [
      [{ client_secret: '' }, 'client_secret'],
      [{ api_url: 'http://example.org' }, 'api_url'],
      [{ login_url: 'nonsense' }, 'login_url'],
    ] as const)
      expect(await save(values), JSON.stringify(values)).toMatchObject({ status: 400, data: [{ error_field: field }] })
    expect((await save()).status).toBe(200)
    expect(await offered()).toMatchObject([{ name: 'DingTalk' }])
  })

  it('asks for an address, as DingTalk proves none, and takes over no account', async () => {
    await site.member('owner')
    expect(await scan()).toMatch(/^\/users\/confirm-email\?binding_key=/)
  })

  it('is connected by somebody who is logged in, and lets them in from then on', async () => {
    const owner = await site.member('owner')
    const browser = openBrowser(site)
    await browser.enter('owner')
    const { data } = await browser.send('POST', '/connector/user/binding', { slug: SLUG })
    expect(await browser.comeBack(dingtalk.enter(data.url, ana))).toBe('/users/settings/account?bound')
    const other = openBrowser(site)
    expect((await other.land(await scan({}, { ...ana, openId: 'of another app' }, other))).id).toBe(String(owner.id))
    // Somebody else cannot connect the same.
    const thief = openBrowser(site)
    await site.member('thief')
    await thief.enter('thief')
    const asked = await thief.send('POST', '/connector/user/binding', { slug: SLUG })
    expect(await thief.comeBack(dingtalk.enter(asked.data.url, ana))).toBe('/users/settings/account?refused=taken')
  })

  it('takes no state of a stranger, no callback twice, no old code and no other one’s', async () => {
    const [mallory, victim] = [openBrowser(site), openBrowser(site)]
    const stolen = dingtalk.enter(await mallory.leave(SLUG), ana)
    expect(await victim.comeBack(stolen)).toBe('/users/login?refused=expired')
    const own = dingtalk.enter(await victim.leave(SLUG), ana)
    expect(await victim.comeBack(own)).toContain('/users/auth-landing')
    expect(await victim.comeBack(own)).toBe('/users/login?refused=expired')
    const reused = new URL(dingtalk.enter(await victim.leave(SLUG), ana))
    reused.searchParams.set('authCode', new URL(own).searchParams.get('authCode') ?? '')
    expect(await victim.comeBack(reused.href)).toBe('/users/login?refused=failed')
    const late = dingtalk.enter(await victim.leave(SLUG), ana)
    dingtalk.ahead(301)
    expect(await victim.comeBack(late)).toBe('/users/login?refused=failed')
  })

  it('names a refusal, a wrong secret and a server that is down on the login page', async () => {
    expect(await scan({ isWilling: false })).toBe('/users/login?refused=denied')
    await save({ client_secret: 'wrong' })
    expect(await scan()).toBe('/users/login?refused=failed')
    await save()
    for (const fault of [
      { status: 429, body: '{"code":"Throttling"}' },
      { status: 500, body: '<html>' },
      { status: 200, body: '<html>' },
      { status: 200, body: '{}' },
    ]) {
      dingtalk.faults.push(fault)
      expect(await scan(), JSON.stringify(fault)).toBe('/users/login?refused=failed')
    }
    expect(dingtalk.asked.map(({ path }) => path).join(' ')).not.toContain(dingtalk.app.clientSecret)
  })

  it('lets in the people of one company where the owner says so', async () => {
    await save({ corp_id: 'ours' })
    expect(await scan({ corpId: 'ours' })).toContain('/users/auth-landing')
    expect(await scan({ corpId: 'theirs' })).toBe('/users/login?refused=failed')
    expect(await scan()).toBe('/users/login?refused=failed')
    await save()
  })

  it('is not mixed up with WeCom', async () => {
    const wecom = await startWeCom()
    wecom.company.trusted = new URL(dingtalk.app.redirect).host
    // A member of WeCom whose number is that of somebody at DingTalk.
    wecom.members.set(ana.unionId, { userid: ana.unionId, name: 'Mallory', status: 1, department: [1] })
    await site.switch('connector-wecom', true)
    const { corpid, corpsecret, agentid } = wecom.company
    const servers = { api_url: wecom.url, login_url: wecom.url, inside_url: wecom.url }
    await configure('connector-wecom', { corp_id: corpid, corp_secret: corpsecret, agent_id: agentid, ...servers })
    const browser = openBrowser(site)
    const back = wecom.enter(await browser.leave('connector-wecom'), ana.unionId)
    expect(await browser.comeBack(back.replace('connector-wecom', SLUG))).toBe('/users/login?refused=expired')
    const again = wecom.enter(await browser.leave('connector-wecom'), ana.unionId)
    expect(await browser.comeBack(again)).toMatch(/^\/users\/confirm-email/)
    wecom.close()
  })

  it('ends with the plugin, also for somebody who is on the way', async () => {
    const browser = openBrowser(site)
    const back = dingtalk.enter(await browser.leave(SLUG), ana)
    await site.switch(SLUG, false)
    expect(await browser.comeBack(back)).toBe('/users/login?refused=unavailable')
    expect(site.errors).toEqual([])
  })
})
