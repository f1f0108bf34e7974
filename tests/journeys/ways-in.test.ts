import { mkdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { Provider } from 'oidc-provider'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide, untranslated } from './look.ts'
import type { ReaderOptions } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const SLUG = 'connector-oidc'
const pictures = process.env.STOA_LOOKS === '1' ? join('build', 'looks') : undefined
const looks = [
  { width: 1280, language: 'zh_CN', scheme: 'light' },
  { width: 390, language: 'en_US', scheme: 'dark' },
] as const

let browser: Browser
let site: Site
let provider: Server
let issuer = ''

/** To a browser `localhost` is another site than `127.0.0.1`: it withholds the cookies of the one from forms of the other. */
async function startProvider(): Promise<void> {
  provider = createServer((request, reply) => {
    // As a provider of SAML would, whatever it is asked for.
    if (request.url?.startsWith('/auth?')) request.url += '&response_mode=form_post'
    return handle(request, reply)
  })
  await new Promise<void>((done) => provider.listen(0, 'localhost', done))
  issuer = `http://localhost:${(provider.address() as AddressInfo).port}`
  const real = new Provider(issuer, {
    clients: [
      { client_id: 'stoa', redirect_uris: [`${site.url}/answer/api/v1/connector/redirect/${SLUG}`], token_endpoint_auth_method: 'none' },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['key of the test'] },
    findAccount: (_, name) => ({
      accountId: name,
      claims: () => ({ sub: name, name: `Name of ${name}`, email: `${name}@oidc.example`, email_verified: true }),
    }),
  })
  const handle = real.callback()
}

beforeAll(async () => {
  if (pictures) mkdirSync(pictures, { recursive: true })
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN', outgoing: ['127.0.0.0/8', '::1'] })])
  await startProvider()
  await site.switch(SLUG, true)
})
afterAll(async () => {
  await browser?.close()
  provider?.closeAllConnections()
  provider?.close()
  await site?.close()
})

const open = async (options: ReaderOptions) => openTab(await openReader(browser, site, options))
const looksGood = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  expect(await objections(page), name).toEqual([])
  expect(await tooWide(page), name).toEqual([])
  expect(await untranslated(page), name).toEqual([])
}

describe('the settings of a login', () => {
  it.each(looks)('are tried in place, and what does not work is saved only by whoever insists, $width wide', async (look) => {
    const { page } = await open({ person: await site.admin(), ...look })
    const say = (zh: string, en: string) => (look.language === 'zh_CN' ? zh : en)
    await visit(page, `/admin/${SLUG}`)
    await page.getByLabel(say('服务地址', 'Address of the provider')).first().fill(`${issuer}/nowhere`)
    await page.getByLabel(say('客户端 ID', 'Client ID')).first().fill('stoa')
    const test = page.getByRole('button', { name: say('测试连接', 'Test connection') })
    await test.click()
    await page.getByText(say('该地址没有 OpenID Connect 服务响应', 'No OpenID Connect provider answers')).first().waitFor()
    await test.scrollIntoViewIfNeeded()
    await looksGood(page, `test-fails-${look.width}`)
    await page.getByRole('button', { name: say('保存', 'Save'), exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(say('仍要保存无法工作的设置吗', 'Save what does not work')).waitFor()
    await looksGood(page, `test-insist-${look.width}`)
    await dialog.getByRole('button', { name: say('取消', 'Cancel') }).click()
    await page.getByLabel(say('服务地址', 'Address of the provider')).first().fill(issuer)
    await test.click()
    await page.getByText(say('连接正常', 'It works')).waitFor()
    await looksGood(page, `test-works-${look.width}`)
    await page.context().close()
  })
})

describe('a login at another site', () => {
  it('comes back by a form of that site, which a browser sends without cookies', async () => {
    const config_fields = { label: 'Staff', issuer, client_id: 'stoa' }
    const saved = await (await site.admin()).put('/answer/admin/api/plugin/config', { plugin_slug_name: SLUG, config_fields })
    expect(saved.status).toBe(200)
    const { page } = await open({ language: 'en_US' })
    const posts: (string | undefined)[] = []
    page.on('request', async (request) => {
      if (request.method() === 'POST' && request.url().includes('/connector/redirect/')) posts.push((await request.allHeaders()).cookie)
    })
    await visit(page, '/users/login?next=%2Ftags')
    await page.getByRole('link', { name: 'Continue with Staff' }).click()
    await page.locator('[name=login]').fill('ana')
    await page.locator('[name=password]').fill('x')
    await page.locator('button[type=submit]').click()
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    await page.locator('button[type=submit]').click()
    await page.waitForURL(`${site.url}/tags`)
    expect(posts).toEqual([undefined])
    expect((await page.context().cookies(site.url)).map(({ name }) => name)).toContain('stoa_session')
    await page.context().close()
  })

  it.each(looks)('begins where a link of another site leads with a press of the button, $width wide', async (look) => {
    const { page } = await open(look)
    await page.route('http://localhost/elsewhere', (to) =>
      to.fulfill({ contentType: 'text/html', body: `<a href="${site.url}/answer/api/v1/connector/login/${SLUG}">go</a>` }),
    )
    await page.goto('http://localhost/elsewhere')
    await page.getByRole('link', { name: 'go' }).click()
    await page.waitForURL(/\/users\/login\?refused=elsewhere/)
    await looksGood(page, `login-elsewhere-${look.width}`)
    await page.getByRole('link', { name: look.language === 'zh_CN' ? '使用 Staff' : 'Continue with Staff' }).click()
    await page.locator('[name=login]').waitFor()
    await page.context().close()
  })
})

describe('a user centre', () => {
  it.each(looks)('has pages that say where it leads, and that it does not, $width wide', async (look) => {
    const { page } = await open(look)
    for (const path of ['/user-center/auth', '/user-center/auth-failed']) {
      await visit(page, path)
      await looksGood(page, `${path.split('/').pop()}-${look.width}`)
    }
    await page.context().close()
  })
})
