import type { BrowserContext, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressOf, everyPage } from './every-page.ts'
import { storySite } from './story-site.ts'
import { isLive, openReader } from './tab.ts'

const told = storySite()
let context: BrowserContext
let page: Page

beforeAll(async () => {
  context = await openReader(told.browser, told.site, { javaScriptEnabled: false })
  page = await context.newPage()
})

const heading = (name: string) => page.getByRole('heading', { level: 1, name })

describe('without JavaScript', () => {
  it('one reads from the home page to an experience with its answers and comments', async () => {
    await page.goto('/')
    await page.getByRole('main').getByRole('link', { name: told.story.experience.title }).click()
    await heading(told.story.experience.title).waitFor()
    expect(await page.locator('main pre code').isVisible()).toBe(true)
    expect(await page.getByText('买之前一定要看清楚证书').first().isVisible()).toBe(true)
    expect(await page.getByText('谢谢分享，很有用。').isVisible()).toBe(true)
  })

  it('one opens a spoiler, ticks nothing off and follows a footnote there and back', async () => {
    const { admin } = told.story
    const content = '# 标题\n\n夜车[^1]\n\n>! 结局\n\n- [x] 买票\n\n[^1]: 注释\n\n|甲|乙|\n|-|-:|\n|1|2|'
    const { data } = await admin.post<{ id: string }>('/answer/api/v1/experience', {
      title: '怎样读懂一篇攻略',
      content,
      tags: [{ slug_name: 'guide' }],
    })
    await page.goto(`/experiences/${data.id}`)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.getByText('结局').isVisible()).toBe(false)
    await page.getByText('剧透').press('Enter')
    expect(await page.getByText('结局').isVisible()).toBe(true)
    expect(await page.getByRole('checkbox', { name: '买票' }).isDisabled()).toBe(true)
    await page.getByRole('link', { name: '[1]' }).click()
    expect(decodeURIComponent(new URL(page.url()).hash)).toMatch(/^#fn-/)
    await page.getByRole('link', { name: '回到正文' }).click()
    expect(new URL(page.url()).hash).toMatch(/^#fnref-/)
  })

  it('goes on to its tag, its author and the lists', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Guide' }).first().click()
    await heading('标签“Guide”').waitFor()
    await page.getByRole('main').getByRole('link', { name: told.story.experience.title }).click()
    await page.getByRole('main').getByRole('link', { name: 'ana', exact: true }).first().click()
    await heading('ana').waitFor()
    await page.getByRole('link', { name: '经验', exact: true }).last().click()
    await page.getByRole('main').getByRole('link', { name: told.story.experience.title }).waitFor()
    for (const [link, title] of [
      ['全部经验', '经验'],
      ['标签', '标签'],
      ['用户', '用户'],
    ] as const) {
      await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click()
      await heading(title).waitFor()
    }
  })

  it('finds by the search box, which is a plain form', async () => {
    await page.goto('/')
    await page.getByRole('search').getByRole('combobox').fill(told.story.experience.word)
    await page.getByRole('search').getByRole('combobox').press('Enter')
    await page.getByRole('main').getByRole('link', { name: told.story.experience.word }).first().click()
    await heading(told.story.experience.title).waitFor()
  })

  it('sorts a list by links', async () => {
    await page.goto('/experiences')
    await page.getByRole('link', { name: '待回答' }).click()
    await expect.poll(() => page.getByRole('main').getByRole('link', { name: told.story.experience.title }).count()).toBe(0)
  })

  it.each(everyPage.filter(({ slug }) => slug !== 'install'))('$pattern says what needs scripts', async (visited) => {
    await page.goto(addressOf(visited, told.story))
    expect(await page.locator('noscript .stoa-noscript').isVisible()).toBe(true)
    // What would be sent to the page itself ends up in its address, or nowhere.
    expect(await page.locator('form:not([action]):not([method=dialog])').count()).toBe(0)
    // The frame stands either way: one is never in a dead end.
    expect(await page.getByRole('banner').getByRole('link').first().isVisible()).toBe(true)
    expect(await page.getByRole('contentinfo').isVisible()).toBe(true)
    expect(await page.getByRole('heading', { level: 1 }).first().isVisible()).toBe(true)
    if (!visited.onServer) await heading('本页需要 JavaScript').waitFor()
    // What only scripts press is not to be seen.
    const dead = page.locator('button:visible:not([popovertarget]):not(form[action] button)')
    expect(await dead.allTextContents()).toEqual([])
  })
})

