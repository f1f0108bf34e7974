import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Kit } from './open-kit.ts'
import { openKit } from './open-kit.ts'

let kit: Kit
beforeAll(async () => {
  kit = await openKit()
})
afterAll(() => kit?.close())

/** Name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")

describe('the kit', () => {
  it('is taken over by the browser as the server sent it', async () => {
    const page = await kit.open()
    expect(await page.evaluate('window.faults')).toEqual([])
  })

  it('writes no style attributes', async () => {
    const page = await kit.open({ javaScript: false })
    expect(await page.locator('[style]').count()).toBe(0)
  })

  it.each([
    ['zh_CN', 'Posted 刚刚', '3小时前'],
    ['en_US', 'Posted just now', '3 hours ago'],
  ])('says times as people do: %s', async (language, now, before) => {
    const page = await kit.open({ language, javaScript: false })
    expect(await page.locator('time').allTextContents()).toEqual([before, now])
  })

  it.each([
    ['light', 'zh_CN', 1280],
    ['dark', 'en_US', 1280],
    ['dark', 'zh_CN', 390],
  ])('has nothing that axe objects to: %s, %s, %i wide', async (scheme, language, width) => {
    const page = await kit.open({ scheme, language, width })
    await page.getByRole('button', { name: 'Fail' }).click()
    const { violations } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

describe('a save bar', () => {
  it('counts the changes, unless there is an error to tell', async () => {
    const page = await kit.open({ javaScript: false })
    expect(await page.getByRole('region', { name: 'Unsaved changes' }).getByRole('status').textContent()).toBe('2 changes')
  })
})

describe('a menu', () => {
  it('opens on its first or last entry, and goes round', async () => {
    const page = await kit.open()
    await page.getByRole('button', { name: 'Actions' }).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => focused(page)).toBe('Edit')
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe('Delete')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => focused(page)).toBe('Delete')
    await page.keyboard.press('Home')
    expect(await focused(page)).toBe('Edit')
    await page.keyboard.press('r')
    expect(await focused(page)).toBe('Report')
  })

  it('gives the focus back on Esc and says that it is closed', async () => {
    const page = await kit.open()
    const button = page.getByRole('button', { name: 'Actions' })
    await button.press('Enter')
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('true')
    await page.keyboard.press('Escape')
    await expect.poll(() => button.getAttribute('aria-expanded')).toBe('false')
    expect(await focused(page)).toBe('Actions')
  })

  it('does what is chosen, and nothing for a disabled entry', async () => {
    const page = await kit.open()
    await page.getByRole('button', { name: 'Actions' }).click()
    // Where it is going to stay: a forced click waits for nothing, and one that is tried again scrolls the page below the menu; beside it, it closes it.
    await page.getByRole('menu').evaluate((menu) => Promise.all(menu.getAnimations().map(({ finished }) => finished)))
    await page.getByRole('menuitem', { name: 'Report' }).click({ force: true })
    expect(await page.locator('output').first().textContent()).toBe('nothing')
    await page.getByRole('menuitem', { name: 'Close' }).click()
    expect(await page.locator('output').first().textContent()).toBe('closed')
    expect(await page.getByRole('menu').count()).toBe(0)
  })
})

describe('a dialog', () => {
  it('takes the focus to its first field and gives it back', async () => {
    const page = await kit.open()
    await page.getByRole('button', { name: 'Open dialog' }).press('Enter')
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT')
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('Open dialog')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('that asks about something dangerous starts on the way back', async () => {
    const page = await kit.open()
    await page.getByRole('button', { name: 'Ask' }).click()
    await expect.poll(() => focused(page)).toBe('Cancel')
    await page.getByRole('button', { name: 'Delete now' }).click()
    expect(await page.locator('output').first().textContent()).toBe('deleted')
  })

  it('gives the focus back also when it goes as a whole', async () => {
    const page = await kit.open()
    await page.getByRole('button', { name: 'In passing' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focused(page)).toBe('In passing')
  })

  it('closes by a press beside it, but not while something is written in it', async () => {
    const page = await kit.open()
    await page.getByRole('button', { name: 'Open dialog' }).click()
    const inside = page.getByRole('dialog').getByRole('textbox')
    await inside.fill('A reason')
    await page.mouse.click(10, 10)
    expect(await inside.inputValue()).toBe('A reason')
    await inside.fill('')
    await page.mouse.click(10, 10)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

describe('smaller parts', () => {
  it('tabs follow the arrows', async () => {
    const page = await kit.open()
    await page.getByRole('tab', { name: 'Tab one' }).focus()
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toBe('Tab three')
    expect(await page.getByRole('tabpanel').textContent()).toBe('Panel three')
  })

  it('a busy button ignores presses and keeps the focus', async () => {
    const page = await kit.open()
    const button = page.getByRole('button', { name: 'Busy' })
    await button.press('Enter')
    expect(await page.locator('output').first().textContent()).toBe('nothing')
    expect(await focused(page)).toBe('Busy')
  })

  it('links to other pages of a list keep the rest of the query', async () => {
    const page = await kit.open()
    const link = (name: string) => page.getByRole('link', { name, exact: true }).getAttribute('href')
    expect(await link('Page 4')).toBe('/list?order=hot&page=4')
    expect(await link('Page 1')).toBe('/list?order=hot')
  })

  it('a time is a distance from the HTML on, so that nothing moves when the page lives; its date is at hand', async () => {
    const date = new Intl.DateTimeFormat('zh-CN', { dateStyle: 'medium', timeZone: 'Asia/Shanghai' }).format(kit.at * 1000)
    for (const javaScript of [false, true]) {
      const time = (await kit.open({ javaScript, language: 'zh_CN' })).locator('time').first()
      expect(await time.textContent()).toBe('3小时前')
      expect(await time.getAttribute('title')).toContain(date)
    }
  })

  it('a broken picture becomes a letter', async () => {
    const page = await kit.open()
    const picture = page.getByRole('img', { name: 'Ada' })
    await picture.scrollIntoViewIfNeeded()
    await expect.poll(() => picture.textContent()).toBe('A')
  })

  it('a schema becomes named fields, whose values come back as the protocol has them', async () => {
    const page = await kit.open()
    await page.getByLabel('Endpoint').fill('https://example.com')
    await page.getByLabel('Mode').selectOption('a')
    await page.getByLabel('Red').check()
    await page.getByLabel('Y', { exact: true }).check()
    await page.getByLabel('Live').uncheck()
    await page.getByLabel('Topics').fill('node, 经验')
    await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('x') })
    await page.locator('img[src="/uploads/logo.png"]').waitFor()
    expect(JSON.parse((await page.locator('output').nth(1).textContent()) ?? '')).toEqual({
      endpoint: 'https://example.com',
      mode: 'a',
      pick: 'red',
      kinds: ['x', 'y'],
      live: false,
      tags: [
        { slug_name: 'node', tag_id: '7' },
        { slug_name: '经验', display_name: '经验' },
      ],
      logo: '/uploads/logo.png',
    })
    expect(await page.getByLabel('Endpoint').getAttribute('aria-invalid')).toBe('true')
  })
})
