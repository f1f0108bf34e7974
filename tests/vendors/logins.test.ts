import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../../plugins/accounts/testing/index.ts'
import { startDingTalk } from './dingtalk.ts'
import { startGitHub } from './github.ts'
import type { Call, Failure, Vendor } from './vendor.ts'
import { errcode, startWeCom } from './wecom.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'
const FAILED = '/users/login?refused=failed'
const SECRET = 'a secret, of the tests'
const INSIDE = 'Mozilla/5.0 (Linux; Android 14) wxwork/4.1.30 MicroMessenger/7.0.1'

type Browser = ReturnType<typeof openBrowser>

let site: Site
let home: URL
let github: Awaited<ReturnType<typeof startGitHub>>
let dingtalk: Awaited<ReturnType<typeof startDingTalk>>
let wecom: Awaited<ReturnType<typeof startWeCom>>
const callbackOf = (slug: string) => `${home.origin}${API}/connector/redirect/${slug}`

const configure = async (slug: string, config_fields: object, more: object = {}) =>
  (await site.admin()).put(`${ADMIN}/plugin/config`, { plugin_slug_name: slug, config_fields, ...more })
const saveGitHub = (values: object = {}, more: object = {}) =>
  configure(
    'connector-github',
    { label: '', client_id: 'hub', client_secret: SECRET, base_url: github.urls.web, required_org: '', ...values },
    more,
  )
const saveDingTalk = (values: object = {}, more: object = {}) => {
  const { login, api } = dingtalk.urls
  const keys = { client_id: 'ding', client_secret: SECRET, corp_id: '' }
  return configure('connector-dingtalk', { ...keys, login_url: login, api_url: api, ...values }, more)
}
const saveWeCom = (values: object = {}, more: object = {}) => {
  const { login, weixin, api } = wecom.urls
  const keys = { label: '', corp_id: 'ww5823bf', agent_id: '1000002', corp_secret: SECRET, private_info: true, trust_company_mail: true }
  return configure('connector-wecom', { ...keys, api_url: api, login_url: login, inside_url: weixin, ...values }, more)
}

const browse = (slug: string) => openBrowser(site, slug === 'connector-wecom' ? INSIDE : undefined)
const sentBack = async (slug: string, browser: Browser) => browser.visit(await browser.leave(slug))
const through = async (slug: string, browser = browse(slug)) => browser.comeBack(await sentBack(slug, browser))

/** Each login, what it asks its vendor for in order, and where somebody lands who has never been here. */
const logins = [
  {
    slug: 'connector-github',
    vendor: (): Vendor<never> => github as never,
    calls: ['/login/oauth/access_token', '/api/v3/user', '/api/v3/user/emails'],
    lands: '/users/auth-landing?access_token=',
    deny: () => Object.assign(github.door, { answer: 'deny' }),
  },
  {
    slug: 'connector-dingtalk',
    vendor: (): Vendor<never> => dingtalk as never,
    calls: ['/v1.0/oauth2/userAccessToken', '/v1.0/contact/users/me'],
    lands: '/users/confirm-email?binding_key=',
    deny: () => Object.assign(dingtalk.door, { answer: 'deny' }),
  },
  {
    slug: 'connector-wecom',
    vendor: (): Vendor<never> => wecom as never,
    calls: ['/cgi-bin/auth/getuserinfo', '/cgi-bin/auth/getuserdetail'],
    lands: '/users/auth-landing?access_token=',
    deny: () => Object.assign(wecom.door, { answer: 'deny' }),
  },
]

/** Everything that must stand in no address of ours and in no line of the log. */
function secrets(): string[] {
  const given = (call: Call) => [
    ...(/"(?:code|user_ticket)":"(\w{16,})"/.exec(call.body)?.slice(1) ?? []),
    ...['code', 'access_token', 'corpsecret'].map((name) => call.query.get(name) ?? ''),
    ...['code', 'code_verifier', 'client_secret'].map((name) => new URLSearchParams(call.body).get(name) ?? ''),
    String(call.headers.authorization ?? '').replace('Bearer ', ''),
    String(call.headers['x-acs-dingtalk-access-token'] ?? ''),
  ]
  const all = [github, dingtalk, wecom].flatMap((vendor) => vendor.transcript.flatMap(given))
  return [...new Set([SECRET, ...all])].filter((text) => text.length > 4)
}