describe('forms without JavaScript', () => {
  const PASSWORD = 'correct horse 7'
  const field = (name: string) => page.locator(`main [name=${name}]`)
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor()
  const isMember = () => page.locator('html[data-member]').count()
  const path = () => new URL(page.url()).pathname
  /** Path and query of the link in the newest mail to somebody that leads to `page`. */
  const mailedLink = async (to: string, page: string): Promise<string> => {
    const text = (await told.site.mail()).findLast((mail) => mail.to === to && mail.text.includes(page))?.text
    return new RegExp(`/users/${page}\\?code=\\S+`).exec(text ?? '')?.[0] ?? ''
  }
  let post = ''
  beforeAll(() => {
    post = `/experiences/${told.story.experience.id}`
  })

  it('log in, with what is wrong said beside what was typed, and lead back to where one wanted to go', async () => {
    await page.goto(post)
    await page.getByRole('button', { name: '赞同' }).first().click()
    expect(path()).toBe('/users/login')
    await field('e_mail').fill('admin@example.org')
    await field('pass').fill('wrong password')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await alert('邮箱或密码不正确')
    expect([await field('e_mail').inputValue(), await field('pass').inputValue()]).toEqual(['admin@example.org', ''])
    expect(await page.content()).not.toContain('wrong password')
    await field('pass').fill(PASSWORD)
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await heading(told.story.experience.title).waitFor()
    expect(await isMember()).toBe(1)
    expect(page.url()).not.toContain(PASSWORD)
  })

  it('vote, react, follow and bookmark, and take each back', async () => {
    const shown = (name: string) => page.getByRole('button', { name }).first()
    const score = () => page.locator('main fieldset span[aria-hidden]').first().textContent()
    const before = Number(await score())
    for (const [press, now] of [
      ['赞同', 1],
      ['赞同', 0],
      ['反对', -1],
      ['赞同', 1],
    ] as const) {
      await shown(press).click()
      await heading(told.story.experience.title).waitFor()
      expect(Number(await score())).toBe(before + now)
    }
    for (const [give, given] of [
      ['送一颗爱心', '爱心：admin'],
      ['关注', '关注 1'],
      ['收藏', '收藏 1'],
    ] as const) {
      await shown(give).click()
      await heading(told.story.experience.title).waitFor()
      await shown(given.split(' ')[0] as string).click()
      await heading(told.story.experience.title).waitFor()
    }
    const { data } = await told.story.admin.get('/answer/api/v1/experience/info', { id: told.story.experience.id })
    expect([data.vote_status, data.beside?.reactions, data.is_followed, data.collected]).toEqual(['vote_up', undefined, false, false])
  })

  it('comment, and keep what is too short', async () => {
    await field('original_text').first().fill('短')
    await page.getByRole('button', { name: '评论', exact: true }).first().click()
    await page.getByText('至少').first().waitFor()
    expect(await field('original_text').first().inputValue()).toBe('短')
    await field('original_text').first().fill('没有脚本也能评论。\n第二行')
    await page.getByRole('button', { name: '评论', exact: true }).first().click()
    await page.getByRole('listitem').filter({ hasText: '没有脚本也能评论。' }).waitFor()
    expect(new URL(page.url()).hash).toMatch(/^#comment-\d+/)
  })

  it('answer', async () => {
    await field('content').fill('没有脚本也写得出一个回答。')
    await page.getByRole('button', { name: '发布回答' }).click()
    await page.getByRole('article').filter({ hasText: '没有脚本也写得出一个回答。' }).waitFor()
  })

  it('log out by the bar that says that there are no scripts', async () => {
    await page.getByRole('link', { name: '退出登录' }).click()
    await page.getByRole('button', { name: '退出登录' }).click()
    expect([path(), await isMember()]).toEqual(['/', 0])
  })

  it('sign up and activate', async () => {
    await page.goto('/users/register')
    await field('name').fill('无脚本')
    await field('e_mail').fill('plain@example.org')
    await field('pass').fill('short')
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await page.getByText('至少').first().waitFor()
    expect(await field('name').inputValue()).toBe('无脚本')
    await field('pass').fill(PASSWORD)
    await page.getByRole('button', { name: '注册', exact: true }).click()
    await heading('还差一步：查收邮件').waitFor()
    await page.goto(await mailedLink('plain@example.org', 'account-activation'))
    await page.getByRole('button', { name: '激活账号' }).click()
    expect([path(), await isMember()]).toEqual(['/', 1])
    await context.clearCookies({ name: 'stoa_session' })
  })

  it('set a new password by mail', async () => {
    await page.goto('/users/account-recovery')
    await field('e_mail').fill('plain@example.org')
    await page.getByRole('button', { name: '发送链接' }).click()
    await page.getByText('重置链接很快就会送达').waitFor()
    await page.goto(await mailedLink('plain@example.org', 'password-reset'))
    await field('pass').fill('another horse 8')
    await field('again').fill('another house 8')
    await page.getByRole('button', { name: '保存新密码' }).click()
    await page.getByText('两次输入的密码不一致').first().waitFor()
    await field('pass').fill('another horse 8')
    await field('again').fill('another horse 8')
    await page.getByRole('button', { name: '保存新密码' }).click()
    await page.getByText('密码已更新').waitFor()
    const { status } = await told.site
      .visitor()
      .post('/answer/api/v1/user/login/email', { e_mail: 'plain@example.org', pass: 'another horse 8' })
    expect(status).toBe(200)
  })
})

describe('a form that was sent before its scripts came', () => {
  it('has logged in who sent it, for the scripts too', async () => {
    const early = await (await openReader(told.browser, told.site)).newPage()
    let holdBack = true
    await early.route(/\/static\/.*\.js$/, (route) => (holdBack ? route.abort() : route.continue()))
    await early.goto('/users/login')
    await early.locator('[name=e_mail]').fill('admin@example.org')
    await early.locator('[name=pass]').fill('wrong password')
    holdBack = false
    await early.locator('[name=pass]').press('Enter')
    await early.getByRole('alert').waitFor()
    await isLive(early)
    expect(new URL(early.url()).pathname).toBe('/users/login')
    expect(await early.locator('[name=e_mail]').inputValue()).toBe('admin@example.org')
    holdBack = true
    await early.reload()
    await early.locator('[name=e_mail]').fill('admin@example.org')
    await early.locator('[name=pass]').fill('correct horse 7')
    holdBack = false
    await early.locator('[name=pass]').press('Enter')
    await early.waitForURL((url) => url.pathname === '/')
    await early.locator('header [data-known] button').waitFor()
  })
})
