import type { Site } from '@stoa/sdk/testing'
import { readMails, startSite } from '@stoa/sdk/testing'
import type { Browser, Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import type { Tab } from './tab.ts'
import { isLive, openReader, openTab, visit } from './tab.ts'

const PASSWORD = 'correct horse 7'
const TITLE = '坐夜车去看海要准备什么'
const ANSWER = '带一件厚外套，海边的清晨比想象中冷得多。'

let site: Site
let browser: Browser
let admin: Tab
let ming: Tab
let lan: Tab
/** Path of the experience. */
let post = ''

beforeAll(async () => {
  ;[browser, site] = await Promise.all([launchBrowser(), startSite({ empty: true })])
  ;[admin, ming, lan] = await Promise.all([person(), person(), person()])
})
afterAll(async () => {
  await browser?.close()
  await site?.close()
})

const person = async () => openTab(await openReader(browser, site, { timezoneId: 'Asia/Shanghai' }))
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const fill = (page: Page, label: string, text: string) => page.getByRole('textbox', { name: label, exact: true }).fill(text)
/** Name of the field that the cursor is in. */
const focused = (page: Page) => page.evaluate(() => (document.activeElement as HTMLInputElement).name)
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function register(page: Page, name: string, email: string): Promise<void> {
  await visit(page, '/')
  await page.getByRole('link', { name: '注册' }).click()
  await fill(page, '名字', name)
  await fill(page, '邮箱', email)
  await page.getByLabel('密码').fill(PASSWORD)
  await press(page, '注册')
  await title(page, '还差一步：查收邮件')
  const link = () =>
    readMails(site.dataDir)
      .find(({ to }) => to === email)
      ?.text.match(/http\S+code=\S+/)?.[0]
  await expect.poll(link).toContain('/users/account-activation?code=')
  await page.goto(link() as string)
  await title(page, '账号已激活')
  await page.getByRole('link', { name: '去看看' }).click()
  await title(page, '最新经验')
}

describe('from the first start to the first answer', () => {
  it('a new site leads everybody to its set-up, in five steps', async () => {
    const { page } = admin
    await visit(page, '/experiences')
    expect(new URL(page.url()).pathname).toBe('/install')
    await page.getByText('第 1 步，共 5 步').first().waitFor()
    // Nothing leads into a site that is not there yet.
    expect(await page.getByRole('link').filter({ hasNotText: '跳到正文' }).count()).toBe(0)
    await page.getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('c')
    expect(new URL(page.url()).pathname).toBe('/install')
    await page.getByLabel('语言').first().selectOption('zh_CN')
    // What the browser says.
    expect(await page.getByLabel('时区').inputValue()).toBe('Asia/Shanghai')
    await press(page, '下一步')
    await title(page, '数据库')
    await page.getByLabel('PostgreSQL').check()
    await fill(page, '主机和端口', '127.0.0.1:1')
    await press(page, '下一步')
    // The refusal stands at its field, and the cursor in it.
    await page.getByText('这个主机和端口没有应答').waitFor()
    await expect.poll(() => focused(page)).toBe('db_host')
    admin.complaints()
    await page.getByLabel('SQLite（内置）').check()
    await press(page, '下一步')
    await title(page, '配置已就绪')
    await press(page, '下一步')
    await title(page, '站点与管理员')
    const username = page.getByRole('textbox', { name: '用户名' })
    expect(await page.getByRole('textbox', { name: '你的名字' }).getAttribute('aria-required')).toBeNull()
    // Whoever is faster than the proposal sends it all the same.
    await fill(page, '你的名字', '守夜人')
    await press(page, '完成安装')
    await page.getByText('此项不能为空。').first().waitFor()
    expect(await username.getAttribute('aria-invalid')).toBeNull()
    await expect.poll(() => username.inputValue()).toBe('shou-ye-ren')
    await fill(page, '站点名称', '海边茶馆')
    // Whoever is thrown out finds everything again but the password.
    await visit(page, '/install')
    await title(page, '站点与管理员')
    expect(await username.inputValue()).toBe('shou-ye-ren')
    await fill(page, '站点名称', '')
    await press(page, '完成安装')
    // Each field says what is missing, and the step is not left.
    await page.getByText('此项不能为空。').first().waitFor()
    await expect.poll(() => focused(page)).toBe('site_name')
    admin.complaints()
    await fill(page, '站点名称', '海边茶馆')
    await fill(page, '联系邮箱', 'hello@example.org')
    await fill(page, '邮箱', 'keeper@example.org')
    await page.getByLabel('密码').fill('Password123')
    await press(page, '完成安装')
    await page.getByText('很多人使用这个密码').first().waitFor()
    await expect.poll(() => focused(page)).toBe('password')
    admin.complaints()
    await page.getByLabel('密码').fill(PASSWORD)
    const second = await openTab(page.context())
    await visit(second.page, '/install')
    await title(second.page, '站点与管理员')
    // Nothing is proposed any more after the last two entries, however fast they are made.
    await fill(page, '你的名字', '守夜老人')
    await fill(page, '用户名', 'keeper')
    await press(page, '完成安装')
    await page.getByRole('button', { name: '守夜老人' }).waitFor()
    expect(admin.complaints()).toEqual([])
    await press(second.page, '完成安装')
    await title(second.page, '站点已安装')
    await second.page.getByRole('link', { name: '打开站点' }).click()
    await title(second.page, '最新经验')
    await second.page.close()
  })

  it('its owner is logged in and makes a tag', async () => {
    const { page } = admin
    await title(page, '最新经验')
    await page.getByRole('link', { name: '标签', exact: true }).click()
    await page.getByRole('link', { name: '新建标签' }).click()
    await fill(page, '显示名称', '旅行')
    await fill(page, '地址中的名称', 'travel')
    await page.getByRole('textbox', { name: '介绍' }).fill('路上的见闻。')
    await press(page, '创建')
    await title(page, '旅行')
    expect(admin.complaints()).toEqual([])
  })

  it('two people join, each by the link in their mail', async () => {
    await Promise.all([register(ming.page, '小明', 'ming@example.org'), register(lan.page, '阿兰', 'lan@example.org')])
    expect(ming.complaints()).toEqual([])
    expect(lan.complaints()).toEqual([])
    // Whoever is activated has nothing to do where links end that no longer work.
    await visit(lan.page, '/users/account-activation/failed')
    await expect.poll(() => new URL(lan.page.url()).pathname).toBe('/')
  })

  it('one of them logs out and in again, and writes with code and a picture', async () => {
    const { page } = ming
    await page.getByRole('button', { name: '小明' }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()
    await page.getByRole('link', { name: '登录' }).click()
    await fill(page, '邮箱', 'ming@example.org')
    await page.getByLabel('密码').fill(PASSWORD)
    await press(page, '登录')
    await page.getByRole('button', { name: '小明' }).waitFor()
    await page.getByRole('link', { name: '写经验' }).first().click()
    await title(page, '写经验')
    await fill(page, '标题', TITLE)
    await page.getByRole('toolbar').waitFor()
    const text = page.getByRole('textbox', { name: '正文' })
    await text.fill('上个月坐夜车去看日出，路上记了这些。\n\n```js\nconst hours = 9\n```\n\n')
    const chooser = page.waitForEvent('filechooser')
    await press(page, '上传图片')
    const buffer = await sharp({ create: { width: 320, height: 200, channels: 3, background: '#2b6cb0' } })
      .png()
      .toBuffer()
    await (await chooser).setFiles({ name: '日出.png', mimeType: 'image/png', buffer })
    await expect.poll(() => text.inputValue()).toMatch(/!\[日出]\(\/uploads\/\S+-320x200\.png\)/)
    const tags = page.getByRole('combobox', { name: '标签' })
    await tags.click()
    await page.getByRole('option', { name: '旅行' }).waitFor()
    // Enter takes what suits, even before the server has answered.
    await tags.fill('旅')
    await tags.press('Enter')
    await page.getByRole('list', { name: '已选标签' }).getByText('旅行').waitFor()
    // What stands below stays where it is: a press there would miss.
    const place = () =>
      tags.evaluate((field: HTMLInputElement) => {
        const top = (element: Element | null | undefined) => element?.getBoundingClientRect().top ?? 0
        return top(field.form?.querySelector('[type=submit]')) - top(field)
      })
    const before = await place()
    await tags.fill('没有的标签')
    await page.getByText('没有找到“没有的标签”').waitFor()
    expect(await place()).toBe(before)
    // A name that was typed in full and left counts.
    await page.getByRole('list', { name: '已选标签' }).getByRole('button').click()
    await tags.fill('旅行')
    await page.getByRole('option', { name: '旅行' }).waitFor()
    await text.focus()
    await page.getByRole('list', { name: '已选标签' }).getByText('旅行').waitFor()
    await press(page, '发布')
    await title(page, TITLE)
    post = new URL(page.url()).pathname
    expect(await page.locator('main pre code').textContent()).toContain('const hours = 9')
    const image = page.getByRole('button', { name: '日出' })
    await image.scrollIntoViewIfNeeded()
    await expect.poll(() => image.evaluate((picture: HTMLImageElement) => picture.naturalWidth)).toBe(320)
    expect(ming.complaints()).toEqual([])
  })

  it('the other finds it on the home page, answers and comments', async () => {
    const { page } = lan
    await visit(page, '/')
    await page.getByRole('link', { name: TITLE }).first().click()
    await title(page, TITLE)
    await page.getByRole('button', { name: /^写回答/ }).click()
    const text = page.getByRole('textbox', { name: '你的回答' })
    await text.fill('短')
    await press(page, '发布回答')
    await page.getByText('回答至少需要 6 个字符。').waitFor()
    await text.fill(ANSWER)
    await press(page, '发布回答')
    await page.getByRole('article').filter({ hasText: ANSWER }).waitFor()
    await page.getByRole('button', { name: '添加评论' }).first().click()
    await fill(page, '评论', '几点到站？')
    await press(page, '评论')
    await page.getByRole('listitem').filter({ hasText: '几点到站？' }).waitFor()
    expect(lan.complaints()).toEqual([])
  })

  it('the owner votes for both; votes are counted once and can be taken back', async () => {
    const { page } = admin
    await visit(page, post)
    const [forPost, forAnswer] = [page.getByRole('group', { name: '投票' }).first(), page.getByRole('group', { name: '投票' }).nth(1)]
    await forPost.getByRole('button', { name: '赞同' }).click()
    await forAnswer.getByRole('button', { name: '赞同' }).click()
    await forPost.getByText('得分：1').waitFor()
    await forAnswer.getByText('得分：1').waitFor()
    await page.reload()
    await isLive(page)
    // One's own votes come when it is known who one is.
    await expect.poll(() => forPost.getByRole('button', { name: '赞同' }).getAttribute('aria-pressed')).toBe('true')
    await forAnswer.getByRole('button', { name: '赞同' }).click()
    await forAnswer.getByText('得分：0').waitFor()
    await forAnswer.getByRole('button', { name: '赞同' }).click()
    await forAnswer.getByText('得分：1').waitFor()
    expect(admin.complaints()).toEqual([])
  })

  it('the author is told why a vote of their own does not count, likes the comment and accepts the answer', async () => {
    const { page } = ming
    await visit(page, post)
    const own = page.getByRole('group', { name: '投票' }).first().getByRole('button', { name: '赞同' })
    expect(await own.isDisabled()).toBe(true)
    expect(await own.getAttribute('title')).toBe('不能给自己的内容投票。')
    const like = page.getByRole('button', { name: '点赞' })
    await like.click()
    await expect.poll(() => like.getAttribute('aria-pressed')).toBe('true')
    await press(page, '采纳')
    const answer = page.getByRole('article').filter({ hasText: ANSWER }).last()
    await answer.getByText('已采纳').waitFor()
    await page.reload()
    await answer.getByText('已采纳').waitFor()
    expect(ming.complaints()).toEqual([])
  })

  it('and a visitor finds it by the search box in the header', async () => {
    const visitor = await person()
    const { page } = visitor
    await visit(page, '/')
    const box = page.getByRole('search').getByRole('combobox')
    await box.focus()
    await Promise.all([page.waitForResponse(/[?&]q=/), box.fill('ferry')])
    await box.fill('')
    // As an input method writes it: the word is composed first and then taken.
    const keyboard = await page.context().newCDPSession(page)
    await keyboard.send('Input.imeSetComposition', { text: '夜车', selectionStart: 2, selectionEnd: 2 })
    await keyboard.send('Input.insertText', { text: '夜车' })
    // What is typed is completed by titles; the browser draws the list.
    await page.locator('datalist option').first().waitFor({ state: 'attached' })
    expect(
      await page.locator('datalist option').evaluateAll((options) => options.map((one) => (one as HTMLOptionElement).value)),
    ).toContain(TITLE)
    await box.press('Enter')
    const found = page.getByRole('main').getByRole('link', { name: /夜车/ })
    await found.first().click()
    await title(page, TITLE)
    await page.getByText(ANSWER).first().waitFor()
    expect(visitor.complaints()).toEqual([])
  })
})
