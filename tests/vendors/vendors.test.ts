import { createDecipheriv, createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { startDingTalk } from './dingtalk.ts'
import { startGitHub } from './github.ts'
import type { Failure } from './vendor.ts'
import { startWeCom } from './wecom.ts'

const callback = 'https://site.test/back'
const toClose: { close(): Promise<void> }[] = []
const kept = <T extends { close(): Promise<void> }>(vendor: T) => {
  toClose.push(vendor)
  return vendor
}
afterEach(async () => {
  for (const vendor of toClose.splice(0)) await vendor.close()
})

const visit = async (address: string, query: Record<string, string>, headers = {}) => {
  const answer = await fetch(`${address}?${new URLSearchParams(query)}`, { redirect: 'manual', headers })
  const location = answer.headers.get('location')
  return { status: answer.status, back: location ? new URL(location) : undefined }
}

describe('the stand-in of GitHub', () => {
  const person = { id: 1, login: 'octocat', emails: [{ email: 'cat@example.test', primary: true, verified: true }] }
  const start = async () => kept(await startGitHub({ clientId: 'app', clientSecret: 'secret', callback, people: [person] }))
  const verifier = 'v'.repeat(43)
  const asked = {
    client_id: 'app',
    redirect_uri: callback,
    state: 's',
    scope: 'user:email',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }
  const exchange = async (url: string, values: Record<string, string>, accept = 'application/json') =>
    fetch(`${url}/login/oauth/access_token`, { method: 'POST', headers: { accept }, body: new URLSearchParams(values) })

  it('gives a token for a code once, and takes it back when the code comes again', async () => {
    const { urls } = await start()
    const { back } = await visit(`${urls.web}/login/oauth/authorize`, asked)
    const values = { client_id: 'app', client_secret: 'secret', code: back?.searchParams.get('code') ?? '', redirect_uri: callback }
    expect(await (await exchange(urls.web, { ...values, code_verifier: 'w'.repeat(43) })).json()).toMatchObject({
      error: 'bad_verification_code',
    })
    const { access_token } = await (await exchange(urls.web, { ...values, code_verifier: verifier })).json()
    const read = async () =>
      (await fetch(`${urls.web}/api/v3/user/emails`, { headers: { authorization: `Bearer ${access_token}` } })).status
    expect(await read()).toBe(200)
    const second = await exchange(urls.web, { ...values, code_verifier: verifier }, '*/*')
    expect([second.status, await second.text()]).toEqual([200, expect.stringContaining('error=bad_verification_code')])
    expect(await read()).toBe(401)
  })

  it('sends a foreign redirect address back to the registered one', async () => {
    const { urls } = await start()
    const { back } = await visit(`${urls.web}/login/oauth/authorize`, { ...asked, redirect_uri: 'https://elsewhere.test/back' })
    expect(back?.href).toMatch(/^https:\/\/site\.test\/back\?error=redirect_uri_mismatch/)
  })
})

describe('the stand-in of DingTalk', () => {
  it('tells its errors with 4xx, and a limit with 403', async () => {
    const app = { clientId: 'app', clientSecret: 'secret', redirects: [callback], people: [{ unionId: 'u', nick: 'N' }], perSecond: 2 }
    const { urls, advance } = kept(await startDingTalk(app))
    const post = async () => {
      const body = JSON.stringify({ clientId: 'app', clientSecret: 'secret', code: 'none', grantType: 'authorization_code' })
      const answer = await fetch(`${urls.api}/v1.0/oauth2/userAccessToken`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      return [answer.status, (await answer.json()).code]
    }
    expect(await post()).toEqual([400, 'invalidParameter.authCode.notFound'])
    advance(5)
    const three = [await post(), await post(), await post()]
    expect(three.at(-1)).toEqual([403, 'Forbidden.AccessDenied.QpsLimitForAppkeyAndApi'])
  })
})

describe('the stand-in of WeCom', () => {
  const company = {
    corpId: 'wx5823bf96d3bd56c7',
    agentId: 7,
    secret: 'secret',
    trustedDomain: 'site.test',
    members: [{ userid: 'wang', name: '王', department: [1] }],
    callback: { token: 'QDG6eK', aesKey: 'jWmYm7qr5nMoAUwZRjGtBxmz3KA1tkAj3ykkR6q2B2C' },
  }
  const asked = { login_type: 'CorpApp', appid: company.corpId, agentid: '7', redirect_uri: callback, state: 's' }

  it('lets a token die after two hours and a code after one use', async () => {
    const { urls, advance } = kept(await startWeCom(company))
    const get = async (path: string) => (await fetch(`${urls.api}/cgi-bin/${path}`)).json()
    const { access_token } = await get(`gettoken?corpid=${company.corpId}&corpsecret=secret`)
    const { back } = await visit(`${urls.login}/wwlogin/sso/login`, asked)
    const ask = `auth/getuserinfo?access_token=${access_token}&code=${back?.searchParams.get('code')}`
    expect(await get(ask)).toEqual({ errcode: 0, errmsg: 'ok', userid: 'wang' })
    expect(await get(ask)).toMatchObject({ errcode: 40029 })
    advance(7_201)
    expect(await get(ask)).toMatchObject({ errcode: 42001 })
    expect(await get('user/get?access_token=other&userid=wang')).toMatchObject({ errcode: 40014 })
  })

  it('agrees with the vector that the vendor published for its callbacks', async () => {
    const { signature, pushed } = kept(await startWeCom(company))
    const echo = 'P9nAzCzyDtyTWESHep1vC5X9xho/qYX3Zpb4yKa9SKld1DsH3Iyt3tP3zNdtp+4RPcs8TgAE7OaBO+FZXvnaqQ=='
    expect(signature('QDG6eK', '1409659589', '263014780', echo)).toBe('5c45ff5e21c57e6ad56bac8758b79b1d9ac89fd3')
    const key = Buffer.from(`${company.callback.aesKey}=`, 'base64')
    const open = (text: string) => {
      const decipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
      const plain = Buffer.concat([decipher.update(text, 'base64'), decipher.final()])
      const end = 20 + plain.readUInt32BE(16)
      return [plain.subarray(20, end).toString(), plain.subarray(end, plain.length - (plain.at(-1) ?? 0)).toString()]
    }
    expect(open(echo)).toEqual(['1616140317555161061', company.corpId])
    expect(open(pushed('好').encrypted)).toEqual(['好', company.corpId])
  })
})

describe('a stand-in that is told to fail', () => {
  it.each<[Failure, RegExp]>([
    ['error', /^500 /],
    ['html', /^200 <!doctype/],
    ['half', /terminated/],
    ['reset', /fetch failed/],
    ['silence', /aborted/],
    ['drip', /aborted/],
    ['redirect', /^302 /],
  ])('fails by %s until it is mended', async (how, expected) => {
    const vendor = kept(await startGitHub({ clientId: 'app', clientSecret: 'secret', callback, people: [] }))
    vendor.fail(how)
    const call = async () => {
      const answer = await fetch(`${vendor.urls.web}/nowhere`, { redirect: 'manual', signal: AbortSignal.timeout(200) })
      return `${answer.status} ${await answer.text()}`
    }
    expect(await call().catch((error: Error) => error.message)).toMatch(expected)
    vendor.recover()
    expect(await call()).toMatch(/^404 /)
  })
})
