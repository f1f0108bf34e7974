import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lowerThresholds } from '../../plugins/accounts/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide, untranslated } from './look.ts'
import type { ReaderOptions } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const api = '/answer/api/v1'
const pictures = process.env.STOA_LOOKS === '1' ? join('build', 'looks') : undefined

let browser: Browser
let site: Site
let mona: TestPerson
let ana: TestPerson
let ben: TestPerson
let post = ''

beforeAll(async () => {
  if (pictures) mkdirSync(pictures, { recursive: true })
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
  const admin = await site.admin()
  await lowerThresholds(site)
  const { data } = await admin.get<{ options: { privileges: { key: string; value: number }[] }[] }>('/answer/admin/api/setting/privileges')
  const custom_privileges = (data.options[0]?.privileges ?? []).map(({ key, value }) => ({
    key,
    value: /edit_without_review|audit/.test(key) ? 5000 : value,
  }))
  await admin.put('/answer/admin/api/setting/privileges', { level: 99, custom_privileges })
  ;[mona, ana, ben] = [await site.moderator('mona'), await site.member('ana'), await site.member('ben')]
  await posted(admin)
  post = await posted(ana, {
    title: '坐夜车去看海要准备什么',
    content: '我们坐夜车去海边，早上六点到站。\n\n带一件厚外套。\n\n```sh\nbook --train 18\nsleep 8h\n```\n\n清晨很冷，别忘了热水。',
  })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const open = async (options: ReaderOptions) => openTab(await openReader(browser, site, options))
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const text = (page: Page) => page.getByRole('textbox', { name: /^正文/ })
const looksGood = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `history-${name}.png`), fullPage: true })
  expect(await objections(page), name).toEqual([])
  expect(await tooWide(page), name).toEqual([])
  expect(await untranslated(page), name).toEqual([])
}

describe('two people who edit one post', () => {
  it('the second is shown what the first wrote, and overwrites nothing before they say so', async () => {
    const { page } = await open({ person: ana })
    await visit(page, `/posts/${post}/edit`)
    await text(page).fill('我们坐火车去海边，早上六点到站。\n\n带一件厚外套。\n\n带上耳塞。')
    const { data } = await mona.get(`${api}/experience/info`, { id: post })
    const content = data.content.replace('六点', '七点')
    await mona.put(`${api}/experience`, { id: post, title: data.title, content, tags: data.tags, edit_summary: '到站时间' })
    await press(page, '保存')
    await page.getByText('在你编辑期间，mona 改过这里').waitFor()
    await page.getByRole('group', { name: '改动' }).getByText('七').first().waitFor()
    await looksGood(page, 'conflict')
    expect((await ana.get(`${api}/experience/info`, { id: post })).data.content).toContain('七点')
    expect(await text(page).inputValue()).toContain('耳塞')
    await press(page, '保留我的内容')
    await press(page, '保存')
    await page.waitForURL(/\/experiences\//)
    expect((await ana.get(`${api}/experience/info`, { id: post })).data.content).toContain('耳塞')
    await page.context().close()
  })

  it('the first version can be put back from the form', async () => {
    const { page } = await open({ person: ana })
    await visit(page, `/posts/${post}/edit`)
    await press(page, '历史版本')
    const versions = page.getByLabel('版本', { exact: true })
    await versions.selectOption({ index: 3 })
    await looksGood(page, 'versions')
    await press(page, '使用这个版本')
    expect(await text(page).inputValue()).toContain('清晨很冷')
    await press(page, '保存')
    await page.waitForURL(/\/experiences\//)
    await page.context().close()
  })
})

describe('a suggested edit', () => {
  it('is sent from the form of somebody who may only suggest, and who may review is told in the header of every page', async () => {
    const { page } = await open({ person: ben })
    const { page: reviewer } = await open({ person: mona })
    await visit(reviewer, '/')
    expect(await reviewer.locator('header a[href="/review"]').count()).toBe(0)
    await visit(page, `/posts/${post}/edit`)
    await text(page).fill(
      '我们坐夜车去海边，早上七点到站。\n\n带一件厚外套和耳塞。\n\n```sh\nbook --train 20\nsleep 8h\n```\n\n清晨很冷，别忘了热水。',
    )
    await page.getByRole('textbox', { name: /改/ }).last().fill('车次和到站时间都变了')
    await press(page, '保存')
    await page.getByText('谢谢！你的修改通过审核后就会显示。').waitFor()
    await reviewer.getByRole('banner').getByRole('link', { name: '1 条内容待审核' }).click()
    await reviewer.getByText('车次和到站时间都变了').waitFor()
    await reviewer.context().close()
    expect(await page.locator('header a[href="/review"]').count()).toBe(0)
    await page.context().close()
  })

  for (const [width, language, scheme] of [
    [1280, 'zh_CN', 'light'],
    [390, 'en_US', 'dark'],
  ] as const)
    it(`is compared with the text as it stands, ${width} wide`, async () => {
      const { page } = await open({ person: mona, width, language, scheme })
      await visit(page, '/review')
      await page.getByText('车次和到站时间都变了').waitFor()
      await looksGood(page, `review-${width}`)
      await page.context().close()
    })

  it('is approved, and the next page is empty', async () => {
    const { page } = await open({ person: mona })
    await visit(page, '/review')
    await press(page, '采纳')
    await page.getByText('没有待审核的内容').waitFor()
    await page.locator('header a[href="/review"]').waitFor({ state: 'detached' })
    expect((await ana.get(`${api}/experience/info`, { id: post })).data.content).toContain('--train 20')
    await page.context().close()
  })
})

describe('the timeline of a post', () => {
  it('is reached from the post by members, and by nobody else', async () => {
    const { page } = await open({ person: ben })
    await visit(page, `/experiences/${post}`)
    await page.getByRole('link', { name: '历史', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: '历史' }).waitFor()
    await page.context().close()
    const visitor = await open({})
    await visit(visitor.page, `/experiences/${post}`)
    expect(await visitor.page.getByRole('link', { name: '历史', exact: true }).count()).toBe(0)
    await visitor.page.context().close()
  })

  for (const [width, language, scheme, show] of [
    [1280, 'zh_CN', 'dark', '查看改动'],
    [390, 'en_US', 'light', 'Show changes'],
  ] as const)
    it(`says what each edit changed, ${width} wide`, async () => {
      const { page } = await open({ person: ben, width, language, scheme })
      await visit(page, `/posts/${post}/timeline`)
      const buttons = page.getByRole('button', { name: show, exact: true })
      await buttons.first().click()
      await page.getByText('book --train 20').waitFor()
      await looksGood(page, `timeline-${width}`)
      await page.context().close()
    })
})
