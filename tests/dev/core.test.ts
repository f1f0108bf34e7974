import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import type { CheckoutCopy } from '../support/checkout-copy.ts'
import { copyCheckout } from '../support/checkout-copy.ts'
import type { DevProcess } from '../support/dev-process.ts'
import { startDev } from '../support/dev-process.ts'
import { taken } from '../weight/first-view.ts'

describe('developing the core', { timeout: 180_000 }, () => {
  let copy: CheckoutCopy
  let dev: DevProcess
  let browser: Browser
  let page: Page
  const footer = () => page.getByRole('contentinfo')
  const document = async () => (await fetch(dev.url)).text()

  /** Changes a file of the copy as an editor does. */
  function edit(file: string, from: string, to: string): void {
    const path = join(copy.folder, file)
    const text = readFileSync(path, 'utf8')
    if (!text.includes(from)) throw new Error(`${file} does not contain ${from}`)
    writeFileSync(path, text.replace(from, to))
  }

  beforeAll(async () => {
    copy = copyCheckout()
    ;[dev, browser] = await Promise.all([startDev(copy), launchBrowser()])
    page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(dev.url)
    await taken(page)
  }, 240_000)
  afterAll(async () => {
    await browser?.close()
    dev?.stop()
    copy?.remove()
  })

  it('loads open pages anew with what was edited, and renders documents with it', async () => {
    edit('core/frame/footer.tsx', '{name}</span>', '{name} and friends</span>')
    await footer().getByText('Stoa and friends').waitFor()
    expect(await document()).toContain('and friends')
    expect(dev.printed()).toMatch(/core: built in \d+ ms/)
  })

  it('keeps the version before while a file is broken, says where, and goes on when it is mended', async () => {
    await taken(page)
    edit('core/frame/footer.tsx', ' and friends</span>', ' and friends</spa')
    const alert = page.locator('#stoa-dev[role=alert]')
    await alert.filter({ hasText: 'core is not built' }).waitFor()
    expect(await alert.textContent()).toContain('frame/footer.tsx')
    expect(await document()).toContain('and friends')
    await page.reload()
    await footer().getByText('Stoa and friends').waitFor()
    await taken(page)
    edit('core/frame/footer.tsx', ' and friends</spa', ' and friends</span>')
    await expect.poll(() => dev.printed().match(/core: built in/g)?.length, { timeout: 60_000 }).toBe(2)
    expect(await document()).toContain('and friends')
  })
})
