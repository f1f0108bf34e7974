import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../../../tests/support/browser.ts'

/** A plugin that sends a picture, as somebody else may write one: it draws nothing in browsers. */
const PICTURES = `
module.exports.default = {
  provides: { provider: { kind: 'service', id: 'captcha.provider', cardinality: 'one' } },
  activate: () => ({
    provider: {
      slug: 'pictures',
      create: async () => ({ picture: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="200" height="60"><text x="9" y="40">7ab2</text></svg>', answer: '7ab2' }),
      verify: async (answer, code) => answer === code.toLowerCase(),
    },
  }),
}
`

describe('the dialog of a captcha', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-captcha-'))
  let site: Site
  let browser: Browser

  beforeAll(async () => {
    mkdirSync(join(folder, 'pictures'))
    const manifest = {
      slug: 'pictures',
      version: '1.0.0',
      type: 'captcha',
      sdk: '^1.0.0',
      startsOff: true,
      contracts: { offers: { captcha: { version: '1.0.0', tokens: { service: ['provider'] } } }, uses: {} },
    }
    writeFileSync(join(folder, 'pictures', 'plugin.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'pictures', 'server.cjs'), PICTURES)
    ;[site, browser] = await Promise.all([startSite({ pluginDirs: [folder] }), launchBrowser()])
    await site.member('ana')
    await site.switch('captcha', true)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
    rmSync(folder, { recursive: true })
  })

  async function recover(width: number, locale = 'en-US'): Promise<Page> {
    const context = await browser.newContext({ locale, baseURL: site.url, viewport: { width, height: 800 } })
    const page = await context.newPage()
    await page.goto('/users/account-recovery')
    await page.locator('footer select:enabled').first().waitFor()
    await page.getByLabel('Email').fill('ana@example.org')
    await page.locator('main form button[type=submit]').click()
    return page
  }
  const sent = (page: Page) => page.getByText('ana@example.org', { exact: false }).first().waitFor()

  it('lets the device do the work, and the call goes on by itself', async () => {
    await site.switch('captcha-pow', true)
    const page = await recover(1280)
    await sent(page)
    await expect.poll(async () => (await site.mail()).filter(({ to }) => to === 'ana@example.org').length).toBe(1)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
    await site.switch('captcha-pow', false)
  })

  it('shows a picture, says what is wrong with the code, and has another one', async () => {
    await site.switch('pictures', true)
    const page = await recover(390)
    const dialog = page.getByRole('dialog', { name: 'One moment, please' })
    await dialog.getByRole('img').waitFor()
    expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations.map(({ id }) => id)).toEqual([])
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('Enter the characters.').waitFor()
    await dialog.getByRole('textbox').fill('wrong')
    await page.keyboard.press('Enter')
    await dialog.getByText('This did not match. Please try again.').waitFor()
    await dialog.getByRole('textbox').fill('7AB2')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await sent(page)
    await page.context().close()
  })

  it('leaves what was typed when it is closed, and nothing has happened', async () => {
    const before = (await site.mail()).length
    const page = await recover(1280)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('img').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Email').inputValue()).toBe('ana@example.org')
    expect((await site.mail()).length).toBe(before)
    await page.context().close()
  })
})
