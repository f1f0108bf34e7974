import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide, untranslated } from './look.ts'
import type { ReaderOptions, Tab } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const API = '/answer/api/v1/experience'
const looks = [
  { width: 1280, language: 'zh_CN', scheme: 'light' },
  { width: 1280, language: 'en_US', scheme: 'dark' },
  { width: 390, language: 'zh_CN', scheme: 'dark' },
  { width: 390, language: 'en_US', scheme: 'light' },
] as const

describe('the state of a post', () => {
  let site: Site
  let browser: Browser
  let mona: TestPerson
  let ana: TestPerson

  beforeAll(async () => {
    ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    await posted(mona)
  })
  afterAll(async () => {
    await browser?.close()
    await site?.close()
  })

  const reader = async (options: ReaderOptions): Promise<Tab> => openTab(await openReader(browser, site, options))
  const wrongWith = async ({ page }: Tab) => [...(await objections(page)), ...(await untranslated(page)), ...(await tooWide(page))]

  it('is changed by the keyboard, and the page says what happened, who did it and why', async () => {
    const original = await posted(ana, { title: '坐夜车去看海' })
    const id = await posted(ana, { title: '坐夜车去看海好不好' })
    await site.idle()
    const tab = await reader({ person: mona })
    const { page } = tab
    await visit(page, `/experiences/${id}`)
    await page.getByRole('button', { name: '更多操作' }).first().press('Enter')
    await page.getByRole('menuitem', { name: '关闭' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: '关闭这条经验' })
    await dialog.getByRole('radio', { name: '重复内容' }).waitFor()
    // Nothing typed: the field says what is missing, and the dialog stays.
    await dialog.getByRole('button', { name: '关闭这条经验' }).press('Enter')
    await expect.poll(() => dialog.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    expect(await wrongWith(tab)).toEqual([])
    tab.complaints()
    await dialog.getByRole('button', { name: '坐夜车去看海', exact: true }).press('Enter')
    expect(await dialog.getByRole('textbox').inputValue()).toContain(`/experiences/${original}`)
    await dialog.getByRole('textbox').press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('刚刚关闭').waitFor()
    await page.getByRole('link', { name: 'mona' }).first().waitFor()
    await page.getByRole('link', { name: '坐夜车去看海', exact: true }).first().click()
    await page.getByRole('heading', { level: 1, name: '坐夜车去看海', exact: true }).waitFor()
    await page.getByRole('link', { name: '被 1 条经验引用' }).click()
    await page.getByRole('link', { name: '坐夜车去看海好不好' }).first().waitFor()
    expect(tab.complaints()).toEqual([])
  })

  it.each(looks)('looks right at $width, in $language and $scheme', async ({ width, language, scheme }) => {
    const [closed, deleted, unlisted] = [await posted(ana), await posted(ana), await posted(ana)]
    await mona.put(`${API}/status`, { id: closed, close_type: 59, close_msg: '已经讲过两遍了' })
    await mona.del(API, { id: deleted })
    await mona.put(`${API}/operation`, { id: unlisted, operation: 'hide' })
    const tab = await reader({ person: mona, width, language, scheme })
    for (const id of [closed, deleted, unlisted]) {
      await visit(tab.page, `/experiences/${id}`)
      await tab.page.getByRole('main').getByRole('link', { name: 'mona' }).first().waitFor()
      expect(await wrongWith(tab)).toEqual([])
    }
    // A visitor's document of a deleted post is that nothing is there.
    expect(tab.complaints().filter((complaint) => !complaint.endsWith(`/experiences/${deleted} 404`))).toEqual([])
  })

  it('is changed for several at once in the list of the administration, where what was chosen is chosen no more in the next list', async () => {
    const titles = ['山里的第一个早晨', '山里的第二个早晨', '山里的第三个早晨']
    for (const title of titles) await posted(ana, { title })
    const tab = await reader({ person: await site.admin(), language: 'zh_CN' })
    const { page } = tab
    await visit(page, '/admin/experiences?query=%E5%B1%B1%E9%87%8C')
    for (const title of titles.slice(0, 2)) await page.getByRole('checkbox', { name: title }).check()
    await page.getByText('已选 2 项').waitFor()
    expect(await wrongWith(tab)).toEqual([])
    await page.getByRole('button', { name: '删除', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
    await page.getByRole('link', { name: titles[0] as string }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: titles[2] as string }).count()).toBe(1)
    await page.getByRole('link', { name: '已删除', exact: true }).click()
    await page.getByRole('link', { name: titles[1] as string }).waitFor()
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(0)
    await page.getByRole('button', { name: `处理“${titles[1]}”` }).click()
    await page.getByRole('menuitem', { name: '恢复' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '恢复', exact: true }).click()
    await page.getByRole('link', { name: titles[1] as string }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: titles[0] as string }).count()).toBe(1)
    expect(tab.complaints()).toEqual([])
  })

  it('is changed and reported by keys from the field one writes in', async () => {
    const id = await posted(ana)
    const { page } = await reader({ person: mona })
    await visit(page, `/experiences/${id}`)
    const open = async (item: string) => {
      await page.getByRole('button', { name: '更多操作' }).first().click()
      await page.getByRole('menuitem', { name: item }).click()
      return page.getByRole('dialog')
    }
    const flag = await open('举报')
    await flag.getByRole('radio', { name: '其他原因' }).check()
    await flag.getByRole('textbox').fill('与本站没有关系')
    await flag.getByRole('textbox').press('Control+Enter')
    await flag.waitFor({ state: 'detached' })
    const close = await open('关闭')
    await close.getByRole('radio', { name: '其他原因' }).check()
    await close.getByRole('textbox').fill('写一段话说明原因')
    await close.getByRole('textbox').press('Control+Enter')
    await close.waitFor({ state: 'detached' })
    await page.getByText('刚刚关闭').waitFor()
  })

  it('takes away what can no longer be done; what was said stays', async () => {
    const [id, closed] = [await posted(ana), await posted(ana)]
    await mona.post('/answer/api/v1/answer', { experience_id: id, content: '去过两次，都很好。' })
    await mona.post('/answer/api/v1/comment', { object_id: id, original_text: '谢谢分享' })
    await mona.del(API, { id })
    await mona.put(`${API}/status`, { id: closed, close_type: 59, close_msg: '已经讲过两遍了' })
    const { page, complaints } = await reader({ person: mona })
    await visit(page, `/experiences/${id}`)
    await page.getByText('谢谢分享').waitFor()
    const main = page.getByRole('main')
    await main.getByRole('link', { name: '历史' }).first().waitFor()
    for (const name of ['关注', '收藏', '赞同', '添加评论', '回复', '分享', '写回答', '采纳'])
      expect([name, await main.getByRole('button', { name }).count()]).toEqual([name, 0])
    expect(await main.getByText('这篇经验已关闭').count()).toBe(0)
    await main.getByRole('button', { name: '更多操作' }).first().click()
    await page.getByRole('menuitem').first().waitFor()
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(['恢复'])
    await visit(page, `/experiences/${closed}`)
    expect(await main.getByText('还没有回答').count()).toBe(0)
    await main.getByRole('button', { name: '赞同' }).waitFor()
    expect(complaints().filter((complaint) => !complaint.endsWith(`/experiences/${id} 404`))).toEqual([])
  })

  it('offers authors what staff left to them', async () => {
    const id = await posted(ana)
    const { page } = await reader({ person: ana })
    await visit(page, `/experiences/${id}`)
    const names = async () => {
      await page.getByRole('button', { name: '更多操作' }).first().click()
      await page.getByRole('menuitem').first().waitFor()
      return page.getByRole('menuitem').allInnerTexts()
    }
    expect(await names()).toEqual(expect.arrayContaining(['关闭', '删除']))
    await page.getByRole('menuitem', { name: '删除' }).click()
    await page.getByRole('dialog').getByRole('button', { name: '删除', exact: true }).click()
    await page.getByText('刚刚删除').waitFor()
    expect(await names()).toContain('恢复')
    await mona.post(`${API}/recover`, { experience_id: id })
    await mona.del(API, { id })
    await visit(page, `/experiences/${id}`)
    await page.getByRole('link', { name: 'mona' }).first().waitFor()
    expect(await page.getByRole('button', { name: '更多操作' }).count()).toBe(0)
  })
})
