import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../testing/index.ts'

const API = '/answer/api/v1'
const LANDING = /^\/users\/auth-landing\?access_token=[0-9a-f]{64}$/
const folder = mkdtempSync(join(tmpdir(), 'stoa-off-'))

/** Judges everybody by asking the test, which takes its time. */
const server = (url: string) => `const { services } = require('@stoa/sdk/server')
module.exports.default = {
  provides: { signInMethods: services('accounts.signInMethods') },
  activate(_, ctx) {
    const ask = (who) => async () => (await ctx.host.fetch('${url}' + who)).json()
    const site = { shape: 'redirect', id: 'fickle', name: 'Fickle', start: async ({ state }) => 'https://fickle.example/?state=' + state, finish: ask('ana') }
    const form = { shape: 'form', id: 'fickle.form', name: 'Directory', check: ask('ben') }
    return { signInMethods: { methods: () => [site, form] } }
  },
}`

let site: Site
/** Whoever waits for an answer, when the test holds them. */
let waiting: ServerResponse[] = []
let isHolding = false
let asked = 0
const who = (name: string) => JSON.stringify({ externalId: `id-${name}`, emails: [{ address: `${name}@fickle.example`, verified: true }] })
const judge = createServer((request, reply) => {
  asked++
  if (isHolding) waiting.push(reply)
  else reply.end(who(request.url?.slice(1) ?? ''))
})

beforeAll(async () => {
  judge.listen(0, '127.0.0.1')
  await once(judge, 'listening')
  const at = join(folder, 'plugins', 'fickle')
  mkdirSync(at, { recursive: true })
  const manifest = { slug: 'fickle', version: '1.0.0', type: 'route', sdk: '^1.1.0', provides: { 'accounts.signInMethods': '1.6.0' } }
  writeFileSync(join(at, 'plugin.json'), JSON.stringify(manifest))
  writeFileSync(join(at, 'server.cjs'), server(`http://127.0.0.1:${(judge.address() as AddressInfo).port}/`))
  site = await startSite({
    plugins: ['accounts', 'fickle', 'locale-en-us'],
    pluginDirs: [join(folder, 'plugins')],
    outgoing: ['127.0.0.0/8'],
  })
})
afterAll(async () => {
  await site.close()
  judge.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  waiting = []
  isHolding = false
  await site.switch('fickle', true)
  asked = 0
})

const begin = async (browser: ReturnType<typeof openBrowser>, method = 'fickle') =>
  new URL(await browser.leave(method), site.url).searchParams.get('state') ?? ''
const back = (state: string) => `${API}/connector/redirect/fickle?state=${state}&code=x`

/** A page that says what happened, to somebody whom it has not let in. */
async function isClear(browser: ReturnType<typeof openBrowser>, path: string, words: string): Promise<void> {
  const page = await browser.go(path)
  const html = await page.text()
  expect(page.status).toBe(200)
  expect(html).toContain(words)
  expect(html).not.toMatch(/at \S+ \(|\.ts:\d|node:internal|Error:/)
  expect((await (await browser.go(`${API}/user/info`)).json()).data).toBeNull()
  expect(site.errors).toEqual([])
}
const UNAVAILABLE = 'This login does not work at the moment'
const OVER = 'has been used or is too old'

describe('an attack by a login whose plugin is switched off meanwhile', () => {
  it('comes to nothing where the callback comes while it is off, and again once it is on', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser)
    await site.switch('fickle', false)
    const refused = await browser.ledTo(back(state))
    expect(refused).toBe('/users/login?refused=unavailable')
    await isClear(browser, refused, UNAVAILABLE)
    expect(await browser.ledTo(`${API}/connector/login/fickle`)).toBe('/users/login?refused=unavailable')
    await site.switch('fickle', true)
    const again = await browser.ledTo(back(state))
    expect(again).toBe('/users/login?refused=expired')
    await isClear(browser, again, OVER)
    expect(asked).toBe(0)
    // Whoever begins anew gets in.
    expect(await browser.ledTo(back(await begin(browser)))).toMatch(LANDING)
  })

  it('comes to nothing where the other site sends a form meanwhile', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser)
    await site.switch('fickle', false)
    const posted = await fetch(`${site.url}${API}/connector/redirect/fickle`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://fickle.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ state, code: 'x' }),
    })
    const refused = await browser.ledTo(posted.headers.get('location') ?? '')
    expect(refused).toBe('/users/login?refused=unavailable')
    await isClear(browser, refused, UNAVAILABLE)
    await site.switch('fickle', true)
    expect(await browser.ledTo(posted.headers.get('location') ?? '')).toBe('/users/login?refused=expired')
    expect(asked).toBe(0)
  })

  it('comes to nothing where a name and a password are sent meanwhile; what was typed is not asked about', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser, 'fickle.form')
    const prove = () => browser.send('POST', '/connector/form', { state, name: 'ana', password: 'secret' })
    await site.switch('fickle', false)
    expect(await prove()).toMatchObject({ reason: 'error.accounts.method_unavailable', msg: expect.stringContaining(UNAVAILABLE) })
    await isClear(browser, `/users/login/form?state=${state}&method=fickle.form`, 'too old')
    expect(asked).toBe(0)
    await site.switch('fickle', true)
    expect((await prove()).data.path).toMatch(LANDING)
  })

  it('comes to nothing where it is on its way while the plugin goes off, and where only the session is still to be fetched', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser)
    isHolding = true
    const led = browser.ledTo(back(state))
    await expect.poll(() => waiting.length).toBe(1)
    const going = site.switch('fickle', false)
    await expect.poll(async () => (await site.visitor().get(`${API}/connector/info`)).data).toEqual([])
    waiting[0]?.end(who('ana'))
    const path = await led
    await going
    expect(path).toMatch(/^\/users\/(?:auth-landing\?access_token=\w+|login\?refused=unavailable)$/)
    const code = new URL(path, site.url).searchParams.get('access_token') ?? ''
    expect((await browser.send('POST', '/connector/session', { code })).data?.access_token).toBeUndefined()
    await isClear(browser, '/users/login?refused=unavailable', UNAVAILABLE)

    await site.switch('fickle', true)
    isHolding = false
    const landed = await browser.ledTo(back(await begin(browser)))
    await site.switch('fickle', false)
    const fetched = await browser.send('POST', '/connector/session', { code: new URL(landed, site.url).searchParams.get('access_token') })
    expect(fetched).toMatchObject({ reason: 'error.accounts.method_unavailable', msg: expect.stringContaining(UNAVAILABLE) })
    await site.switch('fickle', true)
    expect(await browser.land(landed)).toBeNull()
    await isClear(browser, '/users/login?refused=expired', OVER)
  })
})
