import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { Story } from '../support/story.ts'
import { storySite } from './story-site.ts'
import type { Tab } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const API = '/answer/api/v1'
const PASSWORD = 'correct horse 7'
const TEXT = '写了很久的一段正文，不能丢。'

const told = storySite()

const title = (page: Page) => page.getByRole('textbox', { name: '标题' })
const submit = (page: Page) => page.getByRole('button', { name: '发布', exact: true })
const published = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

async function write(page: Page, name: string): Promise<void> {
  await visit(page, '/experiences/ask')
  await title(page).fill(name)
  await page.getByRole('toolbar').waitFor()
  await page.getByRole('textbox', { name: '正文' }).fill(TEXT)
  await page.getByRole('combobox', { name: '标签' }).fill('gui')
  await page.getByRole('option', { name: 'Guide' }).click()
}
const opened = async (person: Story['admin']): Promise<Tab> => openTab(await openReader(told.browser, told.site, { person }))

describe('what is being written survives', () => {
  it('a line that is cut while it is sent, and a reload after that', async () => {
    const { page } = await opened(told.story.admin)
    await write(page, '没有网络时写的经验')
    await page.context().setOffline(true)
    await submit(page).click()
    await page.getByText('连接不上服务器').waitFor()
    await page.getByText('你写的内容都还在').waitFor()
    await page.context().setOffline(false)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await expect.poll(() => title(page).inputValue()).toBe('没有网络时写的经验')
    await submit(page).click()
    await published(page, '没有网络时写的经验')
  })

  const endSession = async (token: string) =>
    expect((await told.site.visitor().fetch(`${API}/user/logout`, { headers: { authorization: token } })).status).toBe(200)
  async function freshly(): Promise<Tab & { token: string }> {
    const { data } = await told.site.visitor().post(`${API}/user/login/email`, { e_mail: 'admin@example.org', pass: PASSWORD })
    return { ...(await opened({ ...told.story.admin, token: data.access_token })), token: data.access_token }
  }
  async function logIn(page: Page): Promise<void> {
    await page.getByRole('textbox', { name: '邮箱' }).fill('admin@example.org')
    await page.getByLabel('密码').fill(PASSWORD)
    await page.getByRole('button', { name: '登录', exact: true }).click()
  }

  it('a session that ended meanwhile: one logs in and goes on', async () => {
    const { page, token } = await freshly()
    await write(page, '登录失效时写的经验')
    await page.getByText('草稿保存于').waitFor()
    await endSession(token)
    // Whichever call is refused first leads to the login, perhaps before this press.
    await page.evaluate(() => document.querySelector<HTMLButtonElement>('main form [type=submit]')?.click())
    await logIn(page)
    await expect.poll(() => title(page).inputValue()).toBe('登录失效时写的经验')
    expect(await page.getByRole('textbox', { name: '正文' }).inputValue()).toBe(TEXT)
    await submit(page).click()
    await published(page, '登录失效时写的经验')
  })

  it('a session that ended while commenting: one is asked before the page goes', async () => {
    const { page, token } = await freshly()
    await visit(page, `/experiences/${told.story.experience.id}`)
    await page.getByRole('button', { name: '添加评论' }).first().click()
    const comment = page.getByRole('textbox', { name: '评论', exact: true })
    await comment.fill('写了一半的评论，还想留着。')
    await endSession(token)
    await page.getByRole('button', { name: '评论', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: '登录已失效' })
    await dialog.getByRole('button', { name: '留下' }).click()
    expect(await comment.inputValue()).toBe('写了一半的评论，还想留着。')
  })
})

describe('a hasty or unlucky reader', () => {
  it('who presses twice posts once', async () => {
    const { page } = await opened(told.story.admin)
    await write(page, '按了两次发布的经验')
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/experience')) sent++
    })
    await submit(page).dblclick()
    await published(page, '按了两次发布的经验')
    expect(sent).toBe(1)
  })

  it('who follows dead links keeps a whole site, and no plugin is blamed', async () => {
    const links = [1, 2, 3, 4].map((n) => `[死链${n}](/experiences/${n}00000)`).join('\n\n')
    const body = { title: '满是死链的经验', content: links, tags: [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }] }
    const { id } = (await told.story.admin.post<{ id: string }>(`${API}/experience`, body)).data
    const tab = await openTab(await openReader(told.browser, told.site))
    const { page } = tab
    await visit(page, `/experiences/${id}`)
    for (const n of [1, 2, 3, 4]) {
      await page.getByRole('link', { name: `死链${n}` }).click()
      await page.getByRole('heading', { level: 1, name: '抱歉，这个页面不存在' }).waitFor()
      await page.goBack()
      await published(page, body.title)
    }
    await page.getByRole('link', { name: '全部经验' }).click()
    await page.getByRole('main').getByRole('link', { name: body.title }).waitFor()
    expect(tab.complaints().filter((line) => !line.endsWith(' 404'))).toEqual([])
  })
})

describe('hostile text', () => {
  it('runs nowhere, and stays readable as what it is', async () => {
    const hostile = `"><img src="//nowhere.example/x" onerror="window.hit=1"><script>window.hit=1</script>`
    const person = await told.site.member('eve')
    const tags = [{ slug_name: 'guide', display_name: 'Guide', original_text: '' }]
    const content = `${hostile}\n\n[a](javascript:window.hit=1) <svg onload="window.hit=1"></svg> <iframe srcdoc="<script>parent.hit=1</script>"></iframe>`
    const { id } = (await person.post<{ id: string }>(`${API}/experience`, { title: hostile, content, tags })).data
    const said = await person.post(`${API}/comment`, { object_id: id, original_text: hostile, mention_username_list: [] })
    expect(said.status).toBe(200)
    const about = { display_name: '"><b>eve</b>', username: 'eve', bio: content, website: '', location: hostile.slice(0, 60) }
    expect((await person.put(`${API}/user/info`, about)).status).toBe(200)
    await told.site.idle()
    const tab = await openTab(await openReader(told.browser, told.site))
    const { page } = tab
    for (const path of ['/', '/experiences', `/experiences/${id}`, '/users/eve', `/search?q=${encodeURIComponent('"><img')}`]) {
      await visit(page, path)
      expect(await page.evaluate('window.hit'), path).toBeUndefined()
      expect(await page.locator('main :is(script, iframe, svg[onload], [onerror])').count(), path).toBe(0)
    }
    await visit(page, `/experiences/${id}`)
    await page.getByRole('heading', { level: 1 }).getByText(hostile).waitFor()
    await page.getByRole('link', { name: '"><b>eve</b>' }).first().waitFor()
    expect(tab.complaints()).toEqual([])
  })
})
