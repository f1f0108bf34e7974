import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Locator, Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'
import { tooWide } from './look.ts'
import type { Tab } from './tab.ts'
import { deviceOf, openReader, openTab, visit } from './tab.ts'

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
  const opened = tabs.get(name) ?? openReader(browser, site, { ...deviceOf(390), ...(person && { person }) }).then(openTab)
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

  it('a post with many actions is no wider for it, and its dialogs stand wholly on the screen', async () => {
    const { page } = await phoneOf(story.admin)
    const ben = await site.member('ben')
    for (const emoji of ['heart', 'smile', 'frown'])
      await ben.put('/answer/api/v1/meta/reaction', { object_id: story.experience.id, emoji, reaction: 'activate' })
    await visit(page, `/experiences/${story.experience.id}`)
    await page.getByRole('main').locator('button[value="frown"]').first().waitFor()
    expect(await tooWide(page)).toEqual([])
    // What may be done with a post and with its answers is all in sight, and nothing stands upon something else.
    const articles = page.getByRole('article')
    await articles.first().getByRole('button', { name: '更多操作' }).waitFor()
    await articles.last().getByRole('link', { name: '历史' }).waitFor()
    const wrong = await articles.evaluateAll((all) =>
      all.flatMap((article) => {
        const seen = [...article.querySelectorAll('button')].filter((one) => one.checkVisibility({ visibilityProperty: true }))
        const boxes = seen.map((one) => ({ name: one.ariaLabel ?? one.textContent, ...one.getBoundingClientRect().toJSON() }))
        const isCut = (parent: Element): boolean =>
          parent !== article && (parent.scrollWidth > parent.clientWidth + 1 || isCut(parent.parentElement as Element))
        const cut = seen.filter((one) => isCut(one.parentElement as Element)).map((one) => one.textContent)
        const isOver = (a: DOMRect, b: DOMRect) => a.right > b.x + 1 && b.right > a.x + 1 && a.bottom > b.y + 1 && b.bottom > a.y + 1
        return [...cut, ...boxes.filter((a, at) => a.x < 0 || a.right > 390 || boxes.slice(at + 1).some((b) => isOver(a, b)))]
      }),
    )
    expect(wrong).toEqual([])
    await page.getByRole('main').getByRole('button', { name: '邀请' }).first().tap()
    const box = await page.getByRole('dialog').boundingBox()
    expect([box?.x, box?.width].map(Number).reduce((sum, part) => sum + part, 0)).toBeLessThanOrEqual(390)
    await page.keyboard.press('Escape')
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

  it('the menu keeps the focus while it is open and gives it back', async () => {
    const { page } = await phoneOf(undefined)
    await visit(page, '/')
    const menu = page.getByRole('button', { name: '打开导航' })
    const links = page.getByRole('navigation', { name: '主导航' }).getByRole('link')
    const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement)
    await menu.press('Enter')
    await expect.poll(() => isFocused(links.first())).toBe(true)
    await page.keyboard.press('Shift+Tab')
    expect(await isFocused(links.last())).toBe(true)
    await page.keyboard.press('Tab')
    expect(await isFocused(links.first())).toBe(true)
    await page.keyboard.press('Escape')
    await expect.poll(() => isFocused(menu)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused(links.first())).toBe(true)
    await page.touchscreen.tap(380, 400)
    await expect.poll(() => isFocused(menu)).toBe(true)
  })

  it.each([
    ['the magnifier', (page: Page) => page.getByRole('link', { name: '搜索' }).tap()],
    ['its key', (page: Page) => page.keyboard.press('/')],
  ])('%s leads into the field of the search', async (_, press) => {
    const { page, complaints } = await phoneOf(undefined)
    await visit(page, '/tags')
    complaints()
    const field = page.getByRole('main').getByRole('searchbox')
    const isFocused = () => field.evaluate((element) => element === document.activeElement)
    await press(page)
    await page.getByRole('heading', { level: 1, name: '搜索' }).waitFor()
    await expect.poll(isFocused).toBe(true)
    // From what was found, too.
    await page.keyboard.type(story.experience.word)
    await page.keyboard.press('Enter')
    await page.getByRole('main').getByRole('link', { name: story.experience.word }).first().waitFor()
    await field.evaluate((element) => (element as HTMLElement).blur())
    await press(page)
    await expect.poll(isFocused).toBe(true)
    expect(complaints()).toEqual([])
  })

  it('a post has the width: its author stands at its head, its vote below its text, its table scrolls, nothing covers its code', async () => {
    const picture = async (width: number, height: number): Promise<string> => {
      const file = await sharp({ create: { width, height, channels: 3, background: '#39f' } })
        .png()
        .toBuffer()
      const given = new File([new Uint8Array(file)], 'picture.png')
      return new URL((await story.admin.upload<string>('/answer/api/v1/file', given, { source: 'post' })).data).pathname
    }
    const pictures = `![](${await picture(80, 60)})\n\n![长图](${await picture(300, 6000)})\n\n![](${await picture(1, 1)})`
    const table = `| ${'名称 | 说明 | 价格 | 时间 | 地点 | '.repeat(2)}\n|${'--:|'.repeat(10)}\n| ${'青旅里的一天 | '.repeat(10)}`
    const content = `# 里面的标题\n\n*强调*[^1]\n\n${table}\n\n\`\`\`js\nconst night = 1\n\`\`\`\n\n${pictures}\n\n${'很长的一段。\n\n'.repeat(60)}\n\n[^1]: 注`
    const tags = [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }]
    const { id } = (await story.admin.post<{ id: string }>('/answer/api/v1/experience', { title: '手机上的一篇', content, tags })).data
    const { page } = await phoneOf(undefined)
    await visit(page, `/experiences/${id}`)
    const post = page.getByRole('article').first()
    const box = async (what: Locator) => (await what.boundingBox()) as { x: number; y: number; width: number; height: number }
    const [text, vote, author] = await Promise.all([
      box(post.locator('p', { hasText: '强调' }).last()),
      box(post.getByRole('group', { name: '投票' })),
      box(post.getByRole('link', { name: 'admin' }).first()),
    ])
    expect(text.width).toBeGreaterThan(350)
    expect(author.y).toBeLessThan(text.y)
    expect(vote.y).toBeGreaterThan(text.y)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await post.locator('table').evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true)
    expect((await box(post.getByRole('cell').first())).height).toBeLessThan(80)
    expect(await post.locator('em').evaluate((one) => getComputedStyle(one).fontStyle)).toBe('normal')
    expect(await post.locator('.footnotes ol').evaluate((one) => getComputedStyle(one).listStyleType)).toBe('decimal')
    const copy = await box(post.getByRole('button', { name: '复制', exact: true }))
    expect(copy.height).toBeGreaterThanOrEqual(40)
    expect(copy.y + copy.height).toBeLessThanOrEqual((await box(post.locator('pre code'))).y)
    expect(await tooWide(page)).toEqual([])
    expect(await post.getByRole('link', { name: '本节链接： 里面的标题' }).getAttribute('href')).toBe('#h-里面的标题')

    expect(await post.getByRole('button', { name: /^查看大图/ }).count()).toBe(2)
    for (const [name, width] of [
      ['查看大图', 80],
      ['查看大图 长图', 300],
    ] as const) {
      await post.getByRole('button', { name, exact: true }).tap()
      const dialog = page.getByRole('dialog')
      await expect.poll(async () => (await box(dialog.locator('img'))).width).toBe(width)
      // A long one is pushed along, from its beginning.
      expect((await box(dialog.locator('img'))).y).toBeGreaterThanOrEqual(0)
      await dialog.getByRole('button', { name: '关闭' }).tap()
      await dialog.waitFor({ state: 'detached' })
    }

    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    await page.getByRole('button', { name: '回到顶部' }).tap()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)

    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('banner').isVisible()).toBe(false)
    expect((await box(post.locator('p', { hasText: '强调' }).last())).width).toBeGreaterThan(350)
    await page.emulateMedia({ media: null })
  })

  it('one writes, looks at the preview and sends', async () => {
    const { page, complaints } = await phoneOf(story.admin)
    await visit(page, '/')
    await page.getByRole('link', { name: '写一篇' }).tap()
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