beforeAll(async () => {
  const plugins = ['accounts', 'connector-github', 'connector-dingtalk', 'connector-wecom', 'user-center-wecom', 'admin', 'locale-en-us']
  site = await startSite({ plugins, outgoing: ['127.0.0.0/8'] })
  home = new URL((await (await site.admin()).get(`${ADMIN}/siteinfo/general`)).data.site_url)
  github = await startGitHub({
    clientId: 'hub',
    clientSecret: SECRET,
    callback: callbackOf('connector-github'),
    people: [
      { id: 11, login: 'ana', name: 'Ana', emails: [{ email: 'ana@hub.example', primary: true, verified: true }] },
      {
        id: 12,
        login: 'ben',
        emails: [
          { email: 'ben@hub.example', primary: true },
          { email: 'ben@old.example', verified: true },
        ],
      },
      {
        id: 13,
        login: 'collector',
        emails: [
          ...Array.from({ length: 40 }, (_, n) => ({ email: `alias${n}@hub.example`, verified: true })),
          { email: 'collector@hub.example', primary: true, verified: true },
        ],
      },
      { id: 14, login: 'shy', emails: [{ email: 'shy@hub.example', primary: true, verified: true }] },
    ],
  })
  dingtalk = await startDingTalk({
    clientId: 'ding',
    clientSecret: SECRET,
    redirects: [callbackOf('connector-dingtalk')],
    people: [{ unionId: 'union-ana', nick: 'Ana', email: 'ana@hub.example', corpIds: ['ours'] }],
    perSecond: 1_000,
  })
  wecom = await startWeCom({
    corpId: 'ww5823bf',
    agentId: 1000002,
    secret: SECRET,
    trustedDomain: home.host,
    members: [
      { userid: 'Ana', name: '安娜', department: [1], biz_mail: 'ana@company.example' },
      { userid: 'hidden', name: '隐', department: [1], biz_mail: 'hidden@company.example', hidden: true },
    ],
  })
  for (const { slug } of logins) await site.switch(slug, true)
  for (const save of [saveGitHub, saveDingTalk, saveWeCom]) expect((await save()).status).toBe(200)
})
afterEach(() => {
  for (const vendor of [github, dingtalk, wecom]) vendor.recover()
  Object.assign(github.door, { login: 'ana', answer: 'agree', withholds: [] })
  Object.assign(dingtalk.door, { unionId: 'union-ana', answer: 'agree' })
  Object.assign(wecom.door, { userid: 'Ana', answer: 'agree' })
})
afterAll(async () => {
  for (const vendor of [github, dingtalk, wecom]) await vendor.close()
  await site.close()
})

