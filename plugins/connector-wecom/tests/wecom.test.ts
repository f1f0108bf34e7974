import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errcode, startWeCom } from '../../../tests/vendors/wecom.ts'
import { openBrowser } from '../../accounts/testing/index.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const SLUG = 'connector-wecom'
const INSIDE = 'Mozilla/5.0 (Linux; Android 14) wxwork/4.1.30 MicroMessenger/7.0.1'
const ASKS = '/cgi-bin/auth/getuserinfo'

let site: Site
let wecom: Awaited<ReturnType<typeof startWeCom>>

const save = async (values: object = {}) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, {
    plugin_slug_name: SLUG,
    config_fields: {
      corp_id: wecom.company.corpId,
      agent_id: String(wecom.company.agentId),
      corp_secret: wecom.company.secret,
      private_info: true,
      trust_company_mail: true,
      api_url: wecom.urls.api,
      login_url: wecom.urls.login,
      inside_url: wecom.urls.weixin,
      ...values,
    },
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data
const join = (userid: string, more: object = {}) =>
  wecom.members.set(userid, { userid, name: `Name of ${userid}`, status: 1, department: [1], ...more })

type Browser = ReturnType<typeof openBrowser>
/** Somebody scans, or is inside the app. @returns the address they are sent back by */
async function enter(browser: Browser, who: string, { isWilling = true, next = '' } = {}): Promise<string> {
  Object.assign(wecom.door, { userid: who, answer: isWilling ? 'agree' : 'deny' })
  return browser.visit(await browser.leave(SLUG, next))
}
/** @returns where they are led to */
const scan = async (browser: Browser, who: string, how = {}) => browser.comeBack(await enter(browser, who, how))

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  const keys = { corpId: 'ww0company', agentId: 1000002, secret: 'a secret of the company' }
  wecom = await startWeCom({ ...keys, trustedDomain: new URL(data.site_url).host, members: [] })
  join('Ana', { email: 'ana@private.example', biz_mail: 'ana@company.example' })
  join('ben', { email: 'ben@private.example' })
})
afterAll(async () => {
  await wecom.close()
  await site.close()
})

