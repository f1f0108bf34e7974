import type { Site } from '@stoa/sdk/testing'
import { startSite, testPerson } from '@stoa/sdk/testing'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide, untranslated } from './look.ts'
import { openReader, openTab, visit } from './tab.ts'

const API = '/answer/api/v1'
const PASSWORD = 'correct horse 7'

const words = {
  zh_CN: {
    here: '当前设备',
    end: '退出登录',
    endOthers: '退出其他所有设备',
    ended: '已退出登录',
    make: '生成副本',
    load: /^下载（/,
    open: '删除我的账号',
    remove: '一并删除',
    deleted: '账号将在 14 天后删除，在此之前登录即可保留账号。',
    email: '邮箱',
    password: '密码',
    show: '显示字符',
    logIn: '登录',
  },
  en_US: {
    here: 'This device',
    end: 'Log out',
    endOthers: 'Log out everywhere else',
    ended: 'Logged out',
    make: 'Prepare a copy',
    load: /^Download \(/,
    open: 'Delete my account',
    remove: 'Delete it too',
    deleted: 'Your account will be deleted in 14 days. Log in before then to keep it.',
    email: 'Email',
    password: 'Password',
    show: 'Show characters',
    logIn: 'Log in',
  },
}

let browser: Browser
let site: Site
beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

describe.each([
  { width: 1280, scheme: 'light', language: 'zh_CN' },
  { width: 390, scheme: 'dark', language: 'en_US' },
] as const)('one’s own account, $width px wide, $language', ({ width, scheme, language }) => {
  const say = words[language]
  const name = `ana${width}`
  let context: BrowserContext
  let page: Page
  let complaints: () => string[]
  /** Another place where the person is logged in. */
  const elsewhere: string[] = []

  const logsIn = async () =>
    (await site.visitor().post(`${API}/user/login/email`, { e_mail: `${name}@example.org`, pass: PASSWORD })).data.access_token as string

  beforeAll(async () => {
    const { id } = await site.member(name)
    for (let n = 0; n < 2; n++) elsewhere.push(await logsIn())
    const person = testPerson(site.url, { id, name, token: await logsIn() })
    context = await openReader(browser, site, { person, width, scheme, language })
    ;({ page, complaints } = await openTab(context))
  })
  afterAll(() => context?.close())

  const looksRight = async () => {
    expect(await objections(page)).toEqual([])
    expect(await tooWide(page)).toEqual([])
    expect(await untranslated(page)).toEqual([])
    expect(complaints()).toEqual([])
  }

  it('shows where somebody is logged in, and ends it there', async () => {
    await visit(page, '/users/settings/sessions')
    const rows = page.getByRole('listitem').filter({ hasText: /127\.0\.0\.x/ })
    await rows.first().waitFor()
    const count = await rows.count()
    expect(count).toBeGreaterThanOrEqual(3)
    expect(await rows.first().textContent()).toContain(say.here)
    await looksRight()
    await rows.nth(1).getByRole('button', { name: say.end }).click()
    await expect.poll(() => rows.count()).toBe(count - 1)
    await page.getByRole('button', { name: say.endOthers }).click()
    await page.getByRole('dialog').getByRole('button', { name: say.endOthers }).click()
    await expect.poll(() => rows.count()).toBe(1)
    for (const token of elsewhere) expect((await testPerson(site.url, { id: 0, name, token }).get(`${API}/user/info`)).data).toBeNull()
  })

  it('has a copy of one’s data made, and loads it', async () => {
    await visit(page, '/users/settings/privacy')
    await page.getByRole('button', { name: say.make }).click()
    const link = page.getByRole('link', { name: say.load })
    await link.waitFor()
    await looksRight()
    // By the cookie that a login leaves for uploads.
    const login = await page.request.post(`${API}/user/login/email`, { data: { e_mail: `${name}@example.org`, pass: PASSWORD } })
    expect(login.status()).toBe(200)
    // The session from before is over; the page goes on with this one, as it does after its own form.
    const { data } = (await login.json()) as { data: { access_token: string } }
    await page.evaluate((v) => localStorage.setItem('stoa:token', JSON.stringify({ v, until: null })), data.access_token)
    const [loading] = await Promise.all([page.waitForEvent('download'), link.click()])
    expect(loading.suggestedFilename()).toBe('my-data.zip')
    expect(await loading.failure()).toBeNull()
  })

  it('deletes the account, and a login keeps it', async () => {
    await visit(page, '/users/settings/privacy')
    await page.getByRole('button', { name: say.open }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel(say.remove).check()
    await looksRight()
    await dialog.getByRole('button', { name: say.open }).click()
    await page.getByText(say.deleted).waitFor()
    await looksRight()
    expect((await site.mail()).at(-1)?.to).toBe(`${name}@example.org`)

    await visit(page, '/users/login')
    await page.getByLabel(say.email).fill(`${name}@example.org`)
    const password = page.getByLabel(say.password)
    await password.fill(PASSWORD)
    await page.getByRole('button', { name: say.show }).click()
    expect(await password.getAttribute('type')).toBe('text')
    await looksRight()
    await page.getByRole('button', { name: say.logIn, exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/')
    const mails = (await site.mail()).filter(({ to }) => to === `${name}@example.org`)
    expect(mails.map(({ text }) => text).join('\n')).toContain('账号不会被删除')
  })
})
