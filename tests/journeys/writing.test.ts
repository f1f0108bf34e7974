import type { TestPerson } from '@stoa/sdk/testing'
import type { BrowserContext, Page } from 'playwright'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { storySite } from './story-site.ts'
import type { Tab } from './tab.ts'
import { isLive, openReader, openTab, visit } from './tab.ts'

const API = '/answer/api/v1'
const PASSWORD = 'correct horse 7'
const TEXT = '写了很久的一段正文，不能丢。'

const told = storySite()
let drafter: TestPerson
beforeAll(async () => {
  drafter = await told.site.member('drafter')
})

const post = () => `/experiences/${told.story.experience.id}`
const title = (page: Page) => page.getByRole('textbox', { name: '标题' })
const text = (page: Page) => page.getByRole('textbox', { name: /^(正文|回答|介绍)/ })
const answer = (page: Page) => page.getByRole('textbox', { name: '你的回答' })
const comment = (page: Page) => page.getByRole('textbox', { name: '评论', exact: true })
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).first().click()
const published = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()
const opened = async (person: TestPerson): Promise<Tab> => openTab(await openReader(told.browser, told.site, { person }))
const stored = (page: Page) => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('stoa:draft:')))
const holds = (field: ReturnType<typeof text>, value: string | RegExp) => expect.poll(() => field.inputValue()).toMatch(value)

async function write(page: Page, name: string): Promise<void> {
  await visit(page, '/experiences/ask')
  await title(page).fill(name)
  await page.getByRole('toolbar').waitFor()
  await text(page).fill(TEXT)
  await page.getByRole('combobox', { name: '标签' }).fill('gui')
  await page.getByRole('option', { name: 'Guide' }).click()
}

const serve = (degree: string) => told.story.admin.put('/answer/admin/api/siteinfo/maintenance', { degree })

/** Closes a tab as people do. @returns the questions they were asked */
async function closed(page: Page): Promise<string[]> {
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  const gone = page.waitForEvent('close')
  await page.close({ runBeforeUnload: true })
  await gone
  return asked
}

async function freshly(): Promise<Tab & { token: string }> {
  const { data } = await told.site.visitor().post(`${API}/user/login/email`, { e_mail: 'admin@example.org', pass: PASSWORD })
  return { ...(await opened({ ...told.story.admin, token: data.access_token })), token: data.access_token }
}
async function logIn(page: Page): Promise<void> {
  await page.getByRole('textbox', { name: '邮箱' }).fill('admin@example.org')
  await page.getByLabel('密码').fill(PASSWORD)
  await press(page, '登录')
}

describe('a picture that the site refuses', () => {
  it('is not offered to be sent again: it says the limit, and another takes its place', async () => {
    const png = (width: number) =>
      sharp({ create: { width, height: width, channels: 3, background: '#39f' } })
        .png()
        .toBuffer()
    const { page } = await opened(drafter)
    await visit(page, '/experiences/ask')
    await page.getByRole('toolbar').waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'huge.png', mimeType: 'image/png', buffer: await png(9000) })
    await page.getByText('百万像素').waitFor()
    expect(await page.getByRole('button', { name: '重试' }).count()).toBe(0)
    const chooser = page.waitForEvent('filechooser')
    await press(page, '选择其他图片')
    await (await chooser).setFiles({ name: 'small.png', mimeType: 'image/png', buffer: await png(20) })
    await holds(text(page), /!\[.*\]\(\/uploads\//)
    expect(await page.getByText('百万像素').count()).toBe(0)
    await text(page).fill('')
  })
})

describe('the session ends', () => {
  const endSession = async (token: string) =>
    expect((await told.site.visitor().fetch(`${API}/user/logout`, { headers: { authorization: token } })).status).toBe(200)

  it('while an experience is written: one logs in and goes on', async () => {
    const { page, token } = await freshly()
    await write(page, '登录失效时写的经验')
    await page.getByText('草稿保存于').waitFor()
    await endSession(token)
    // Whichever call is refused first leads to the login, perhaps before this press.
    await page.evaluate(() => document.querySelector<HTMLButtonElement>('main form [type=submit]')?.click())
    await logIn(page)
    await holds(title(page), '登录失效时写的经验')
    expect(await text(page).inputValue()).toBe(TEXT)
    await press(page, '发布')
    await published(page, '登录失效时写的经验')
    await page.context().close()
  })

  it('while a comment is written: one logs in and goes on', async () => {
    const { page, token } = await freshly()
    await visit(page, post())
    await press(page, '添加评论')
    await comment(page).fill('写了一半的评论，还想留着。')
    await endSession(token)
    await press(page, '评论')
    await logIn(page)
    await comment(page).waitFor()
    await holds(comment(page), '写了一半的评论，还想留着。')
    await press(page, '评论')
    await page.getByRole('listitem').filter({ hasText: '写了一半的评论，还想留着。' }).waitFor()
    await page.context().close()
  })
})