describe('a login by WeCom', () => {
  it('is off at first, and offered once WeCom has taken the keys', async () => {
    expect(await offered()).toEqual([])
    await site.switch(SLUG, true)
    expect(await offered()).toEqual([])
    for (const [values, field] of [
      [{ corp_id: 'another' }, 'corp_id'],
      [{ corp_secret: 'wrong' }, 'corp_secret'],
      [{ corp_secret: '' }, 'corp_secret'],
      [{ agent_id: 'x' }, 'agent_id'],
      [{ api_url: 'http://127.0.0.1:9' }, 'api_url'],
      [{ api_url: 'http://example.org' }, 'api_url'],
      [{ login_url: 'javascript:alert(1)' }, 'login_url'],
    ] as const)
      expect(await save(values), JSON.stringify(values)).toMatchObject({ status: 400, data: [{ error_field: field }] })
    expect(await offered()).toEqual([])
    expect((await save()).status).toBe(200)
    expect(await offered()).toMatchObject([{ name: 'WeCom', icon: expect.stringContaining('data:image/svg+xml') }])
    const { data } = await (await site.admin()).get(`${ADMIN}/plugin/config`, { plugin_slug_name: SLUG })
    expect(JSON.stringify(data)).not.toContain(wecom.company.secret)
  })

  it('makes an account inside the app, and finds it again by QR code', async () => {
    const inside = openBrowser(site, INSIDE)
    const ana = await inside.land(await scan(inside, 'Ana'))
    expect(ana).toMatchObject({ e_mail: 'ana@company.example', display_name: 'Name of Ana', mail_status: 1 })
    const outside = openBrowser(site)
    expect((await outside.land(await scan(outside, 'Ana'))).id).toBe(ana.id)
    expect((await (await site.admin()).get(`${ADMIN}/users/page`, { query: 'ana@company.example' })).data.count).toBe(1)
  })

  it('takes an address that the company has not given for nobody’s, and takes over no account', async () => {
    await site.member('owner')
    join('thief', { biz_mail: 'owner@example.org' })
    expect(await scan(openBrowser(site, INSIDE), 'thief')).toBe('/users/login?refused=taken')
    expect(await scan(openBrowser(site, INSIDE), 'ben')).toMatch(/^\/users\/confirm-email\?binding_key=/)
    expect((await save({ trust_company_mail: false })).status).toBe(200)
    join('cid', { biz_mail: 'cid@company.example' })
    expect(await scan(openBrowser(site, INSIDE), 'cid')).toMatch(/^\/users\/confirm-email/)
    expect(await scan(openBrowser(site), 'thief')).toMatch(/^\/users\/confirm-email/)
    await save()
  })

  it('lets in members only, and says who did not want to', async () => {
    expect(await scan(openBrowser(site), 'openid:of a guest')).toBe('/users/login?refused=failed')
    expect(await scan(openBrowser(site), 'Ana', { isWilling: false })).toBe('/users/login?refused=denied')
  })

  it('takes no state of a stranger, no callback twice and no old code', async () => {
    const [mallory, victim] = [openBrowser(site), openBrowser(site)]
    const stolen = await enter(mallory, 'ben')
    expect(await victim.comeBack(stolen)).toBe('/users/login?refused=expired')
    await victim.leave(SLUG)
    expect(await victim.comeBack(stolen)).toBe('/users/login?refused=expired')
    const own = await enter(victim, 'Ana')
    expect(await victim.comeBack(own)).toContain('/users/auth-landing')
    expect(await victim.comeBack(own)).toBe('/users/login?refused=expired')
    const reused = new URL(await enter(victim, 'Ana'))
    reused.searchParams.set('code', new URL(own).searchParams.get('code') ?? '')
    expect(await victim.comeBack(reused.href)).toBe('/users/login?refused=failed')
    const late = await enter(victim, 'Ana')
    wecom.advance(301)
    expect(await victim.comeBack(late)).toBe('/users/login?refused=failed')
    const both = await enter(victim, 'Ana')
    const ways = (await Promise.all([victim.comeBack(both), victim.comeBack(both)])).map((path) => path.split('?')[0])
    expect(ways.sort()).toEqual(['/users/auth-landing', '/users/login'])
  })

  it('leads nowhere but to the site', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const browser = openBrowser(site)
      const path = await browser.comeBack(await enter(browser, 'Ana', { next }))
      expect(path).toMatch(/^\/users\/auth-landing\?access_token=\w+$/)
    }
  })

  it('asks with one token, and renews it when WeCom takes it back', async () => {
    const tokens = () => wecom.callsTo('/cgi-bin/gettoken').length
    await scan(openBrowser(site), 'Ana')
    const before = tokens()
    await Promise.all([1, 2, 3].map(() => scan(openBrowser(site), 'Ana')))
    expect(tokens()).toBe(before)
    wecom.revokeToken()
    expect(await scan(openBrowser(site), 'Ana')).toContain('/users/auth-landing')
    expect(tokens()).toBe(before + 1)
    site.advance(7200)
    await scan(openBrowser(site), 'Ana')
    expect(tokens()).toBe(before + 2)
  })

  it('asks a busy server once more, a limited one not, and says that it failed', async () => {
    const asked = () => wecom.callsTo(ASKS).length
    for (const [fault, times, more, to] of [
      [errcode(-1), 1, 2, '/users/auth-landing'],
      [errcode(-1), 2, 2, 'refused=failed'],
      [errcode(42_001), 2, 2, 'refused=failed'],
      [errcode(45_009), 1, 1, 'refused=failed'],
      ['html', 1, 1, 'refused=failed'],
      ['error', 1, 1, 'refused=failed'],
    ] as const) {
      wecom.fail(fault, { path: ASKS, times })
      const before = asked()
      expect(await scan(openBrowser(site), 'Ana'), JSON.stringify(fault)).toContain(to)
      expect(asked() - before, JSON.stringify(fault)).toBe(more)
    }
    wecom.fail(errcode(60_011), { path: '/cgi-bin/user/get', times: 1 })
    expect(await scan(openBrowser(site), 'Ana')).toContain('/users/auth-landing')
  })

  it('ends with the plugin, also for somebody who is on the way', async () => {
    const browser = openBrowser(site)
    const back = await enter(browser, 'Ana')
    await site.switch(SLUG, false)
    expect(await browser.comeBack(back)).toBe('/users/login?refused=unavailable')
    expect(await browser.leave(SLUG)).toBe('/users/login?refused=unavailable')
    expect(await offered()).toEqual([])
    expect(site.errors).toEqual([])
  })
})
