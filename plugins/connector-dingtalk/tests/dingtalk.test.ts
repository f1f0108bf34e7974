import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDingTalk } from '../../../tests/vendors/dingtalk.ts'
import { json } from '../../../tests/vendors/vendor.ts'
import { startWeCom } from '../../../tests/vendors/wecom.ts'
import { openBrowser } from '../../accounts/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-dingtalk'
const ana = { unionId: 'union-ana', nick: 'Ana', email: 'owner@example.org' }

let site: Site
let home: URL
let dingtalk: Awaited<ReturnType<typeof startDingTalk>>

const configure = async (slug: string, config_fields: object, more: object = {}) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, { plugin_slug_name: slug, config_fields, ...more })
const save = (values: object = {}, more: object = {}) =>
  configure(
    SLUG,
    {
      client_id: dingtalk.app.clientId,
      client_secret: dingtalk.app.clientSecret,
      login_url: dingtalk.urls.login,
      api_url: dingtalk.urls.api,
      ...values,
    },
    more,
  )
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data
type Browser = ReturnType<typeof openBrowser>
/** Somebody scans what the page at an address shows. @returns the address they are sent back by */
async function enter(address: string, browser: Browser, { isWilling = true, corpId = '' } = {}): Promise<string> {
  dingtalk.people.set(ana.unionId, { ...ana, corpIds: corpId === '' ? [] : [corpId] })
  dingtalk.door.answer = isWilling ? 'agree' : 'deny'
  return browser.visit(address)
}
const sentBack = async (browser: Browser, how = {}) => enter(await browser.leave(SLUG), browser, how)
const scan = async (how: Parameters<typeof enter>[2] = {}, browser = openBrowser(site)) => browser.comeBack(await sentBack(browser, how))

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'connector-wecom', 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  home = new URL(data.site_url)
  const redirects = [`${data.site_url}${API}/connector/redirect/${SLUG}`]
  dingtalk = await startDingTalk({ clientId: 'dingapp', clientSecret: 'a secret of the app', redirects, people: [ana], perSecond: 1_000 })
})
afterAll(async () => {
  await dingtalk.close()
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
    expect(await browser.comeBack(await enter(data.url, browser))).toBe('/users/settings/account?bound')
    const other = openBrowser(site)
    // An app that the owner registers anew is told another `openId` of the same people.
    dingtalk.app.clientId = 'dinganother'
    await save()
    expect((await other.land(await scan({}, other))).id).toBe(String(owner.id))
    // Somebody else cannot connect the same.
    const thief = openBrowser(site)
    await site.member('thief')
    await thief.enter('thief')
    const asked = await thief.send('POST', '/connector/user/binding', { slug: SLUG })
    expect(await thief.comeBack(await enter(asked.data.url, thief))).toBe('/users/settings/account?refused=taken')
  })

  it('takes no state of a stranger, no callback twice, no old code and no other one’s', async () => {
    const [mallory, victim] = [openBrowser(site), openBrowser(site)]
    const stolen = await sentBack(mallory)
    expect(await victim.comeBack(stolen)).toBe('/users/login?refused=expired')
    const own = await sentBack(victim)
    expect(await victim.comeBack(own)).toContain('/users/auth-landing')
    expect(await victim.comeBack(own)).toBe('/users/login?refused=expired')
    const reused = new URL(await sentBack(victim))
    reused.searchParams.set('authCode', new URL(own).searchParams.get('authCode') ?? '')
    expect(await victim.comeBack(reused.href)).toBe('/users/login?refused=failed')
    const late = await sentBack(victim)
    dingtalk.advance(301)
    expect(await victim.comeBack(late)).toBe('/users/login?refused=failed')
  })

  it('names a refusal, a wrong secret and a server that is down on the login page', async () => {
    expect(await scan({ isWilling: false })).toBe('/users/login?refused=denied')
    expect(await save({ client_secret: 'wrong' })).toMatchObject({ status: 400, data: [{ error_field: 'client_secret' }] })
    dingtalk.fail('error', { times: 1 })
    expect(await save()).toMatchObject({ status: 400, data: [{ error_field: 'api_url' }] })
    expect((await save({ client_secret: 'wrong' }, { insist: true })).status).toBe(200)
    expect(await scan()).toBe('/users/login?refused=failed')
    await save()
    for (const fault of [json(429, { code: 'Throttling' }), 'error', 'html', json(200, {})] as const) {
      dingtalk.fail(fault, { times: 1, path: '/v1.0/' })
      expect(await scan(), JSON.stringify(fault)).toBe('/users/login?refused=failed')
    }
    expect(dingtalk.transcript.map(({ path, query }) => `${path}?${query}`).join(' ')).not.toMatch(/a(?:\+|%20)secret/)
  })

  it('lets in the people of one company where the owner says so', async () => {
    await save({ corp_id: 'ours' })
    expect(await scan({ corpId: 'ours' })).toContain('/users/auth-landing')
    expect(await scan({ corpId: 'theirs' })).toBe('/users/login?refused=failed')
    expect(await scan()).toBe('/users/login?refused=failed')
    await save({ corp_id: '' })
  })

  it('is not mixed up with WeCom', async () => {
    // A member of WeCom whose number is that of somebody at DingTalk.
    const member = { userid: ana.unionId, name: 'Mallory', department: [1] }
    const company = {
      corpId: 'ww0company',
      agentId: 1000002,
      secret: 'a secret of the company',
      trustedDomain: home.host,
      members: [member],
    }
    const wecom = await startWeCom(company)
    await site.switch('connector-wecom', true)
    const servers = { api_url: wecom.urls.api, login_url: wecom.urls.login, inside_url: wecom.urls.weixin }
    const keys = { corp_id: company.corpId, corp_secret: company.secret, agent_id: String(company.agentId) }
    await configure('connector-wecom', { ...keys, ...servers })
    const browser = openBrowser(site)
    const back = await browser.visit(await browser.leave('connector-wecom'))
    expect(await browser.comeBack(back.replace('connector-wecom', SLUG))).toBe('/users/login?refused=expired')
    const again = await browser.visit(await browser.leave('connector-wecom'))
    expect(await browser.comeBack(again)).toMatch(/^\/users\/confirm-email/)
    await wecom.close()
  })

  it('ends with the plugin, also for somebody who is on the way', async () => {
    const browser = openBrowser(site)
    const back = await sentBack(browser)
    await site.switch(SLUG, false)
    expect(await browser.comeBack(back)).toBe('/users/login?refused=unavailable')
    expect(site.errors).toEqual([])
  })
})