describe('the plugin is switched off', () => {
  it('in which an answer, then a tag is written: both are there again with it', async () => {
    const { page } = await opened(told.story.admin)
    await visit(page, post())
    await press(page, /^写回答/)
    await answer(page).fill('写到一半，插件被关掉了。')
    await told.site.switch('answers', false)
    await answer(page).waitFor({ state: 'detached' })
    await page.getByText('站点关闭了你正在使用的功能').waitFor()
    await told.site.switch('answers', true)
    await holds(answer(page), '写到一半，插件被关掉了。')
    await page.getByText('已恢复上次的草稿').waitFor()
    await answer(page).fill('')

    await visit(page, `/tags/${told.story.tag.id}/edit`)
    await page.getByRole('toolbar').waitFor()
    await text(page).fill('写给所有人的指南。')
    await page.getByRole('textbox', { name: '改动说明' }).fill('补上介绍')
    await told.site.switch('tags', false)
    await page.getByRole('heading', { level: 1, name: '站点刚刚关闭了这项功能' }).waitFor()
    await told.site.switch('tags', true)
    await text(page).waitFor()
    await holds(text(page), '写给所有人的指南。')
    expect(await page.getByRole('textbox', { name: '改动说明' }).inputValue()).toBe('补上介绍')
    await press(page, '丢弃草稿')
    expect([await text(page).inputValue(), await stored(page)]).toEqual(['', []])
    await page.context().close()
  })
})

describe('the network is gone', () => {
  it('while it is sent, and the page is loaded anew after that', async () => {
    const { page } = await opened(told.story.admin)
    await write(page, '没有网络时写的经验')
    await page.context().setOffline(true)
    await press(page, '发布')
    await page.getByText('连接不上服务器').waitFor()
    await page.getByText('你写的内容都还在').waitFor()
    await page.context().setOffline(false)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await holds(title(page), '没有网络时写的经验')
    await press(page, '发布')
    await published(page, '没有网络时写的经验')
    await page.context().close()
  })
})

describe('the site can only be read', () => {
  afterEach(() => serve('open'))
  it('when a post is sent: it says so, and takes it once it is open again', async () => {
    const { page } = await opened(await told.site.member('reader'))
    await write(page, '维护期间写的经验')
    await serve('reading')
    await press(page, '发布')
    await page.getByText('站点目前只能浏览').first().waitFor()
    expect(await title(page).inputValue()).toBe('维护期间写的经验')
    await serve('open')
    await press(page, '发布')
    await published(page, '维护期间写的经验')
    await page.context().close()
  })
})

