import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide, untranslated } from './look.ts'
import { isLive, openReader, openTab, visit } from './tab.ts'

const ADMIN = '/answer/admin/api'
const PASSWORD = 'correct horse 7'
const pictures = process.env.STOA_PICTURES

const words = {
  zh_CN: {
    email: '邮箱',
    password: '密码',
    present: '当前密码',
    logIn: '登录',
    second: '第二步验证',
    code: '验证码',
    go: '继续进行第二步验证',
    twoStep: '两步登录',
    setUp: '设置',
    appCode: '应用中的验证码',
    turnOn: '启用',
    download: '下载',
    saved: '我已保存',
    renew: '更换恢复码',
    replace: '更换',
    left: '还剩 10 个恢复码',
    confirm: '确认',
    confirmTitle: '确认是你本人',
    add: '添加通行密钥',
    next: '继续',
    added: '已添加通行密钥。',
    byPasskey: '使用通行密钥登录',
    passkey: '通行密钥',
    wrong: '输入有误，或已被使用过。',
    over: '没有待完成的登录',
  },
  en_US: {
    email: 'Email',
    password: 'Password',
    present: 'Current password',
    logIn: 'Log in',
    second: 'Second step',
    code: 'Code',
    go: 'Continue with the second step',
    twoStep: 'Two-step login',
    setUp: 'Set up',
    appCode: 'Code from the app',
    turnOn: 'Turn on',
    download: 'Download',
    saved: 'I have saved them',
    renew: 'New recovery codes',
    replace: 'Replace the codes',
    left: '10 recovery codes left',
    confirm: 'Confirm',
    confirmTitle: 'Confirm it is you',
    add: 'Add a passkey',
    next: 'Continue',
    added: 'The passkey was added.',
    byPasskey: 'Log in with a passkey',
    passkey: 'Passkey',
    wrong: 'This is not correct, or it has been used already.',
    over: 'There is no login to finish',
  },
}

let browser: Browser
/** The site under a name: passkeys belong to none that is a number. */
let site: Site
let ahead = 0
beforeAll(async () => {
  const [launched, started] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
  browser = launched
  site = Object.create(started, { url: { value: started.url.replace('127.0.0.1', 'localhost') } })
  for (const slug of ['two-factor', 'passkeys']) await site.switch(slug, true)
  const admin = await site.admin()
  await admin.put(`${ADMIN}/siteinfo/general`, { name: 'Test', site_url: new URL(site.url).origin, contact_email: 'admin@example.org' })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const pass = (seconds: number) => {
  ahead += seconds
  site.advance(seconds)
}
const codeOf = (secret: string) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + ahead * 1000 })

