import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { taken } from '../weight/first-view.ts'
import type { Workshop } from './workshop.ts'
import { openWorkshop } from './workshop.ts'

describe('developing a plugin', () => {
  let workshop: Workshop
  let browser: Browser
  let page: Page
  let origin = 0
  const timeOrigin = () => page.evaluate(() => performance.timeOrigin)
  const shows = (text: string) => page.getByText(text, { exact: true }).waitFor()

  beforeAll(async () => {
    ;[workshop, browser] = await Promise.all([openWorkshop(), launchBrowser()])
    page = await (await browser.newContext({ locale: 'en-US' })).newPage()
    await page.goto(`${workshop.site.kernel.url}/workbench`)
    await taken(page)
    await page.getByRole('button', { name: 'Pressed 0 times' }).click()
    await page.getByRole('button', { name: 'Pressed 1 times' }).click()
    await shows('Pressed 2 times')
    origin = await timeOrigin()
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    await workshop?.close()
  })

  it('shows an edited component in the open page, with its state', async () => {
    workshop.edit('web/page.tsx', 'First caption', 'Second caption')
    await shows('Second caption')
    await shows('Pressed 2 times')
    workshop.edit('web/page.tsx', 'Second caption', 'Third caption')
    await shows('Third caption')
    await shows('Pressed 2 times')
    expect(await timeOrigin()).toBe(origin)
  })

  it('answers calls with edited server code, without a restart', async () => {
    workshop.edit('server/index.ts', "word: 'hello'", "word: 'goodbye'")
    await shows('The server says goodbye')
    const reply = await fetch(`${workshop.site.kernel.url}/workbench/word`)
    expect(((await reply.json()) as { data: unknown }).data).toEqual({ word: 'goodbye' })
    await shows('Pressed 2 times')
  })

  it('takes over texts, styles and the manifest', async () => {
    workshop.edit('locales/en_US.json', 'Good morning', 'Good evening')
    await shows('Good evening')
    workshop.edit('web/page.module.css', 'rgb(1, 2, 3)', 'rgb(4, 5, 6)')
    const color = () => page.locator('h1').evaluate((element) => getComputedStyle(element).color)
    await expect.poll(color, { timeout: 30_000 }).toBe('rgb(4, 5, 6)')
    workshop.edit('plugin.json', '"path":"/workbench"', '"path":"/workshop"')
    await expect.poll(async () => (await fetch(`${workshop.site.kernel.url}/workshop`)).status, { timeout: 30_000 }).toBe(200)
    workshop.edit('plugin.json', '"path":"/workshop"', '"path":"/workbench"')
    await expect.poll(async () => (await fetch(`${workshop.site.kernel.url}/workbench`)).status, { timeout: 30_000 }).toBe(200)
    expect(await timeOrigin()).toBe(origin)
  })

  it('keeps the version before while a file is broken, and says where', async () => {
    await shows('Third caption')
    workshop.edit('web/page.tsx', '<h1>Third caption</h1>', '<h1>Third caption</h')
    const alert = page.locator('#stoa-dev[role=alert]')
    await alert.filter({ hasText: /workbench is not built/ }).waitFor()
    expect(await alert.textContent()).toMatch(/web\/page\.tsx:\d+:\d+/)
    expect(workshop.lines.join('\n')).toMatch(/workbench is not built[\s\S]*web\/page\.tsx:\d+:\d+/)
    expect(await page.getByRole('heading', { name: 'Third caption' }).count()).toBe(1)
    workshop.edit('web/page.tsx', '<h1>Third caption</h', '<h1>Fourth caption</h1>')
    await shows('Fourth caption')
    await alert.waitFor({ state: 'detached' })
  })

  it('keeps the version before when server code does not start', async () => {
    workshop.edit('server/index.ts', 'activate: (_, ctx) =>', "activate: (_, ctx) => { if (ctx) throw new Error('not today')\n return")
    workshop.edit('server/index.ts', '    ]),\n})', '    ])},\n})')
    await page.locator('#stoa-dev[role=alert]').filter({ hasText: 'not today' }).waitFor()
    expect((await fetch(`${workshop.site.kernel.url}/workbench/word`)).status).toBe(200)
    expect(await timeOrigin()).toBe(origin)
  })
})
