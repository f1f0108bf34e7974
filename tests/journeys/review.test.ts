import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../plugins/answers/testing/index.ts'
import { commented } from '../../plugins/comments/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { flag, flaggedFor } from '../../plugins/reports/testing/index.ts'
import { decideQueued, queuedFor } from '../../plugins/review/testing/index.ts'
import { launchBrowser } from '../support/browser.ts'
import { objections, tooWide, untranslated } from './look.ts'
import type { ReaderOptions } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const api = '/answer/api/v1'
const pictures = process.env.STOA_LOOKS === '1' ? join('build', 'looks') : undefined
const looks = [
  { width: 1280, language: 'zh_CN', scheme: 'light' },
  { width: 390, language: 'en_US', scheme: 'dark' },
] as const

let browser: Browser
let site: Site
let mona: TestPerson
let ana: TestPerson
let ben: TestPerson
let post = ''

beforeAll(async () => {
  if (pictures) mkdirSync(pictures, { recursive: true })
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
  ;[mona, ana, ben] = [await site.moderator('mona'), await site.member('ana'), await site.member('ben')]
  await posted(mona)
  post = await posted(ana, { title: '坐夜车去看海要准备什么', content: '我们坐夜车去海边，**早上六点**到站。' })
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const open = async (options: ReaderOptions) => openTab(await openReader(browser, site, options))
const looksGood = async (page: Page, name: string) => {
  if (pictures) await page.screenshot({ path: join(pictures, `${name}.png`) })
  expect(await objections(page), name).toEqual([])
  expect(await tooWide(page), name).toEqual([])
  expect(await untranslated(page), name).toEqual([])
}

/** Calls for answers and comments, by path and object. */
function threadsAskedBy(page: Page): string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const object = searchParams.get('object_id') ?? searchParams.get('experience_id')
    if (/\/(comment|answer)\/page$/.test(pathname)) asked.push(`${pathname.split('/').at(-2)} ${object}`)
  })
  return asked
}

describe('a page whose answers and comments wait', () => {
  it('asks for none where the reader sees none, and shows them to whoever wrote them', async () => {
    const keywords = (review_post_keywords: string) =>
      site.admin().then((admin) =>
        admin.put('/answer/admin/api/plugin/config', {
          plugin_slug_name: 'reviewer-basic',
          config_fields: { review_post_keywords, disallowed_keywords: '' },
        }),
      )
    const [quiet, answeredPost] = [await posted(ana), await posted(ana)]
    const standing = await answered(mona, answeredPost)
    for (const person of [undefined, ben]) {
      const { page, complaints } = await open({ ...(person && { person }) })
      const asked = threadsAskedBy(page)
      expect(await (await site.visitor().get(`/experiences/${quiet}`)).text).not.toContain('comment/page')
      await visit(page, `/experiences/${quiet}`)
      expect(asked).toEqual([])
      expect(complaints()).toEqual([])
      await page.context().close()
    }

    await site.switch('reviewer-basic', true)
    expect((await keywords('zeppelin')).status).toBe(200)
    await answered(ben, quiet, 'A zeppelin answers.')
    await commented(ben, quiet, 'A zeppelin asks.')
    await commented(ben, standing, 'A zeppelin wonders.')
    await site.switch('reviewer-basic', false)
    for (const person of [undefined, ana, ben]) {
      const count = person === ben ? 1 : 0
      const { page, complaints } = await open({ ...(person && { person }) })
      for (const [path, text] of [
        [quiet, 'A zeppelin answers.'],
        [quiet, 'A zeppelin asks.'],
        [answeredPost, 'A zeppelin wonders.'],
      ] as const) {
        await visit(page, `/experiences/${path}`)
        await expect.poll(() => page.getByText(text).count(), { message: text }).toBe(count)
      }
      expect(complaints()).toEqual([])
      await page.context().close()
    }
    for (let { item } = await queuedFor(mona); item; { item } = await queuedFor(mona)) await decideQueued(mona, item.review_id, 'reject')
  })
})

