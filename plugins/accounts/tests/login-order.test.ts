import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

const API = '/answer/api/v1'
const ORDER = '/answer/admin/api/connector/order'
const ICON = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"/%3E'
const folder = mkdtempSync(join(tmpdir(), 'stoa-order-'))
const slugs = ['alder', 'birch', 'cedar']

/** A plugin with one login, named after it. */
function write(slug: string): void {
  const at = join(folder, 'plugins', slug)
  mkdirSync(at, { recursive: true })
  const manifest = { slug, version: '1.0.0', type: 'route', sdk: '^1.0.0', provides: { 'accounts.signInMethods': '1.6.0' } }
  writeFileSync(join(at, 'plugin.json'), JSON.stringify(manifest))
  const method = `{ shape: 'redirect', id: '${slug}', name: '${slug.toUpperCase()}', icon: '${slug === 'birch' ? ICON : ''}',
    start: async () => 'https://${slug}.example/', finish: async () => ({ externalId: '' }) }`
  writeFileSync(
    join(at, 'server.cjs'),
    `const { services } = require('@stoa/sdk/server')
module.exports.default = {
  provides: { signInMethods: services('accounts.signInMethods') },
  activate: () => ({ signInMethods: { methods: () => [${method}] } }),
}`,
  )
}

let site: Site
let admin: TestPerson
beforeAll(async () => {
  for (const slug of slugs) write(slug)
  site = await startSite({ plugins: ['accounts', 'admin', ...slugs, 'locale-en-us'], pluginDirs: [join(folder, 'plugins')] })
  admin = await site.admin()
})
afterAll(async () => {
  await site.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  await save(slugs)
})

const save = (order: readonly string[], first = '') => admin.put(ORDER, { order, first })
const offered = async (): Promise<string[]> =>
  (await site.visitor().get(`${API}/connector/info`)).data.map(({ name, is_first }: { name: string; is_first: boolean }) =>
    is_first ? `*${name}` : name,
  )
const buttonsOf = async (page: string) =>
  [...(await (await fetch(site.url + page)).text()).matchAll(/Continue with (?:<!-- -->)?([A-Z]+)/g)].map(([, name]) => name)

describe('the order of logins at other sites', () => {
  it('is the one that the owner chose: on the pages, in the call of clients and among the own logins', async () => {
    expect((await save(['cedar', 'alder', 'birch'])).status).toBe(200)
    expect(await offered()).toEqual(['CEDAR', 'ALDER', 'BIRCH'])
    for (const page of ['/users/login', '/users/register']) expect(await buttonsOf(page)).toEqual(['CEDAR', 'ALDER', 'BIRCH'])
    const own = await (await site.member('ana')).get(`${API}/connector/user/info`)
    expect(own.data.map(({ slug }: { slug: string }) => slug)).toEqual(['cedar', 'alder', 'birch'])
    expect((await admin.get(ORDER)).data).toMatchObject({ logins: [{ slug: 'cedar' }, { slug: 'alder' }, { slug: 'birch' }], first: '' })
  })

  it('has one that stands before the form where the owner wishes it', async () => {
    await save(slugs, 'birch')
    expect(await offered()).toEqual(['*BIRCH', 'ALDER', 'CEDAR'])
    const html = await (await fetch(`${site.url}/users/login`)).text()
    const places = ['Continue with BIRCH', 'name="pass"', 'Continue with ALDER'].map((part) => html.indexOf(part))
    expect(places.every((place) => place > 0)).toBe(true)
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    // Pictures are there without being asked for elsewhere.
    expect(html).toMatch(/<img[^>]* src="data:image\/svg\+xml,/)
    await save(slugs)
    expect(await offered()).toEqual(['ALDER', 'BIRCH', 'CEDAR'])
  })

  it('stands when a plugin goes and comes back, and when the order is changed meanwhile', async () => {
    await save(['cedar', 'birch', 'alder'], 'birch')
    await site.switch('birch', false)
    expect(await offered()).toEqual(['CEDAR', 'ALDER'])
    expect((await admin.get(ORDER)).data).toMatchObject({ logins: [{ slug: 'cedar' }, { slug: 'alder' }], first: '' })
    await site.switch('birch', true)
    expect(await offered()).toEqual(['*BIRCH', 'CEDAR', 'ALDER'])
    await save(['cedar', 'birch', 'alder'])
    await site.switch('birch', false)
    expect((await save(['alder', 'cedar'])).status).toBe(200)
    await site.switch('birch', true)
    expect(await offered()).toEqual(['ALDER', 'BIRCH', 'CEDAR'])
  })

  it('is the business of admins, and holds only what is there or was', async () => {
    for (const person of [site.visitor(), await site.member('ana'), await site.moderator()]) {
      expect([401, 403]).toContain((await person.get(ORDER)).status)
      expect([401, 403]).toContain((await person.put(ORDER, { order: [], first: 'birch' })).status)
    }
    for (const body of [
      { order: ['nobody'], first: '' },
      { order: [], first: 'nobody' },
      { order: ['__proto__'], first: '' },
    ])
      expect(await admin.put(ORDER, body)).toMatchObject({ status: 400, reason: 'error.accounts.method_unavailable' })
    for (const body of [{}, { order: 'alder', first: '' }, { order: ['alder', 'alder'], first: '' }, { order: [], first: 7 }])
      expect((await admin.put(ORDER, body)).status).toBe(400)
    expect(await offered()).toEqual(['ALDER', 'BIRCH', 'CEDAR'])
    expect(site.errors).toEqual([])
  })

  it('is changed on its page by buttons, which keep the focus, with the keyboard and by touch', async () => {
    const browser = await launchBrowser()
    try {
      const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 800 } })
      const page = await context.newPage()
      await page.addInitScript((token) => localStorage.setItem('stoa:token', JSON.stringify({ v: token, until: null })), admin.token)
      await page.goto(`${site.url}/admin/login-buttons`)
      const names = () => page.getByRole('group', { name: 'Order' }).getByRole('listitem').locator('strong').allTextContents()
      const up = page.getByRole('button', { name: 'Move CEDAR up' })
      await up.focus()
      for (const _ of [1, 2, 3]) await page.keyboard.press('Enter')
      expect(await names()).toEqual(['CEDAR', 'ALDER', 'BIRCH'])
      expect(await up.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.getByText('CEDAR is now number 1 of 3.').waitFor({ state: 'attached' })
      await page.getByRole('button', { name: 'Move ALDER down' }).tap()
      expect(await names()).toEqual(['CEDAR', 'BIRCH', 'ALDER'])
      await page.getByRole('combobox', { name: 'Stands first' }).selectOption('ALDER')
      expect(await names()).toEqual(['ALDER', 'CEDAR', 'BIRCH'])
      await page.getByRole('button', { name: 'Save' }).click()
      await expect.poll(offered).toEqual(['*ALDER', 'CEDAR', 'BIRCH'])
    } finally {
      await browser.close()
    }
  })
})
