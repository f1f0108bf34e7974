import { existsSync } from 'node:fs'
import type { TestPerson } from '@stoa/sdk/testing'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { answered } from '../../plugins/answers/testing/index.ts'
import { commented } from '../../plugins/comments/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { objections } from './look.ts'
import { storySite } from './story-site.ts'
import { deviceOf, openReader, openTab } from './tab.ts'

const pictures = process.env.STOA_PICTURES

async function picture(page: Page, name: string): Promise<void> {
  if (pictures && existsSync(pictures)) await page.screenshot({ path: `${pictures}/${name}.png` })
}

describe('people who talk', () => {
  const opened = storySite()
  const whole = (page: Page) => page.locator('footer select:enabled').first().waitFor()

  /** A post with an answer, under a tag that the site has. */
  const asked = async (asker: TestPerson, answerer: TestPerson) => {
    const experience = await posted(asker, { tags: [opened.story.tag.slug] })
    return { experience, answer: await answered(answerer, experience) }
  }

  it.each([
    [1280, 'light', 'zh_CN', '爱心'],
    [390, 'dark', 'en_US', 'Heart'],
  ] as const)('react, invite and share, %i px wide, %s', async (width, scheme, language, heart) => {
    const { browser, site } = opened
    const [ana, ben] = [await site.member(`ana${width}`), await site.member(`ben${width}`)]
    const { experience, answer } = await asked(ana, ben)
    const context = await openReader(browser, site, { person: ana, width, scheme, language })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const tab = await openTab(context)
    const { page } = tab
    const chinese = language === 'zh_CN'
    await page.goto(`/experiences/${experience}`)
    await whole(page)

    const post = page.locator('main article').first()
    await post.getByRole('button', { name: chinese ? '添加回应' : 'React' }).click()
    await page.getByRole('menuitem', { name: chinese ? '送一颗爱心' : 'Give a heart' }).click()
    const given = post.getByRole('button', { name: `${heart}` })
    await given.and(page.locator('[title]:not([title=""])')).waitFor()
    expect(await given.getAttribute('aria-pressed')).toBe('true')

    await post.getByRole('button', { name: chinese ? '邀请别人回答' : 'Invite people to answer' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').fill(`ben${width}`)
    await dialog.getByRole('option').first().waitFor()
    expect(await objections(page)).toEqual([])
    await picture(page, `invite-${width}-${scheme}`)
    await page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: chinese ? '保存邀请' : 'Save invitations' }).click()
    await post.getByRole('link', { name: `ben${width}` }).waitFor()

    await post.getByRole('button', { name: chinese ? '分享' : 'Share', exact: true }).click()
    await picture(page, `share-${width}-${scheme}`)
    await page.getByRole('menuitem', { name: chinese ? '复制链接' : 'Copy link' }).click()
    await page.getByText(chinese ? '链接已复制' : 'Link copied').waitFor()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(new URL(link).searchParams.get('share')).toBe(`ana${width}`)
    expect(link.length).toBeLessThan(60)

    const box = page.locator(`#answer-${answer}`)
    await box.getByRole('button', { name: chinese ? '添加回应' : 'React' }).click()
    await page.getByRole('menuitem', { name: chinese ? '送一个微笑' : 'Give a smile' }).click()
    await box.getByRole('button', { name: chinese ? '微笑' : 'Smile' }).waitFor()
    expect(await objections(page)).toEqual([])
    await picture(page, `talk-${width}-${scheme}`)
    expect(tab.complaints()).toEqual([])

    const guest = await openTab(await openReader(browser, site, { width, scheme, language }))
    await guest.page.goto(link)
    await whole(guest.page)
    expect(new URL(guest.page.url()).pathname).toMatch(new RegExp(`^/experiences/${experience}`))
    expect(await guest.page.locator('main article').first().getByRole('button', { name: heart }).getAttribute('aria-pressed')).toBe('false')
    expect(guest.complaints()).toEqual([])
    await guest.page.context().close()
    await context.close()
  })

  it.each([
    ['MicroMessenger/8.0', '在微信中发送', '发送给朋友'],
    ['MicroMessenger/7.0 wxwork/4.1', '在企业微信中发送', '转发'],
    ['AliApp(DingTalk/7.0)', '在钉钉中发送', '分享'],
  ])('are told how to share inside %s', async (agent, entry, hint) => {
    const { browser, site } = opened
    const post = await posted(await site.admin())
    const context = await openReader(browser, site, { width: 390, userAgent: `Mozilla/5.0 (Linux; Android 14) ${agent}` })
    const { page } = await openTab(context)
    await page.goto(`/experiences/${post}`)
    await whole(page)
    await page.locator('main article').first().getByRole('button', { name: '分享', exact: true }).click()
    await page.getByRole('menuitem', { name: entry }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`“${hint}”`).waitFor()
    expect(await dialog.getByRole('textbox').inputValue()).toContain('/experiences/')
    await picture(page, `inside-${hint}`)
    await context.close()
  })

  it('pass a post on by the system, with the link to copy where the browser refuses', async () => {
    const { browser, site } = opened
    const post = await posted(await site.admin(), { content: '## 第一节\n\n正文。' })
    const context = await openReader(browser, site, deviceOf(390))
    await context.addInitScript(`
      window.outcomes = [undefined, 'AbortError', 'NotAllowedError']
      window.given = []
      navigator.share = async (data) => {
        given.push(data)
        const refusal = outcomes.shift()
        if (refusal) throw new DOMException('', refusal)
      }`)
    const { page, complaints } = await openTab(context)
    await page.goto(`/experiences/${post}`)
    await whole(page)
    const send = async () => {
      await page.locator('main article').first().getByRole('button', { name: '分享', exact: true }).click()
      await page.getByRole('menuitem', { name: '用其他应用分享' }).click()
    }
    const given = () => page.evaluate<{ title: string; url: string }[]>('given')
    for (const times of [1, 2]) {
      await send()
      await expect.poll(given).toHaveLength(times)
      expect(await page.getByRole('dialog').count()).toBe(0)
    }
    await send()
    const shown = await page.getByRole('dialog').getByRole('textbox').inputValue()
    expect((await given()).map(({ url }) => url)).toEqual([shown, shown, shown])
    await page.keyboard.press('Escape')

    const heading = page.getByRole('heading', { name: '第一节' })
    const sign = heading.getByRole('link')
    const [words, box] = [await heading.boundingBox(), await sign.boundingBox()]
    expect(box?.x).toBeGreaterThan(words?.x as number)
    expect(await sign.evaluate((link) => Number(getComputedStyle(link).opacity))).toBeGreaterThan(0.5)
    await sign.tap()
    expect(decodeURIComponent(new URL(page.url()).hash)).toContain('第一节')
    expect(complaints()).toEqual([])
    await context.close()
  })

  it('log in and write where the browser stores nothing, and are asked before they leave what they wrote', async () => {
    const { browser, site, story } = opened
    const context = await openReader(browser, site, { viewport: { width: 390, height: 420 } })
    await context.addInitScript(`Object.defineProperty(window, 'localStorage', { value: null })`)
    const { page } = await openTab(context)
    await page.goto(`/experiences/${story.experience.id}`)
    await whole(page)
    await page.getByRole('button', { name: '添加评论' }).first().click()
    await page.getByRole('textbox', { name: '邮箱' }).fill('admin@example.org')
    await page.getByLabel('密码').fill('correct horse 7')
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: story.experience.title }).waitFor()
    await page.getByRole('button', { name: '添加评论' }).first().click()
    await page.getByRole('textbox', { name: '评论', exact: true }).fill('在应用里写的评论。')
    await page.getByRole('banner').getByRole('link').first().click()
    await page.getByRole('dialog').getByRole('button', { name: '留下' }).click()
    await page.getByRole('button', { name: '评论', exact: true }).click()
    await page.getByRole('listitem').filter({ hasText: '在应用里写的评论。' }).waitFor()
    await context.close()
  })

  it('are led to a comment of theirs from the list of them', async () => {
    const { browser, site, story } = opened
    const { page } = await openTab(await openReader(browser, site, { person: story.other, viewport: { width: 390, height: 300 } }))
    await page.goto(`/users/${story.other.name}/comments`)
    await whole(page)
    await page.getByRole('link', { name: story.experience.title }).last().click()
    const comment = page.locator(`#comment-${story.comment.id}`)
    await comment.and(page.locator('[data-named]')).waitFor()
    await expect.poll(() => comment.evaluate((item) => item.getBoundingClientRect().bottom < innerHeight)).toBe(true)
    await page.context().close()
  })

  it('see new answers and comments announced, and nothing moves before they press', async () => {
    const { browser, site } = opened
    const [ana, ben] = [await site.member('ana-live'), await site.member('ben-live')]
    const { experience, answer } = await asked(ana, ben)
    const context = await openReader(browser, site, { person: ana, language: 'en_US' })
    const tab = await openTab(context)
    const { page } = tab
    const listening = page.waitForRequest((request) => request.url().includes('listen='))
    await page.goto(`/experiences/${experience}`)
    await whole(page)
    await (await listening).response()
    await page.locator('main article').first().getByRole('button', { name: 'Invite people to answer' }).waitFor()
    await tab.shifts()
    const [eva, fay] = [await site.member('eva-live'), await site.member('fay-live')]
    await answered(eva, experience, 'Eva took the night train too.')
    await answered(fay, experience, 'Fay took the bus instead.')
    await page.getByRole('button', { name: '2 new answers' }).waitFor()
    await commented(eva, answer)
    await page.locator(`#answer-${answer}`).getByRole('button', { name: '1 new comment' }).waitFor()
    await picture(page, 'live-1280')
    expect(await page.getByText('Eva took the night train too.').count()).toBe(0)
    expect((await tab.shifts()).filter(({ score }) => score > 0.01)).toEqual([])
    await page.getByRole('button', { name: '2 new answers' }).click()
    await page.getByText('Fay took the bus instead.').waitFor()
    await page.getByText('Eva took the night train too.').waitFor()
    expect(await page.getByRole('button', { name: 'new answers' }).count()).toBe(0)
    await page.locator(`#answer-${answer}`).getByRole('button', { name: '1 new comment' }).click()
    await page.locator(`#answer-${answer} li[id^="comment-"]`).waitFor()
    expect(tab.complaints()).toEqual([])
    await context.close()
  })

  it('keep the comments they opened and wrote when the page is loaded anew, and see those of the next post there', async () => {
    const { browser, site } = opened
    const [ana, ben, mona] = [await site.member('ana-kept'), await site.member('ben-kept'), await site.moderator('mona-kept')]
    const other = await posted(ana)
    await commented(ben, other, 'Of the other post.')
    const experience = await posted(ana, { content: `As in [the other post](/experiences/${other}), but by night.` })
    for (let n = 0; n < 7; n++) await commented(ben, experience)
    const tab = await openTab(await openReader(browser, site, { person: mona, language: 'en_US' }))
    const { page } = tab
    await page.goto(`/experiences/${experience}`)
    await whole(page)
    const shown = page.locator('li[id^="comment-"]')
    await page.getByRole('button', { name: 'Show 2 more comments' }).click()
    await expect.poll(() => shown.count()).toBe(7)
    await page.getByRole('button', { name: 'Add a comment' }).first().click()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('The eighth of them.')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => shown.count()).toBe(8)
    await page.getByRole('button', { name: 'More actions' }).first().click()
    await page.getByRole('menuitem', { name: 'Pin' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pin' }).click()
    await page.getByText('Pinned').first().waitFor()
    expect(await shown.count()).toBe(8)
    await page.getByRole('link', { name: 'the other post' }).click()
    await page.getByText('Of the other post.').waitFor()
    expect(await shown.count()).toBe(1)
    expect(tab.complaints()).toEqual([])
  })

  it('see pictures of other sites only once they ask for them, and always if they say so', async () => {
    const { browser, site } = opened
    const admin = await site.admin()
    const text = (n: number) => `Our train ${n} ![the coast](https://pictures.example/coast.png) went along the sea.`
    const [first, second] = [await posted(admin, { content: text(1) }), await posted(admin, { content: text(2) })]
    const legal = await admin.get('/answer/admin/api/siteinfo/legal')
    const change = (external_content_display: string) =>
      admin.put('/answer/admin/api/siteinfo/legal', { ...legal.data, external_content_display })
    expect((await change('ask_before_display')).status).toBe(200)
    try {
      const context = await openReader(browser, site, { language: 'en_US' })
      const { page } = await openTab(context)
      const asked: string[] = []
      page.on('request', (request) => request.url().includes('pictures.example') && asked.push(request.url()))
      await page.goto(`/experiences/${first}`)
      await whole(page)
      await page.getByRole('button', { name: 'Show pictures' }).waitFor()
      await picture(page, 'held-pictures')
      expect(await objections(page)).toEqual([])
      expect(asked).toEqual([])
      await page.getByRole('button', { name: 'Show pictures' }).click()
      await page.locator('img[src*="pictures.example"]').waitFor({ state: 'attached' })
      expect(await page.getByRole('button', { name: 'Show pictures' }).count()).toBe(0)
      await page.goto(`/experiences/${second}`)
      await page.getByRole('button', { name: 'Always show' }).click()
      await page.locator('img[src*="pictures.example"]').waitFor({ state: 'attached' })
      await page.goto(`/experiences/${first}`)
      await page.locator('img[src*="pictures.example"]').waitFor({ state: 'attached' })
      await context.close()
    } finally {
      await change('always_display')
    }
  })

  it('read posts that are complete with reactions, invitations and share switched off', async () => {
    const { browser, site } = opened
    const post = await posted(await site.admin())
    const slugs = ['reactions', 'invitations', 'share']
    for (const slug of slugs) await site.switch(slug, false)
    try {
      const context = await openReader(browser, site, { person: await site.admin() })
      const tab = await openTab(context)
      await tab.page.goto(`/experiences/${post}`)
      await whole(tab.page)
      for (const name of ['添加回应', '邀请别人回答', '分享']) expect(await tab.page.getByRole('button', { name }).count()).toBe(0)
      expect(tab.complaints()).toEqual([])
      await context.close()
    } finally {
      for (const slug of slugs) await site.switch(slug, true)
    }
  })
})
