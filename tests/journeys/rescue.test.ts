import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide } from './look.ts'
import { openReader } from './tab.ts'

const PASSWORD = 'correct horse 7'
const words = {
  zh_CN: {
    login: '邮箱',
    password: '密码',
    signIn: '登录',
    wrong: '邮箱或密码错误',
    off: '关闭',
    also: '同时关闭',
    cancel: '取消',
    enter: '启用安全模式',
    isOn: '安全模式已启用',
    leave: '关闭安全模式',
    expired: '表单已过期',
    signOut: '退出登录',
  },
  en_US: {
    login: 'E-mail address',
    password: 'Password',
    signIn: 'Sign in',
    wrong: 'The address or the password is wrong',
    off: 'Switch off',
    also: 'Also goes off',
    cancel: 'Cancel',
    enter: 'Switch safe mode on',
    isOn: 'Safe mode is on',
    leave: 'Switch safe mode off',
    expired: 'The form was too old',
    signOut: 'Sign out',
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

/** In both schemes: colours are all that differs. */
async function looksRight(page: Page): Promise<void> {
  expect(await objections(page)).toEqual([])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await objections(page, 'color-contrast')).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
  expect(await tooWide(page)).toEqual([])
}

describe.each([
  ['zh_CN', 390],
  ['en_US', 1280],
] as const)('/rescue in %s, %i wide', (language, width) => {
  it('lets an admin in, shows, asks, refuses and leaves, and reads well in every state', async () => {
    const say = words[language]
    // The checks of axe run beside the page's own policy, which allows no script at all.
    const context = await openReader(browser, site, { language, width, bypassCSP: true })
    const page = await context.newPage()
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const fill = async (password: string) => {
      await page.getByLabel(say.login).fill('admin@example.org')
      await page.getByLabel(say.password).fill(password)
      await press(say.signIn)
    }
    await page.goto('/rescue')
    await looksRight(page)
    await fill('wrong horse 7')
    await page.getByRole('alert').filter({ hasText: say.wrong }).waitFor()
    await looksRight(page)
    await fill(PASSWORD)
    const item = page.locator('[data-plugin="experiences"]')
    await item.waitFor()
    await looksRight(page)

    await item.getByRole('button', { name: say.off }).click()
    await page.getByText(say.also).waitFor()
    await looksRight(page)
    await page.getByRole('link', { name: say.cancel }).click()

    await press(say.enter)
    await page.getByText(say.isOn).waitFor()
    await looksRight(page)
    await press(say.leave)
    await page.getByRole('button', { name: say.enter }).waitFor()

    await item
      .locator('input[name="csrf"]')
      .first()
      .evaluate((field: HTMLInputElement) => {
        field.value = 'old'
      })
    await item.getByRole('button', { name: say.off }).click()
    await page.getByRole('alert').filter({ hasText: say.expired }).waitFor()
    await looksRight(page)
    await press(say.signOut)
    await page.getByLabel(say.login).waitFor()
    await context.close()
  })
})