describe.each(logins)('$slug with a vendor that its author did not write', ({ slug, vendor, calls, lands, deny }) => {
  const count = () => calls.map((path) => vendor().callsTo(path).length)

  it('lets somebody in, with one call of each kind', async () => {
    const before = count()
    expect(await through(slug)).toContain(lands)
    expect(count().map((now, n) => now - (before[n] ?? 0))).toEqual(calls.map(() => 1))
  })

  it('takes a callback once and a code once, and says who declined', async () => {
    const browser = browse(slug)
    const back = await sentBack(slug, browser)
    const [first, second] = await Promise.all([browser.comeBack(back), browser.comeBack(back)])
    expect([first, second].sort()).toEqual([expect.stringContaining(lands), '/users/login?refused=expired'])
    const next = new URL(await sentBack(slug, browser))
    for (const name of ['code', 'authCode']) {
      const used = new URL(back).searchParams.get(name)
      if (used) next.searchParams.set(name, used)
    }
    expect(await browser.comeBack(next.href)).toBe(FAILED)
    deny()
    expect(await through(slug)).toBe('/users/login?refused=denied')
  })

  it.each<Failure>(['error', 'html', 'half', 'reset', 'redirect', 'endless'])(
    'says that it failed, and asks nothing twice, after %s',
    async (how) => {
      for (const path of calls) {
        const browser = browse(slug)
        const back = await sentBack(slug, browser)
        vendor().fail(how, { path, times: 1 })
        const before = vendor().callsTo(path).length
        expect(await browser.comeBack(back), path).toBe(FAILED)
        expect(vendor().callsTo(path).length - before, path).toBe(1)
        expect(await browser.comeBack(back)).toBe('/users/login?refused=expired')
        vendor().recover()
        expect(await through(slug)).toContain(lands)
      }
      expect(vendor().callsTo('/elsewhere')).toEqual([])
    },
  )

  it('says that it failed after answers that are cut short, are of another kind or are empty, and prints none of them', async () => {
    for (const body of ['{"errcode":0,"access_token":secretive', '["secretive"]', 'null', '"secretive"', '']) {
      vendor().fail({ status: 200, headers: { 'content-type': 'application/json' }, body }, { path: calls[0] ?? '', times: 1 })
      expect(await through(slug), body).toBe(FAILED)
      expect(site.logged.at(-1), body).not.toContain('secretive')
    }
  })

  it('fails where the network delivers the code twice', async () => {
    vendor().fail('twice', { path: calls[0] ?? '', times: 1 })
    expect(await through(slug)).toBe(FAILED)
  })

  it('fails where a code came too late', async () => {
    const browser = browse(slug)
    const back = await sentBack(slug, browser)
    vendor().advance(601)
    expect(await browser.comeBack(back)).toBe(FAILED)
  })
})

describe('a login by GitHub', () => {
  it('sends what the vendor asks of every call', async () => {
    await through('connector-github')
    for (const call of github.transcript.filter(({ path }) => path.startsWith('/api/'))) {
      expect(call.headers).toMatchObject({ 'user-agent': expect.any(String), 'x-github-api-version': '2022-11-28' })
      expect(call.query.has('access_token')).toBe(false)
    }
    for (const call of github.callsTo('/login/oauth/access_token')) expect([...call.query]).toEqual([])
  })

  it('gives nobody an address that GitHub has not proven', async () => {
    github.door.login = 'ben'
    expect(await through('connector-github')).toContain('/users/confirm-email?binding_key=')
  })

  it('finds the primary address among more than a page of them', async () => {
    github.door.login = 'collector'
    const browser = browse('connector-github')
    expect(await browser.land(await through('connector-github', browser))).toMatchObject({ e_mail: 'collector@hub.example' })
  })

  it('is bound to the browser that began: another verifier gets nothing', async () => {
    const [one, other] = [browse('connector-github'), browse('connector-github')]
    const back = new URL(await sentBack('connector-github', other))
    back.searchParams.set('code', new URL(await sentBack('connector-github', one)).searchParams.get('code') ?? '')
    expect(await other.comeBack(back.href)).toBe(FAILED)
    expect(site.logged.at(-1)).toContain('bad_verification_code')
  })

  it('logs in whoever keeps their addresses to themselves, and asks them for one', async () => {
    github.door.login = 'shy'
    github.door.withholds = ['user:email']
    expect(await through('connector-github')).toContain('/users/confirm-email?binding_key=')
  })

  it('tells the owner in the log what the vendor says of a wrong redirect address', async () => {
    const registered = github.app.callback
    github.app.callback = `${home.origin}/elsewhere`
    const browser = browse('connector-github')
    const back = new URL(await sentBack('connector-github', browser))
    github.app.callback = registered
    expect(back.searchParams.get('error')).toBe('redirect_uri_mismatch')
    expect(await browser.comeBack(`${registered}${back.search}`)).toBe(FAILED)
    expect(site.logged.at(-1)).toContain('redirect_uri_mismatch')
  })

  it('tries keys without using them up', async () => {
    expect(await saveGitHub({ client_secret: 'wrong' })).toMatchObject({ status: 400, data: [{ error_field: 'client_secret' }] })
    github.fail('html')
    expect(await saveGitHub()).toMatchObject({ status: 400, data: [{ error_field: 'base_url' }] })
  })
})