describe.each([
  { width: 1280, scheme: 'light', language: 'zh_CN' },
  { width: 390, scheme: 'dark', language: 'en_US' },
] as const)('logging in with more than a password, $width px wide, $language', ({ width, scheme, language }) => {
  const say = words[language]
  const name = `ana${width}`
  let context: BrowserContext
  let page: Page
  let complaints: () => string[]
  let secret = ''
  let codes: string[] = []

  beforeAll(async () => {
    await site.member(name)
    context = await openReader(browser, site, { width, scheme, language })
    const tab = await openTab(context)
    page = tab.page
    complaints = tab.complaints
    // A device of the kind that asks for a finger, and is given one.
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
    await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
    })
  })
  afterAll(() => context?.close())

  const main = () => page.getByRole('main')
  const dialog = () => page.getByRole('dialog')
  async function looksRight(what: string): Promise<void> {
    if (pictures && existsSync(pictures)) await page.screenshot({ path: `${pictures}/${what}-${width}.png`, fullPage: true })
    expect(await objections(page)).toEqual([])
    expect(await tooWide(page)).toEqual([])
    expect(await untranslated(page)).toEqual([])
  }
  async function givePassword(): Promise<void> {
    await visit(page, '/users/login')
    await main().getByLabel(say.email).fill(`${name}@example.org`)
    await main().getByLabel(say.password, { exact: false }).first().fill(PASSWORD)
    await main().getByRole('button', { name: say.logIn, exact: true }).click()
  }
  async function logOut(): Promise<void> {
    await page.goto('/users/logout')
    await page.waitForURL((url) => url.pathname === '/')
    await isLive(page)
  }
  const isIn = () => page.locator('header [data-known]').getByText(name).or(page.getByRole('button', { name })).first().waitFor()

  it('one sets up an app, after proving who one is, and keeps the recovery codes', async () => {
    await givePassword()
    await page.waitForURL((url) => url.pathname === '/')
    pass(601)
    await visit(page, '/users/settings/account')
    const section = page.getByRole('region', { name: say.twoStep })
    await section.getByRole('button', { name: say.setUp }).click()
    await dialog().getByRole('heading', { name: say.confirmTitle }).waitFor()
    await looksRight('confirm')
    await dialog().getByLabel(say.present).fill('Wrong12345')
    await dialog().getByRole('button', { name: say.confirm, exact: true }).click()
    await dialog().getByText(say.wrong).waitFor()
    await dialog().getByLabel(say.present).fill(PASSWORD)
    await dialog().getByRole('button', { name: say.confirm, exact: true }).click()
    secret = (await section.locator('code').textContent())?.replaceAll(' ', '') ?? ''
    await looksRight('set-up')
    await section.getByLabel(say.appCode).fill('000000')
    await section.getByRole('button', { name: say.turnOn }).click()
    await section.locator('[aria-invalid]').waitFor()
    await section.getByLabel(say.appCode).fill(codeOf(secret))
    await section.getByRole('button', { name: say.turnOn }).click()
    await section.getByText(say.left).waitFor()
    codes = await section.locator('li code').allTextContents()
    expect(codes).toHaveLength(10)
    await looksRight('codes')
    const [download] = await Promise.all([page.waitForEvent('download'), section.getByRole('button', { name: say.download }).click()])
    expect(await readFile(await download.path(), 'utf8')).toContain(codes.join('\r\n'))
    await section.getByRole('button', { name: say.saved }).click()
    expect(await section.locator('li code').count()).toBe(0)
    complaints()
  })

  it('one adds a passkey', async () => {
    const section = page.getByRole('region', { name: say.passkey })
    await section.getByRole('button', { name: say.add }).click()
    await section.getByRole('button', { name: say.next }).click()
    await page.getByText(say.added).waitFor()
    await looksRight('settings')
    expect(complaints()).toEqual([])
  })

  it('the password alone leads to the second step, and a code of the app in', async () => {
    pass(60)
    await logOut()
    await visit(page, '/users/login')
    await looksRight('login')
    await givePassword()
    await page.getByRole('heading', { level: 1, name: say.second }).waitFor()
    await main().getByRole('button', { name: say.passkey }).waitFor()
    await looksRight('second-step')
    await main().getByLabel(say.code).fill('000000')
    await main().getByRole('button', { name: say.logIn, exact: true }).click()
    await main().getByText(say.wrong).waitFor()
    await main().getByLabel(say.code).fill(codeOf(secret))
    await main().getByRole('button', { name: say.logIn, exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await isIn()
    await logOut()
    await visit(page, '/users/login/second-step')
    await main().getByText(say.over).waitFor()
    complaints()
  })

  it('a passkey lets in by itself, to the page one came for, and confirms what is delicate', async () => {
    await visit(page, '/users/login?next=%2Fusers%2Fsettings%2Faccount')
    await main().getByRole('button', { name: say.byPasskey }).click()
    await page.waitForURL((url) => url.pathname === '/users/settings/account')
    await isLive(page)
    pass(601)
    const section = page.getByRole('region', { name: say.twoStep })
    await section.getByRole('button', { name: say.renew }).click()
    await dialog().getByRole('button', { name: say.replace }).click()
    await dialog().getByRole('heading', { name: say.confirmTitle }).waitFor()
    await looksRight('confirm-step')
    await dialog().getByRole('button', { name: say.passkey }).click()
    await section.locator('li code').first().waitFor()
    codes = await section.locator('li code').allTextContents()
    await logOut()
  })

  it('without JavaScript the form leads to the second step, and a recovery code in', async () => {
    const plain = await openReader(browser, site, { width, scheme, language, javaScriptEnabled: false })
    const sheet = await plain.newPage()
    await sheet.goto('/users/login')
    expect(await sheet.getByRole('button', { name: say.byPasskey }).isVisible()).toBe(false)
    await sheet.getByRole('main').getByLabel(say.email).fill(`${name}@example.org`)
    await sheet.getByRole('main').getByLabel(say.password, { exact: false }).first().fill(PASSWORD)
    await sheet.getByRole('main').getByRole('button', { name: say.logIn, exact: true }).click()
    await sheet.getByRole('link', { name: say.go }).click()
    for (const [code, leadsIn] of [
      ['aaaaa-aaaaa', false],
      [codes[1] as string, true],
    ] as const) {
      await sheet.getByLabel(say.code).fill(code)
      await sheet.getByRole('main').getByRole('button', { name: say.logIn, exact: true }).click()
      if (!leadsIn) await sheet.getByText(say.wrong).first().waitFor()
    }
    await sheet.waitForURL((url) => url.pathname === '/')
    expect((await plain.cookies()).some((cookie) => cookie.name === 'stoa_session')).toBe(true)
    await plain.close()
  })
})

it('a second step that nobody waits for is said in the page that is there', async () => {
  const context = await openReader(browser, site, { language: 'zh_CN', scheme: 'light', width: 1280 })
  const page = await context.newPage()
  await page.addInitScript(`
    new MutationObserver(() => {
      if (document.querySelector('main [data-bone]')) window.hasBlinked = true
    }).observe(document, { childList: true, subtree: true })
  `)
  await visit(page, '/users/login/second-step')
  await page.getByText(words.zh_CN.over).waitFor()
  expect(await page.evaluate('window.hasBlinked')).toBeUndefined()
  await context.close()
})
