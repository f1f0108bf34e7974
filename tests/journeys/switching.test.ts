import type { BrowserContext, Locator, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { untranslated } from './look.ts'
import { storySite } from './story-site.ts'
import type { Tab } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const told = storySite()
let owner: Tab
let writer: Tab
let member: BrowserContext

beforeAll(async () => {
  member = await openReader(told.browser, told.site, { person: told.story.admin })
  owner = await openTab(await openReader(told.browser, told.site, { person: told.story.admin }))
  writer = await openTab(member)
  await visit(owner.page, '/admin/installed-plugins')
})

/** The owner's switch of a plugin, by the name people read. */
const switchOf = (name: string): Locator => owner.page.getByRole('switch', { name: `启用“${name}”` })

/** Presses the switch and waits until the page says that it is done. */
async function turn(name: string, on: boolean): Promise<void> {
  await switchOf(name).click()
  await expect.poll(() => switchOf(name).isChecked()).toBe(on)
}

/** Switches a plugin on with what went off along with it. */
async function bringBack(name: string): Promise<void> {
  await switchOf(name).click()
  await owner.page
    .getByRole('dialog', { name: `启用“${name}”` })
    .getByRole('button', { name: /^全部启用/ })
    .click()
}

const born = (page: Page): Promise<number> => page.evaluate(() => performance.timeOrigin)

/** Where the caret is and how far the page was scrolled. */
const place = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLTextAreaElement
    return { id: field.id, start: field.selectionStart, end: field.selectionEnd, scrolled: scrollY }
  })