describe('the tab is closed', () => {
  let context: BrowserContext
  /** Types in a tab, closes it at once, and opens another one there. */
  async function reopened(path: string, type: (page: Page) => Promise<void>): Promise<Page> {
    const page = await context.newPage()
    await visit(page, path)
    await type(page)
    expect(await closed(page)).toEqual([])
    const next = await context.newPage()
    await visit(next, path)
    return next
  }

  it('on an edit, which is put back as an edit of the text it began with: nothing of others is overwritten', async () => {
    const { member, admin, experience } = told.story
    context = await openReader(told.browser, told.site, { person: member })
    const page = await reopened(`/posts/${experience.id}/edit`, async (first) => {
      await text(first).fill('作者改到一半的正文。')
      await first.getByRole('textbox', { name: '修改说明' }).fill('改写')
    })
    await holds(text(page), '作者改到一半的正文。')
    expect(await page.getByRole('textbox', { name: '修改说明' }).inputValue()).toBe('改写')
    expect(await closed(page)).toEqual([])
    const { data } = await admin.get(`${API}/experience/info`, { id: experience.id })
    const { title, tags } = data
    expect((await admin.put(`${API}/experience`, { id: experience.id, title, tags, content: '站长改过的正文。' })).status).toBe(200)
    const late = await context.newPage()
    await visit(late, `/posts/${experience.id}/edit`)
    await holds(text(late), '作者改到一半的正文。')
    await press(late, '保存')
    await late.getByText('在你编辑期间，admin 改过这里').waitFor()
    expect((await admin.get(`${API}/experience/info`, { id: experience.id })).data.content).toBe('站长改过的正文。')
    await press(late, '使用现有内容')
    expect(await text(late).inputValue()).toBe('站长改过的正文。')
    await press(late, '丢弃草稿')
    expect(await stored(late)).toEqual([])
    await context.close()
  })

  it('on an edit of an answer and of a comment', async () => {
    const { other, answer, experience } = told.story
    context = await openReader(told.browser, told.site, { person: other })
    const page = await reopened(`/posts/${experience.id}/${answer.id}/edit`, (first) => text(first).fill('改到一半的回答，还没有保存。'))
    await holds(text(page), '改到一半的回答，还没有保存。')
    await press(page, '保存')
    await page.getByRole('article').filter({ hasText: '改到一半的回答，还没有保存。' }).waitFor()
    await expect.poll(() => stored(page)).toEqual([])
    // A new one: comments can be edited for five minutes.
    const made = await other.post(`${API}/comment`, { object_id: experience.id, original_text: '刚刚写下的评论，马上要改一改。' })
    expect(made.status, made.text).toBe(200)
    const own = (of: Page) => of.getByRole('listitem').filter({ has: of.getByRole('button', { name: '编辑', exact: true }) })
    const edited = (of: Page) => of.getByRole('textbox', { name: '编辑评论' })
    const found = await reopened(post(), async (first) => {
      await own(first).first().getByRole('button', { name: '编辑', exact: true }).click()
      await edited(first).fill('改到一半的评论，还没有保存。')
    })
    await holds(edited(found), '改到一半的评论，还没有保存。')
    await press(found, '保存')
    await found.getByRole('listitem').filter({ hasText: '改到一半的评论，还没有保存。' }).waitFor()
    await expect.poll(() => stored(found)).toEqual([])
    await context.close()
  })

  it('on a new answer, which its person alone finds again, after going elsewhere as well', async () => {
    context = await openReader(told.browser, told.site, { person: drafter })
    const page = await reopened(post(), async (first) => {
      await press(first, /^写回答/)
      await answer(first).fill('写到一半的回答。')
      await first.getByRole('navigation').getByRole('link', { name: '标签', exact: true }).click()
      await first.getByRole('heading', { level: 1, name: '标签' }).waitFor()
      expect(await stored(first)).toEqual([`stoa:draft:${drafter.id}:answer:${told.story.experience.id}`])
    })
    await holds(answer(page), '写到一半的回答。')
    await page.getByText('已恢复上次的草稿').waitFor()
    // What is typed goes on in the same draft.
    await answer(page).pressSequentially('再写一句')
    await page.reload()
    await isLive(page)
    await holds(answer(page), /再写一句/)
    expect(await page.getByText('还有一份').count()).toBe(0)
    await press(page, '丢弃草稿')
    expect([await answer(page).inputValue(), await stored(page)]).toEqual(['', []])
    await context.close()
  })

  it('on a new comment or a reply, whose draft goes when it is cancelled', async () => {
    context = await openReader(told.browser, told.site, { person: drafter })
    const page = await reopened(post(), async (first) => {
      await press(first, '添加评论')
      await comment(first).fill('写到一半的评论')
    })
    await holds(comment(page), '写到一半的评论')
    await press(page, '取消')
    await page.reload()
    await isLive(page)
    expect(await comment(page).count()).toBe(0)

    const reply = (of: Page) => of.getByRole('textbox', { name: /^回复/ })
    const found = await reopened(post(), async (first) => {
      await press(first, '回复')
      await reply(first).pressSequentially('写到一半的回复')
    })
    await holds(reply(found), /^@ben 写到一半的回复$/)
    await press(found, '取消')
    expect(await stored(found)).toEqual([])
    await context.close()
  })
})

