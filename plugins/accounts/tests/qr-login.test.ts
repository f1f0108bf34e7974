import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'
import { openBrowser } from '../testing/index.ts'
import { openQrDesk } from './qr-desk.ts'

const API = '/answer/api/v1'
const LANDING = /^\/users\/auth-landing\?access_token=[0-9a-f]{64}(?:&next=|$)/
const folder = mkdtempSync(join(tmpdir(), 'stoa-qr-'))

/** A plugin for that service. */
const server = (address: string, secret: string) => `const { createHmac } = require('node:crypto')
const { services, defineErrors } = require('@stoa/sdk/server')
const errors = defineErrors('error.accounts', { sign_in_denied: { status: 403, message: 'The person said no' } })
module.exports.default = {
  provides: { signInMethods: services('accounts.signInMethods') },
  activate(_, ctx) {
    async function ask(method, path, body = '') {
      const time = String(ctx.now())
      const sign = createHmac('sha256', '${secret}').update([time, method, path, body].join('\\n')).digest('hex')
      const headers = { 'x-desk-time': time, 'x-desk-sign': sign, ...(body && { 'content-type': 'application/json' }) }
      const reply = await ctx.host.fetch('${address}' + path, { method, headers, ...(body && { body }) })
      if (!reply.ok) throw new Error('the desk says ' + reply.status)
      return reply.json()
    }
    const method = {
      shape: 'qr', id: 'desk', name: 'Desk',
      async start() {
        const { ticket, url, expires_in } = await ask('POST', '/v1/tickets', JSON.stringify({ scene: 'login' }))
        return { content: url, kept: ticket, seconds: expires_in }
      },
      async poll(_, kept) {
        const { status, user } = await ask('GET', '/v1/tickets/' + kept)
        if (status === 'denied') throw errors.sign_in_denied()
        if (status !== 'confirmed') return status === 'new' ? 'waiting' : status
        return { externalId: user.id, displayName: user.name, emails: [{ address: user.mail, verified: true }] }
      },
    }
    return { signInMethods: { methods: () => [method] } }
  },
}`

let site: Site
let desk: Awaited<ReturnType<typeof openQrDesk>>
beforeAll(async () => {
  desk = await openQrDesk()
  const at = join(folder, 'plugins', 'desk')
  mkdirSync(at, { recursive: true })
  const manifest = { slug: 'desk', version: '1.0.0', type: 'route', sdk: '^1.1.0', provides: { 'accounts.signInMethods': '1.6.0' } }
  writeFileSync(join(at, 'plugin.json'), JSON.stringify(manifest))
  writeFileSync(join(at, 'server.cjs'), server(desk.address, desk.secret))
  site = await startSite({
    plugins: ['accounts', 'desk', 'locale-en-us'],
    pluginDirs: [join(folder, 'plugins')],
    outgoing: ['127.0.0.0/8'],
  })
})
afterAll(async () => {
  desk.close()
  await site.close()
  rmSync(folder, { recursive: true })
})

type Browser = ReturnType<typeof openBrowser>
async function begin(browser: Browser, next = ''): Promise<string> {
  const page = new URL(await browser.leave('desk', next), site.url)
  expect([page.pathname, page.searchParams.get('method')]).toEqual(['/users/login/qr', 'desk'])
  return page.searchParams.get('state') ?? ''
}
const show = (browser: Browser, state: string) => browser.send('POST', '/connector/qr', { state })
const look = (browser: Browser, state: string) => browser.send('POST', '/connector/qr/look', { state })
const statusOf = async (browser: Browser, state: string) => (await look(browser, state)).data.status
async function shown(browser: Browser, state: string): Promise<string> {
  return (await show(browser, state)).data.link
}
const later = (seconds: number) => {
  site.advance(seconds)
  desk.ahead(seconds)
}

