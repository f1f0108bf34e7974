import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../accounts/testing/index.ts'
import { startWeCom } from '../testing/index.ts'

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
      corp_id: wecom.company.corpid,
      agent_id: wecom.company.agentid,
      corp_secret: wecom.company.corpsecret,
      private_info: true,
      trust_company_mail: true,
      api_url: wecom.url,
      login_url: wecom.url,
      inside_url: wecom.url,
      ...values,
    },
  })
const offered = async () => (await site.visitor().get(`${API}/connector/info`)).data
const join = (userid: string, more: object = {}) =>
  wecom.members.set(userid, { userid, name: `Name of ${userid}`, status: 1, department: [1], ...more })

/** @returns where somebody who scans is led to */
async function scan(browser: ReturnType<typeof openBrowser>, who: string, how: Parameters<typeof wecom.enter>[2] = {}) {
  return browser.comeBack(wecom.enter(await browser.leave(SLUG), who, how))
}

beforeAll(async () => {
  site = await startSite({ plugins: ['accounts', SLUG, 'admin', 'locale-en-us'], outgoing: ['127.0.0.0/8'] })
  wecom = await startWeCom()
  const { data } = await (await site.admin()).get(`${ADMIN}/siteinfo/general`)
  wecom.company.trusted = new URL(data.site_url).host
  join('Ana', { email: 'ana@private.example', biz_mail: 'ana@company.example' })
  join('ben', { email: 'ben@private.example' })
})
afterAll(async () => {
  wecom.close()
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
    expect(JSON.stringify(data)).not.toContain(wecom.company.corpsecret)
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
    expect(await scan(openBrowser(site), 'openid of a guest', { isMember: false })).toBe('/users/login?refused=failed')
    expect(await scan(openBrowser(site), 'Ana', { isWilling: false })).toBe('/users/login?refused=denied')
  })

  it('takes no state of a stranger, no callback twice and no old code', async () => {
    const [mallory, victim] = [openBrowser(site), openBrowser(site)]
    const stolen = wecom.enter(await mallory.leave(SLUG), 'ben')
    expect(await victim.comeBack(stolen)).toBe('/users/login?refused=expired')
    await victim.leave(SLUG)
    expect(await victim.comeBack(stolen)).toBe('/users/login?refused=expired')
    const own = wecom.enter(await victim.leave(SLUG), 'Ana')
    expect(await victim.comeBack(own)).toContain('/users/auth-landing')
    expect(await victim.comeBack(own)).toBe('/users/login?refused=expired')
    const reused = new URL(wecom.enter(await victim.leave(SLUG), 'Ana'))
    reused.searchParams.set('code', new URL(own).searchParams.get('code') ?? '')
    expect(await victim.comeBack(reused.href)).toBe('/users/login?refused=failed')
    const late = wecom.enter(await victim.leave(SLUG), 'Ana')
    wecom.ahead(301)
    expect(await victim.comeBack(late)).toBe('/users/login?refused=failed')
    const both = wecom.enter(await victim.leave(SLUG), 'Ana')
    const ways = (await Promise.all([victim.comeBack(both), victim.comeBack(both)])).map((path) => path.split('?')[0])
    expect(ways.sort()).toEqual(['/users/auth-landing', '/users/login'])
  })

  it('leads nowhere but to the site', async () => {
    for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const browser = openBrowser(site)
      const path = await browser.comeBack(wecom.enter(await browser.leave(SLUG, next), 'Ana'))
      expect(path).toMatch(/^\/users\/auth-landing\?access_token=\w+$/)
    }
  })

  it('asks with one token, and renews it when WeCom takes it back', async () => {
    const tokens = () => wecom.asked.filter(({ path }) => path === '/cgi-bin/gettoken').length
    await scan(openBrowser(site), 'Ana')
    const before = tokens()
    await Promise.all([1, 2, 3].map(() => scan(openBrowser(site), 'Ana')))
    expect(tokens()).toBe(before)
    wecom.dropTokens()
    expect(await scan(openBrowser(site), 'Ana')).toContain('/users/auth-landing')
    expect(tokens()).toBe(before + 1)
    site.advance(7200)
    await scan(openBrowser(site), 'Ana')
    expect(tokens()).toBe(before + 2)
  })

  it('asks a busy server once more, a limited one not, and says that it failed', async () => {
    const times = () => wecom.asked.filter(({ path }) => path === ASKS).length
    for (const [faults, more, to] of [
      [[{ errcode: -1 }], 2, '/users/auth-landing'],
      [[{ errcode: -1 }, { errcode: -1 }], 2, 'refused=failed'],
      [[{ errcode: 42_001 }, { errcode: 42_001 }], 2, 'refused=failed'],
      [[{ errcode: 45_009 }], 1, 'refused=failed'],
      [['html'], 1, 'refused=failed'],
      [['down'], 1, 'refused=failed'],
    ] as const) {
      wecom.faults.set(ASKS, [...faults])
      const before = times()
      expect(await scan(openBrowser(site), 'Ana'), JSON.stringify(faults)).toContain(to)
      expect(times() - before, JSON.stringify(faults)).toBe(more)
    }
    wecom.faults.set('/cgi-bin/user/get', [{ errcode: 60_011 }])
    expect(await scan(openBrowser(site), 'Ana')).toContain('/users/auth-landing')
  })

  it('ends with the plugin, also for somebody who is on the way', async () => {
    const browser = openBrowser(site)
    const back = wecom.enter(await browser.leave(SLUG), 'Ana')
    await site.switch(SLUG, false)
    expect(await browser.comeBack(back)).toBe('/users/login?refused=unavailable')
    expect(await browser.leave(SLUG)).toBe('/users/login?refused=unavailable')
    expect(await offered()).toEqual([])
    expect(site.errors).toEqual([])
  })
})