describe('a second tab', () => {
  it('overwrites nothing: the newer draft is put back, the older is offered', async () => {
    const context = await openReader(told.browser, told.site, { person: drafter })
    const [first, second] = [await context.newPage(), await context.newPage()]
    for (const page of [first, second]) {
      await visit(page, post())
      await press(page, /^写回答/)
    }
    await answer(first).fill('第一个标签页里的回答')
    await answer(second).fill('第二个标签页里的回答')
    expect(await closed(first)).toEqual([])
    await expect.poll(() => stored(second)).toHaveLength(1)
    await second.reload()
    await isLive(second)
    await holds(answer(second), '第二个标签页里的回答')
    for (const which of ['第一个', '第二个', '第一个']) {
      await press(second, '改用那一份')
      expect(await answer(second).inputValue()).toBe(`${which}标签页里的回答`)
    }
    await press(second, '发布回答')
    await second.getByRole('article').filter({ hasText: '第一个标签页里的回答' }).waitFor()
    expect(await stored(second)).toHaveLength(1)
    await context.close()
  })
})

describe('a second person', () => {
  it('edits the same answer: the first is shown the difference and may take what stands there', async () => {
    const { other, admin, answer, experience } = told.story
    const { page } = await opened(other)
    await visit(page, `/posts/${experience.id}/${answer.id}/edit`)
    await text(page).fill('买之前要看清楚证书。')
    const theirs = '买之前一定要看清楚证书和重量。'
    expect((await admin.put(`${API}/answer`, { id: answer.id, experience_id: experience.id, content: theirs })).status).toBe(200)
    await press(page, '保存')
    await page.getByText('在你编辑期间，admin 改过这里').waitFor()
    await page.getByRole('group', { name: '改动' }).getByText('重量').waitFor()
    await press(page, '使用现有内容')
    expect(await text(page).inputValue()).toBe(theirs)
    await page.getByText('在你编辑期间').waitFor({ state: 'detached' })
    await text(page).fill(`${theirs}还要多比较。`)
    await press(page, '保存')
    await page.getByRole('article').filter({ hasText: '还要多比较。' }).waitFor()
    await page.context().close()
  })

  it('edits the same tag: the first is shown the difference and may go on with their own', async () => {
    const { admin, tag } = told.story
    const mona = await told.site.moderator('mona')
    const { page } = await opened(admin)
    await visit(page, `/tags/${tag.id}/edit`)
    await text(page).fill('给新来的人看的指南。')
    const theirs = { tag_id: tag.id, slug_name: tag.slug, display_name: '指南', original_text: '给所有人看的指南。' }
    expect((await mona.put(`${API}/tag`, theirs)).status).toBe(200)
    await press(page, '保存')
    await page.getByText('在你编辑期间，有人改过这里', { exact: true }).waitFor()
    await page.getByText('现在的名称：指南（guide）').waitFor()
    await page.getByRole('group', { name: '改动' }).getByText('所有').first().waitFor()
    expect((await mona.get(`${API}/tag`, { name: tag.slug })).data.original_text).toBe('给所有人看的指南。')
    await press(page, '保留我的内容')
    await press(page, '保存')
    await page.waitForURL(/\/info$/)
    expect((await mona.get(`${API}/tag`, { name: tag.slug })).data.original_text).toBe('给新来的人看的指南。')
    await page.context().close()
  })
})

/** Comes last: everybody's session is old afterwards. */
describe('the token expires', () => {
  it('while a tag is edited, weeks after the login: one logs in and goes on', async () => {
    const { page } = await freshly()
    await visit(page, `/tags/${told.story.tag.id}/edit`)
    await text(page).fill('登录过期时写的指南。')
    told.site.advance(30 * 24 * 3600)
    // What the page asks for by itself may meet the end of the session before the save does: then the button has gone already.
    await page.getByRole('button', { name: '保存', exact: true }).evaluateAll(([button]) => (button as HTMLElement | undefined)?.click())
    await logIn(page)
    await holds(text(page), '登录过期时写的指南。')
    await press(page, '保存')
    await page.waitForURL(/\/info$/)
    await page.getByText('登录过期时写的指南。').first().waitFor()
    expect(await stored(page)).toEqual([])
    await page.context().close()
  })
})