describe('a login by DingTalk', () => {
  it('says that it failed where the app lacks the right, is too fast, or was made invalid', async () => {
    dingtalk.app.mayReadPeople = false
    expect(await through('connector-dingtalk')).toBe(FAILED)
    expect(site.logged.at(-1)).toContain('Forbidden.AccessDenied.AccessTokenPermissionDenied')
    delete dingtalk.app.mayReadPeople
    dingtalk.app.perSecond = 0
    expect(await through('connector-dingtalk')).toBe(FAILED)
    expect(site.logged.at(-1)).toContain('QpsLimitForAppkeyAndApi')
    dingtalk.app.perSecond = 1_000
    dingtalk.fail('error', { times: 1, path: '/v1.0' })
    expect(await through('connector-dingtalk')).toBe(FAILED)
    expect(site.logged.at(-1)).toContain('500')
  })

  it('lets in whoever chose the company of the site', async () => {
    expect((await saveDingTalk({ corp_id: 'ours' })).status).toBe(200)
    expect(await through('connector-dingtalk')).toContain('/users/confirm-email')
    await saveDingTalk({ corp_id: 'theirs' })
    expect(await through('connector-dingtalk')).toBe(FAILED)
    await saveDingTalk()
  })

  it('shows the vendor’s own page where the address is not registered', async () => {
    const known = dingtalk.app.redirects.splice(0)
    await expect(through('connector-dingtalk')).rejects.toThrow('回调地址')
    dingtalk.app.redirects.push(...known)
  })

  it('tries keys without using them up', async () => {
    expect(await saveDingTalk({ client_secret: 'wrong' })).toMatchObject({ status: 400, data: [{ error_field: 'client_secret' }] })
    dingtalk.fail('html')
    expect(await saveDingTalk()).toMatchObject({ status: 400, data: [{ error_field: 'api_url' }] })
  })
})