describe('a login by a QR code', () => {
  it('waits for the phone, goes on once that has confirmed, and tells the browser no key of the service', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser, '/tags')
    const reply = await show(browser, state)
    expect(reply.data).toMatchObject({ size: expect.any(Number), drawing: expect.stringMatching(/^M\d/), seconds: 120 })
    for (const ticket of desk.ticketIds()) expect(JSON.stringify(reply)).not.toContain(ticket)
    const { link } = reply.data
    expect(await look(browser, state)).toMatchObject({ data: { status: 'waiting', path: '' } })
    desk.scan(link, 'ana')
    expect(await look(browser, state)).toMatchObject({ data: { status: 'scanned', path: '' } })
    desk.confirm(link, 'ana')
    const done = (await look(browser, state)).data
    expect(done).toMatchObject({ status: 'done', path: expect.stringMatching(LANDING) })
    expect(done.path).toContain('next=%2Ftags')
    expect(await browser.land(done.path)).toMatchObject({ e_mail: 'ana@desk.example', have_password: false })
    expect(await look(browser, state)).toMatchObject({ reason: 'error.accounts.sign_in_over' })
    // The same person again is the same account.
    const other = openBrowser(site)
    const again = await begin(other)
    const url = await shown(other, again)
    desk.scan(url, 'ana')
    desk.confirm(url, 'ana')
    expect(await other.land((await look(other, again)).data.path)).toMatchObject({ e_mail: 'ana@desk.example' })
  })

  it('begins anew with another code when one is too old; who confirms the old one lets nobody in', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser)
    expect(await statusOf(browser, state)).toBe('expired')
    const first = await shown(browser, state)
    desk.scan(first, 'ben')
    const second = await shown(browser, state)
    desk.confirm(first, 'ben')
    expect(await statusOf(browser, state)).toBe('waiting')
    later(121)
    expect(await statusOf(browser, state)).toBe('expired')
    const third = await shown(browser, state)
    expect(new Set([first, second, third]).size).toBe(3)
    desk.scan(third, 'ben')
    desk.confirm(third, 'ben')
    expect((await look(browser, state)).data.path).toMatch(LANDING)
    const late = openBrowser(site)
    const over = await begin(late)
    later(601)
    for (const call of [show, look]) expect(await call(late, over)).toMatchObject({ reason: 'error.accounts.sign_in_over' })
  })

  it('ends on the page of the login where the person says no on the phone', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser)
    const url = await shown(browser, state)
    desk.scan(url, 'cid')
    desk.deny(url, 'cid')
    expect((await look(browser, state)).data).toEqual({ status: 'done', path: '/users/login?refused=denied' })
    expect(await look(browser, state)).toMatchObject({ reason: 'error.accounts.sign_in_over' })
  })

  it('says that it does not work while the service is down, and goes on afterwards', async () => {
    const browser = openBrowser(site)
    const state = await begin(browser)
    const unavailable = { reason: 'error.accounts.method_unavailable', msg: expect.stringContaining('does not work at the moment') }
    for (const fault of ['down', 'html', 'cut'] as const) {
      desk.faults.push(fault)
      expect(await show(browser, state), fault).toMatchObject(unavailable)
    }
    const url = await shown(browser, state)
    desk.scan(url, 'dan')
    desk.faults.push('down')
    expect(await look(browser, state)).toMatchObject(unavailable)
    desk.confirm(url, 'dan')
    expect((await look(browser, state)).data.path).toMatch(LANDING)
  })

  it('binds to whoever is logged in', async () => {
    await site.member('eva')
    const browser = openBrowser(site)
    await browser.enter('eva')
    const { url } = (await browser.send('POST', '/connector/user/binding', { slug: 'desk' })).data
    const state = new URL(url).searchParams.get('state') ?? ''
    const link = await shown(browser, state)
    desk.scan(link, 'eva')
    desk.confirm(link, 'eva')
    expect((await look(browser, state)).data).toEqual({ status: 'done', path: '/users/settings/account?bound' })
  })

  it('is in vain for a stranger who knows the state, twice at once, and where the plugin goes off', async () => {
    const [browser, stranger] = [openBrowser(site), openBrowser(site)]
    const state = await begin(browser)
    await begin(stranger)
    const url = await shown(browser, state)
    desk.scan(url, 'fay')
    desk.confirm(url, 'fay')
    for (const call of [show, look]) expect(await call(stranger, state)).toMatchObject({ reason: 'error.accounts.sign_in_over' })
    const both = await Promise.all([look(browser, state), look(browser, state)])
    expect(both.filter(({ data }) => LANDING.test(data?.path ?? ''))).toHaveLength(1)

    const other = await begin(browser)
    const link = await shown(browser, other)
    desk.scan(link, 'fay')
    desk.confirm(link, 'fay')
    await site.switch('desk', false)
    for (const call of [show, look]) expect(await call(browser, other)).toMatchObject({ reason: 'error.accounts.method_unavailable' })
    await site.switch('desk', true)
    // States of other shapes, and none.
    for (const nonsense of ['', 'x', '__proto__', 'x'.repeat(64)])
      for (const call of [show, look]) expect((await call(browser, nonsense)).code).toBe(400)
    expect(site.errors).toEqual([])
  })

  it('asks the service once for each look, and in no other way', () => {
    expect(desk.asked.filter(({ status }) => ![200, 201, 410, 503].includes(status))).toEqual([])
  })

  it('goes on by itself on its page', async () => {
    const chromium = await launchBrowser()
    try {
      const page = await chromium.newPage()
      await page.goto(`${site.url}/users/login`)
      await page.getByRole('link', { name: 'Continue with Desk' }).click()
      await page.getByRole('img', { name: 'Code to scan' }).waitFor()
      const link = (await page.getByRole('link', { name: 'Open on this device' }).getAttribute('href')) ?? ''
      await page.getByRole('status').getByText('Waiting for your phone').waitFor()
      desk.scan(link, 'gil')
      await page.getByText('Now confirm on your phone').waitFor()
      later(121)
      await page.getByText('no longer valid').waitFor()
      await page.getByRole('button', { name: 'Show a new code' }).click()
      await page.getByRole('img', { name: 'Code to scan' }).waitFor()
      const fresh = (await page.getByRole('link', { name: 'Open on this device' }).getAttribute('href')) ?? ''
      expect(fresh).not.toBe(link)
      desk.scan(fresh, 'gil')
      desk.confirm(fresh, 'gil')
      await page.waitForURL(`${site.url}/`)
      const { data } = await page.evaluate(async (path) => {
        const { v } = JSON.parse(localStorage.getItem('stoa:token') ?? '{}')
        return (await fetch(path, { headers: { authorization: v } })).json()
      }, `${API}/user/info`)
      expect(data).toMatchObject({ e_mail: 'gil@desk.example' })
    } finally {
      await chromium.close()
    }
  })
})