describe('flagging', () => {
  it.each(looks)('asks why in a dialog, and says what is missing, $width wide', async ({ width, language, scheme }) => {
    const { page } = await open({ person: ben, width, language, scheme })
    const zh = language === 'zh_CN'
    await visit(page, `/experiences/${post}`)
    await page
      .getByRole('button', { name: zh ? '更多' : 'More', exact: false })
      .first()
      .click()
    await page.getByRole('menuitem', { name: zh ? '举报' : 'Flag', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: zh ? '举报' : 'Flag', exact: true }).click()
    await dialog.getByText(zh ? '请选择一个理由。' : 'Choose a reason.').waitFor()
    await dialog.getByRole('radio').nth(3).check()
    await dialog.getByRole('textbox').fill('nonsense')
    await dialog.getByRole('button', { name: zh ? '举报' : 'Flag', exact: true }).click()
    await dialog.getByText(zh ? '这不是一个网址。' : 'This is not a web address.').waitFor()
    await looksGood(page, `flag-${width}`)
    if (width === 390) {
      await dialog.getByRole('radio').nth(2).check()
      await dialog.getByRole('textbox').fill('Copied from a travel guide')
      await dialog.getByRole('button', { name: 'Flag', exact: true }).click()
      await page.getByText('Thanks for flagging.').waitFor()
      expect((await flaggedFor(mona)).item?.reason_content).toBe('Copied from a travel guide')
    }
    await page.context().close()
  })

  it('is offered neither to visitors, who load nothing of it, nor for what one wrote', async () => {
    const own = await open({ person: ana })
    await visit(own.page, `/experiences/${post}`)
    await own.page.getByRole('button', { name: '更多' }).first().click()
    await own.page.getByRole('menuitem').first().waitFor()
    expect(await own.page.getByRole('menuitem', { name: '举报', exact: true }).count()).toBe(0)
    await own.page.context().close()
    const { page } = await open({})
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await visit(page, `/experiences/${post}`)
    expect(await page.locator('[role=menuitem]', { hasText: '举报' }).count()).toBe(0)
    expect(asked.filter((path) => path.includes('/reports/'))).toEqual([])
    await page.context().close()
  })
})

describe('the review page', () => {
  it('is for staff, whom the header tells what waits', async () => {
    const { page } = await open({ person: ben })
    await visit(page, '/review')
    await page.getByText('403').first().waitFor()
    await page.context().close()
    const staff = await open({ person: mona })
    await visit(staff.page, '/')
    await staff.page.getByRole('banner').getByRole('link', { name: '1 条内容待审核' }).click()
    await staff.page.getByText('Copied from a travel guide').waitFor()
    await staff.page.context().close()
  })

  it.each(looks)('shows a flag with its context, $width wide', async ({ width, language, scheme }) => {
    const { page } = await open({ person: mona, width, language, scheme })
    await visit(page, '/review')
    await page.getByText('Copied from a travel guide').waitFor()
    await looksGood(page, `review-flagged-${width}`)
    await page.keyboard.press('e')
    await page.getByRole('dialog').waitFor()
    await looksGood(page, `review-edit-${width}`)
    await page.context().close()
  })

  it('is worked through by keyboard alone', async () => {
    const answer = await answered(ana, await posted(mona))
    const comment = await commented(ana, answer)
    await flag(ben, answer, 57)
    await flag(ben, comment, 58)
    const { page } = await open({ person: mona })
    await visit(page, '/review')
    const item = page.getByRole('article')
    await item.getByText('评论', { exact: true }).waitFor()
    await page.keyboard.press('s')
    await item.getByText('回答', { exact: true }).waitFor()
    await page.keyboard.press('d')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    await item.getByText('经验', { exact: true }).waitFor()
    await page.keyboard.press('x')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio').nth(1).check()
    await dialog.getByRole('button', { name: '关闭这条经验' }).click()
    await item.getByText('评论', { exact: true }).waitFor()
    expect((await ben.get(`${api}/experience/info`, { id: post })).data.status).toBe(2)
    await page.keyboard.press('d')
    await page.getByRole('dialog').getByRole('button', { name: '删除' }).click()
    await page.getByText('没有待审核的内容').waitFor()
    expect((await flaggedFor(mona)).count).toBe(0)
    await page.context().close()
  })

  it.each(looks)('shows what waits to be published, and says why, $width wide', async ({ width, language, scheme }) => {
    if (width === 1280) {
      const config_fields = { newcomers: 50, on_failure: 'wait', deadline: 3 }
      await (await site.admin()).put('/answer/admin/api/plugin/config', { plugin_slug_name: 'review', config_fields })
      await answered(ana, await posted(mona))
      await posted(ana, { title: '第一次写的经验' })
    }
    const { page } = await open({ person: mona, width, language, scheme })
    await visit(page, '/review')
    await page.getByText(language === 'zh_CN' ? '作者是新成员。' : 'This member is new here.').waitFor()
    await looksGood(page, `review-queued-${width}`)
    await page.keyboard.press('r')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('Says too little')
    await looksGood(page, `review-reject-${width}`)
    if (width === 390) {
      await dialog.getByRole('button', { name: 'Reject' }).click()
      await page.getByText('Nothing to review').waitFor()
    } else {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await page.keyboard.press('s')
      await page.getByRole('heading', { name: '第一次写的经验' }).waitFor()
      await page.keyboard.press('a')
      await page.getByText('已发布。').waitFor()
    }
    await page.context().close()
  })
})