describe('a login by WeCom', () => {
  const tokens = () => wecom.callsTo('/cgi-bin/gettoken').length
  const asked = () => wecom.callsTo('/cgi-bin/auth/getuserinfo').length

  it('renews a token once, whether it ended or was taken back, and does not ask twice for it', async () => {
    for (const end of [() => wecom.advance(7_201), () => wecom.revokeToken()]) {
      end()
      const [before, told] = [tokens(), asked()]
      expect(await through('connector-wecom')).toContain('/users/auth-landing')
      expect([tokens() - before, asked() - told]).toEqual([1, 2])
    }
  })

  it('renews one token for many who come at once', async () => {
    wecom.revokeToken()
    const before = tokens()
    for (const path of await Promise.all([1, 2, 3, 4, 5, 6].map(() => through('connector-wecom'))))
      expect(path).toContain('/users/auth-landing')
    expect(tokens() - before).toBe(1)
  })

  it('asks for no token with every call in the last minutes of one', async () => {
    wecom.advance(7_000)
    // As a site that has just been started: it knows of no token.
    await saveWeCom({ label: 'Company' })
    await through('connector-wecom')
    const before = tokens()
    await through('connector-wecom')
    expect(tokens() - before).toBe(0)
    await saveWeCom()
    wecom.advance(300)
  })

  it('logs in without a QR code page whoever scanned, and tells no address then', async () => {
    const browser = openBrowser(site)
    expect(await through('connector-wecom', browser)).toContain('/users/auth-landing')
    expect(wecom.transcript.at(-1)?.path).toBe('/cgi-bin/user/get')
  })

  it('lets in a member of whom the app is told nothing, and nobody from outside', async () => {
    wecom.door.userid = 'hidden'
    expect(await through('connector-wecom')).toContain('/users/confirm-email?binding_key=')
    wecom.door.userid = 'openid:somebody'
    expect(await through('connector-wecom')).toBe(FAILED)
  })

  it('lets a member in although the app has no right to their address', async () => {
    wecom.fail(errcode(60_011), { path: '/cgi-bin/auth/getuserdetail' })
    expect(await through('connector-wecom')).toContain('/users/auth-landing')
  })

  it('asks a busy server once more, and one that is too much asked not', async () => {
    for (const [code, lands, times] of [
      [-1, '/users/auth-landing', 2],
      [45_009, 'refused=failed', 1],
      [45_033, 'refused=failed', 1],
    ] as const) {
      const before = asked()
      wecom.fail(errcode(code), { path: '/cgi-bin/auth/getuserinfo', times: 1 })
      expect(await through('connector-wecom'), String(code)).toContain(lands)
      expect(asked() - before, String(code)).toBe(times)
    }
  })

  it('shows the vendor’s own page where the domain is not trusted', async () => {
    wecom.company.trustedDomain = 'elsewhere.test'
    await expect(through('connector-wecom')).rejects.toThrow('50001')
    wecom.company.trustedDomain = home.host
  })

  it('tells the owner of wrong keys, and of an address that WeCom does not take calls from', async () => {
    expect(await saveWeCom({ corp_secret: 'wrong' })).toMatchObject({ status: 400, data: [{ error_field: 'corp_secret' }] })
    expect(await saveWeCom({ corp_id: 'other' })).toMatchObject({ status: 400, data: [{ error_field: 'corp_id' }] })
    wecom.company.trustedIps = ['192.0.2.1']
    expect(await saveWeCom()).toMatchObject({
      status: 400,
      data: [{ error_field: 'agent_id', error_msg: expect.stringContaining('address of this server') }],
    })
    expect(site.logged.at(-1)).toContain('from ip: 127.0.0.1')
    delete wecom.company.trustedIps
    expect((await saveWeCom()).status).toBe(200)
  })

  it('tells the directory who is there, with the fields that new apps get', async () => {
    await site.switch('user-center-wecom', true)
    const config = { plugin_slug_name: 'user-center-wecom', config_fields: { sync_hours: 1, show_departments: true } }
    const test = async () => (await site.admin()).post(`${ADMIN}/plugin/config/test`, config)
    expect((await test()).status).toBe(200)
    for (const how of ['error', 'html', 'reset'] as const) {
      wecom.fail(how, { path: '/cgi-bin/user/get', times: 1 })
      expect((await test()).data).toMatchObject([{ error_field: 'connection' }])
    }
  })
})

describe('a vendor that is slow', () => {
  /** All at once: each is waited for as long as the site waits for anybody. */
  it('is named on the page after ten seconds, whether it says nothing or a byte a second', async () => {
    const begun = performance.now()
    const slow = logins.flatMap(({ slug, vendor, calls }) =>
      (['silence', 'drip'] as const).map(async (how, n) => {
        const browser = browse(slug)
        const back = await sentBack(slug, browser)
        const path = calls[n] ?? ''
        vendor().fail(how, { path, times: 1 })
        return browser.comeBack(back)
      }),
    )
    expect(await Promise.all(slow)).toEqual(slow.map(() => FAILED))
    expect(performance.now() - begun).toBeLessThan(15_000)
    for (const { slug, lands } of logins) expect(await through(slug)).toContain(lands)
  })
})

describe('what all of it left behind', () => {
  it('is no error of the site, and no secret in its log or in an address of ours', () => {
    expect(site.errors).toEqual([])
    expect(site.logged.length).toBeGreaterThan(20)
    const log = site.logged.join('\n')
    for (const secret of secrets()) expect(log).not.toContain(secret)
    expect(log).not.toMatch(/ {4}at /)
  })
})
