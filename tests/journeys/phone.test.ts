import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'
import { tooWide } from './look.ts'
import type { Tab } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

let browser: Browser
let site: Site
let story: Story
const tabs = new Map<string, Promise<Tab>>()

beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
  story = await tellStory(site)
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

function phoneOf(person: Story['admin'] | undefined): Promise<Tab> {
  const name = person?.name ?? ''
  const opened =
    tabs.get(name) ?? openReader(browser, site, { width: 390, isMobile: true, hasTouch: true, ...(person && { person }) }).then(openTab)
  tabs.set(name, opened)
  return opened
}

describe('on a phone', () => {
  it('text comes before what stands beside it, and nothing stands before the text', async () => {
    const { page } = await phoneOf(undefined)
    await visit(page, `/experiences/${story.experience.id}`)
    const top = (role: 'main' | 'complementary') =>
      page
        .getByRole(role)
        .first()
        .evaluate((element) => element.getBoundingClientRect().top + scrollY)
    expect(await top('main')).toBeLessThan(100)
    expect(await top('complementary')).toBeGreaterThan(await top('main'))
  })

  it('the menu opens over the page, takes one elsewhere and is gone', async () => {
    const { page } = await phoneOf(undefined)
    await visit(page, '/')
    const menu = page.getByRole('button', { name: '打开导航' })
    const tags = page.getByRole('navigation', { name: '主导航' }).getByRole('link', { name: '标签', exact: true })
    expect(await tags.isVisible()).toBe(false)
    await menu.tap()
    await tags.tap()
    await page.getByRole('heading', { level: 1, name: '标签' }).waitFor()
    await tags.waitFor({ state: 'hidden' })
    expect(await menu.getAttribute('aria-expanded')).toBe('false')
    await page.getByRole('link', { name: '搜索' }).tap()
    await page.getByRole('heading', { level: 1, name: '搜索' }).waitFor()
  })

  it('one writes, looks at the preview and sends', async () => {
    const { page, complaints } = await phoneOf(story.admin)
    await visit(page, '/')
    await page.getByRole('link', { name: '发布' }).tap()
    await page.getByRole('textbox', { name: '标题' }).fill('在路上写的经验')
    await page.getByRole('textbox', { name: '正文' }).fill('用手机写的**一段话**。')
    await page.getByRole('tab', { name: '预览' }).tap()
    await page.getByRole('tabpanel').locator('strong').waitFor()
    await page.getByRole('tab', { name: '编辑' }).tap()
    await page.getByRole('combobox', { name: '标签' }).fill('gui')
    await page.getByRole('option', { name: 'Guide' }).tap()
    expect(await tooWide(page)).toEqual([])
    await page.getByRole('button', { name: '发布', exact: true }).tap()
    await page.getByRole('heading', { level: 1, name: '在路上写的经验' }).waitFor()
    expect(await tooWide(page)).toEqual([])
    expect(complaints()).toEqual([])
  })
})
