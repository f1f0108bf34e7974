import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buildPlugins } from '@stoa/sdk/build'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

describe('the guard registrationOpen', () => {
  let site: Site
  const root = mkdtempSync(join(tmpdir(), 'stoa-guards-'))
  beforeAll(async () => {
    // As a plugin of sdk 1.0 had it, when the guard was the kernel's, and as one writes it now.
    const files = {
      'plugin.json': JSON.stringify({
        slug: 'clubs',
        version: '1.0.0',
        type: 'route',
        sdk: '^1.0.0',
        contributes: {
          routes: [
            { path: '/clubs/join', module: 'web/join.tsx', layout: 'plain', guards: ['registrationOpen'], render: 'server' },
            { path: '/clubs/now', module: 'web/join.tsx', layout: 'plain', guards: ['accounts.registrationOpen'], render: 'server' },
          ],
        },
      }),
      'web/join.tsx': 'export default function Join() { return <h1>Join us</h1> }',
    }
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, 'clubs', name)), { recursive: true })
      writeFileSync(join(root, 'clubs', name), text)
    }
    const { failed } = await buildPlugins({ folders: [join(root, 'clubs')], out: join(root, 'built'), mode: 'production' })
    expect(failed).toEqual([])
    site = await startSite({ plugins: ['accounts', 'clubs'], pluginDirs: [join(root, 'built')] })
  })
  afterAll(async () => {
    await site?.close()
    rmSync(root, { recursive: true, force: true })
  })

  const look = async (path: string) => {
    const reply = await fetch(site.url + path, { redirect: 'manual' })
    return [reply.status, reply.headers.get('location')]
  }

  it.each(['/users/register', '/clubs/join', '/clubs/now'])('lets %s be seen only while people may register', async (path) => {
    const admin = await site.admin()
    const login = {
      allow_new_registrations: true,
      allow_email_registrations: true,
      allow_email_domains: [],
      login_required: false,
      allow_password_login: true,
    }
    await admin.put('/answer/admin/api/siteinfo/login', login)
    expect(await look(path)).toEqual([200, null])
    await admin.put('/answer/admin/api/siteinfo/login', { ...login, allow_new_registrations: false })
    expect(await look(path)).toEqual([302, '/'])
  })
})

describe('what somebody chooses in the footer', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite({ plugins: ['accounts', 'locale-en-us', 'locale-zh-cn'] }), launchBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('is kept with their account, one choice beside the other', async () => {
    const ana = await site.member('ana')
    const page = await browser.newPage()
    await page.addInitScript((token) => localStorage.setItem('stoa:token', JSON.stringify({ v: token, until: null })), ana.token)
    await page.goto(`${site.url}/users`)
    const kept = async () => {
      const { language, color_scheme } = (await ana.get('/answer/api/v1/user/info')).data
      return { language, color_scheme }
    }
    await page.getByRole('banner').getByRole('button', { name: /ana/ }).waitFor()
    await page.getByLabel('Colours').selectOption('dark')
    await expect.poll(kept, { timeout: 10_000 }).toEqual({ language: 'Default', color_scheme: 'dark' })
    await page.getByLabel('Language').selectOption('zh_CN')
    await expect.poll(kept, { timeout: 10_000 }).toEqual({ language: 'zh_CN', color_scheme: 'dark' })
  })
})

describe('a browser that keeps the token of a session that is over', () => {
  let site: Site
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite({ plugins: ['accounts', 'locale-en-us'] }), launchBrowser()])
    await site.member('ana')
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  it('shows whoever logged in there by a form without scripts as themselves, on the first page too', async () => {
    const page = await browser.newPage({ baseURL: site.url })
    await page.addInitScript((v) => localStorage.setItem('stoa:token', JSON.stringify({ v, until: null })), 'of-a-session-that-is-over')
    const sent = await page.request.post('/stoa/form/answer/api/v1/user/login/email', {
      form: { e_mail: 'ana@example.org', pass: 'correct horse 7' },
      headers: { origin: site.url },
      maxRedirects: 0,
    })
    expect(sent.status()).toBe(303)
    // Visitors are led away from there.
    await page.goto('/users/settings/profile')
    await page.getByRole('banner').getByRole('button', { name: /ana/ }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/users/settings/profile')
  })

  it('leaves a visitor a visitor, and forgets the token', async () => {
    const page = await browser.newPage({ baseURL: site.url })
    await page.goto('/users')
    await page.evaluate((v) => localStorage.setItem('stoa:token', JSON.stringify({ v, until: null })), 'of-a-session-that-is-over')
    await page.reload()
    await page.getByRole('banner').getByRole('link', { name: 'Log in' }).waitFor()
    await expect.poll(() => page.evaluate(() => localStorage.getItem('stoa:token'))).toBeNull()
  })
})