describe('switching while somebody writes', () => {
  it('a new experience keeps text, tags, caret and scroll, whatever comes and goes around it', async () => {
    const { page } = writer
    await visit(page, '/experiences/ask')
    const started = await born(page)
    await page.getByRole('textbox', { name: '标题' }).fill('写到一半的经验')
    const text = page.getByRole('textbox', { name: '正文' })
    await page.getByRole('toolbar').waitFor()
    await page.getByRole('combobox', { name: '标签' }).fill('gui')
    await page.getByRole('option', { name: 'Guide' }).click()
    await text.fill('一行又一行。\n'.repeat(60))
    await text.evaluate((field: HTMLTextAreaElement) => {
      field.focus()
      field.setSelectionRange(7, 11)
      scrollTo(0, 300)
    })
    const before = await place(page)
    expect(before.scrolled).toBe(300)

    await turn('搜索', false)
    await page.getByRole('search').waitFor({ state: 'detached' })
    expect(await place(page)).toEqual(before)

    // The editor itself goes: a plain field takes its place, with the same text and the caret where it was.
    await turn('编辑器', false)
    await page.getByRole('toolbar').waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe('一行又一行。\n'.repeat(60))
    expect(await place(page)).toMatchObject({ id: before.id, start: before.start, end: before.end })
    await page.keyboard.type('字')
    await turn('编辑器', true)
    await page.getByRole('toolbar').waitFor()
    expect(await text.inputValue()).toBe(`一行又一行。\n字${'一行又一行。\n'.repeat(60).slice(11)}`)
    expect(await place(page)).toMatchObject({ id: before.id, start: 8, end: 8 })

    await turn('搜索', true)
    await page.getByRole('search').waitFor()
    expect(await page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('写到一半的经验')
    expect(await page.getByRole('list', { name: '已选标签' }).getByText('Guide').isVisible()).toBe(true)
    expect(await born(page)).toBe(started)
    expect(writer.complaints()).toEqual([])
  })

  it('an answer and a comment that are being written stay while votes come and go', async () => {
    const { page } = writer
    await visit(page, `/experiences/${told.story.experience.id}`)
    const started = await born(page)
    await page.getByRole('button', { name: '添加评论' }).first().click()
    const comment = page.getByRole('textbox', { name: '评论', exact: true })
    await comment.fill('写到一半的评论')
    await page.getByRole('button', { name: /^写回答/ }).click()
    const answer = page.getByRole('textbox', { name: '你的回答' })
    await page.getByRole('toolbar').waitFor()
    await answer.fill('写到一半的回答')
    await page.evaluate(() => scrollTo(0, 200))
    const before = await place(page)

    await turn('投票', false)
    await page.getByRole('group', { name: '投票' }).first().waitFor({ state: 'detached' })
    expect(await comment.inputValue()).toBe('写到一半的评论')
    expect(await answer.inputValue()).toBe('写到一半的回答')
    expect((await place(page)).id).toBe(before.id)
    await turn('投票', true)
    await page.getByRole('group', { name: '投票' }).first().waitFor()
    expect(await comment.inputValue()).toBe('写到一半的评论')
    expect(await answer.inputValue()).toBe('写到一半的回答')
    expect(await place(page)).toEqual(before)
    expect(await born(page)).toBe(started)
    expect(writer.complaints()).toEqual([])
    await answer.fill('')
    await comment.fill('')
  })

  it('a draft survives that the very plugin it is written in goes and comes back', async () => {
    const { page } = writer
    await visit(page, '/experiences/ask')
    await page.getByRole('textbox', { name: '标题' }).fill('会回来的经验')
    await turn('标签', false)
    await page.getByRole('combobox', { name: '标签' }).waitFor({ state: 'detached' })
    await switchOf('经验').click()
    await owner.page
      .getByRole('dialog')
      .getByRole('button', { name: /^关闭 \d+ 个插件$/ })
      .click()
    await page.getByRole('heading', { level: 1, name: '站点刚刚关闭了这项功能' }).waitFor()
    await bringBack('经验')
    const title = page.getByRole('textbox', { name: '标题' })
    await title.waitFor()
    await expect.poll(() => title.inputValue()).toBe('会回来的经验')
    await turn('标签', true)
    await expect.poll(() => switchOf('回答').isChecked()).toBe(true)
    writer.complaints()
  })
})

describe('a switch that takes others along', () => {
  it('is asked about first, naming them, and changes nothing when it is taken back', async () => {
    const { page } = owner
    await switchOf('经验').click()
    const dialog = page.getByRole('dialog', { name: /^关闭 \d+ 个插件？$/ })
    await dialog.getByText(/回答.*会一并关闭/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await switchOf('经验').isChecked()).toBe(true)
    expect(await switchOf('回答').isChecked()).toBe(true)
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('switch')
  })

  it('a language that goes takes its readers to that of the site, and back when it returns', async () => {
    const tab = await openTab(await openReader(told.browser, told.site, { language: 'en_US' }))
    const { page } = tab
    await visit(page, '/tags')
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
    await told.site.switch('locale-en-us', false)
    await page.getByRole('heading', { level: 1, name: '标签' }).waitFor()
    expect(await page.getByLabel('语言').locator('option').allTextContents()).toEqual(['简体中文(CN)'])
    expect(await untranslated(page)).toEqual([])
    await told.site.switch('locale-en-us', true)
    await page.getByRole('heading', { level: 1, name: 'Tags' }).waitFor()
    expect(await page.getByLabel('Language').inputValue()).toBe('en_US')
  })

  it('turns the page of somebody who stands on it into a clear one, and back', async () => {
    const { page } = writer
    await visit(page, `/experiences/${told.story.experience.id}`)
    const started = await born(page)
    await switchOf('经验').click()
    await owner.page
      .getByRole('dialog')
      .getByRole('button', { name: /^关闭 \d+ 个插件$/ })
      .click()
    await page.getByRole('heading', { level: 1, name: '站点刚刚关闭了这项功能' }).waitFor()
    await page.getByRole('link', { name: '全部经验' }).waitFor({ state: 'detached' })
    await expect.poll(() => switchOf('回答').isChecked()).toBe(false)
    await bringBack('经验')
    await page.getByRole('heading', { level: 1, name: told.story.experience.title }).waitFor()
    await expect.poll(() => switchOf('回答').isChecked()).toBe(true)
    await page.getByText('买之前一定要看清楚证书').first().waitFor()
    expect(await born(page)).toBe(started)
    expect(writer.complaints()).toEqual([])
    expect(owner.complaints().filter((line) => !line.endsWith('/plugin/status 400'))).toEqual([])
  })
})

describe('settings', () => {
  it('are seen in the open tabs of others, with what they write kept', async () => {
    const put = async (path: string, body: object) =>
      expect((await told.story.admin.put(`/answer/admin/api/${path}`, body)).status).toBe(200)
    const { page, complaints } = await openTab(await openReader(told.browser, told.site, { person: told.story.member }))
    await visit(page, '/experiences/ask')
    const started = await born(page)
    await page.getByRole('textbox', { name: '标题' }).fill('设置变了也还在')
    const { data: before } = await told.story.admin.get('/answer/admin/api/siteinfo/general')
    const theme = (primary_color: string, color_scheme: string) => ({
      theme: 'default',
      theme_config: { default: { navbar_style: 'colored', primary_color } },
      color_scheme,
    })
    await put('siteinfo/general', { ...before, name: '换了名字' })
    await page.getByRole('banner').getByRole('link', { name: '换了名字' }).waitFor()
    await put('siteinfo/theme', theme('#aa3300', 'dark'))
    await expect.poll(() => page.locator('link[data-primary]').getAttribute('href')).toBe('/static/primary-aa3300.css')
    // Chosen by this reader: the site's does not count.
    expect(await page.locator('html').getAttribute('data-scheme')).toBe('light')
    await page.context().clearCookies({ name: 'stoa_scheme' })
    await put('siteinfo/theme', theme('#0033ff', 'dark'))
    await page.locator('html[data-scheme=dark]').waitFor()
    await put('siteinfo/theme', theme('#0033ff', ''))
    await page.locator('html:not([data-scheme=dark])').waitFor()
    await put('siteinfo/general', before)
    await page.getByRole('banner').getByRole('link', { name: before.name }).waitFor()
    expect(await page.getByRole('textbox', { name: '标题' }).inputValue()).toBe('设置变了也还在')
    expect(await born(page)).toBe(started)
    expect(complaints()).toEqual([])
    await page.getByRole('textbox', { name: '标题' }).fill('')
    await page.context().close()
  })
})

describe('ten tabs of one browser', () => {
  it('all work, and all follow', async () => {
    const context = await openReader(told.browser, told.site, { person: told.story.member })
    const tabs = await Promise.all(Array.from({ length: 10 }, () => openTab(context)))
    let asked = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/user/info')) asked++
    })
    // One after the other, as a person opens them; each must be usable while all the others stay open.
    for (const { page } of tabs) await visit(page, `/experiences/${told.story.experience.id}`)
    await told.site.switch('votes', false)
    await Promise.all(tabs.map(({ page }) => page.getByRole('group', { name: '投票' }).first().waitFor({ state: 'detached' })))
    await told.site.switch('votes', true)
    await Promise.all(tabs.map(({ page }) => page.getByRole('group', { name: '投票' }).first().waitFor({ state: 'attached' })))
    // Each asked once who they are; none made the others ask again.
    expect(asked).toBe(tabs.length)
    // The tab that heard of it first goes; another one listens from then on.
    await tabs[0]?.page.close()
    await told.site.switch('votes', false)
    const rest = tabs.slice(1)
    await Promise.all(rest.map(({ page }) => page.getByRole('group', { name: '投票' }).first().waitFor({ state: 'detached' })))
    await told.site.switch('votes', true)
    await rest.at(-1)?.page.getByRole('link', { name: '全部经验' }).click()
    await rest.at(-1)?.page.getByRole('heading', { level: 1, name: '经验' }).waitFor()
    expect(rest.flatMap((tab) => tab.complaints())).toEqual([])
    await context.close()
  })
})
