import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DiscoveredPlugin } from '../../host-server/shared/types.ts'
import { launchBrowser } from '../../tests/support/browser.ts'
import type { TestSite } from './site.ts'
import { fillReplies, startTestSite } from './site.ts'

let site: TestSite
let reader: DiscoveredPlugin
let bad: DiscoveredPlugin
let browser: Browser
let context: BrowserContext
let page: Page

beforeAll(async () => {
  site = await startTestSite()
  reader = await site.build('reader')
  // Throws where it is told to, when it is drawn and when it is clicked.
  bad = await site.build('extra', (_, write) =>
    write(
      'web/hello.tsx',
      `import { useState } from 'react'
       export default function Hello() {
         const [broken, setBroken] = useState(false)
         if (broken) throw new Error('broken in the tab')
         const later = () => setTimeout(() => { throw new Error('broken later') }, 0)
         return <p id="hello"><button id="break" onClick={() => setBroken(true)}>break</button><button id="later" onClick={later}>later</button></p>
       }`,
    ),
  )
  fillReplies(site)
  browser = await launchBrowser()
}, 120_000)
afterAll(async () => {
  await browser.close()
  await site.close()
})
beforeEach(async () => {
  await site.turnOn(reader, bad)
  context = await browser.newContext()
  page = await context.newPage()
  site.calls.length = 0
})
afterEach(() => context.close())

async function open(path: string): Promise<void> {
  await page.goto(site.url + path)
  await page.locator('footer select:enabled').first().waitFor()
}
const reports = () => site.calls.filter((call) => call === 'POST /stoa/faults').length

describe('a contribution', () => {
  it('that throws in the tab leaves its place empty; page and draft stand, and the server hears of it', async () => {
    await open('/')
    await page.fill('#draft', 'half a thought')
    await page.click('#break')
    await page.waitForSelector('#hello', { state: 'detached' })
    expect(await page.inputValue('#draft')).toBe('half a thought')
    await expect.poll(reports).toBe(1)
  })

  it('whose code keeps failing after clicks is left out of this tab, and of no other', async () => {
    await open('/')
    for (let n = 0; n < 3; n++) await page.click('#later')
    await page.waitForSelector('#hello', { state: 'detached' })
    expect(await page.locator('h1').textContent()).toBeTruthy()
    await expect.poll(reports).toBe(3)
    const other = await context.newPage()
    await other.goto(site.url)
    expect(await other.locator('#hello').count()).toBe(1)
  })
})

describe('a file of a plugin', () => {
  it('that is missing is named, and the rest of the site goes on', async () => {
    const complaints: string[] = []
    page.on('console', (message) => void complaints.push(message.text()))
    await open('/')
    await context.route('**/static/js/extra/**/*.js', (route) => route.abort())
    await page.click('a[href="/extra"]')
    await expect.poll(() => page.locator('main').textContent()).toMatch(/static\/js\/extra\/.*missing/)
    await page.click('a[href="/"]')
    await page.waitForSelector('#draft')
    expect(complaints.join('\n')).toContain('extra/web/page.tsx failed')
  })

  it('that was changed on the way is refused', async () => {
    await open('/')
    await context.route('**/static/js/extra/**/*.js', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: `${await response.text()}\nwindow.intruder = true` })
    })
    await page.click('a[href="/extra"]')
    await expect.poll(() => page.locator('main').textContent()).toMatch(/not what was built/)
    expect(await page.evaluate(() => (globalThis as { intruder?: boolean }).intruder)).toBeUndefined()
  })
})
