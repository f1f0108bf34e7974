import { describe, expect, it } from 'vitest'
import { answered } from '../../plugins/answers/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { objections } from './look.ts'
import { storySite } from './story-site.ts'
import { openReader, openTab } from './tab.ts'

const texts = {
  zh_CN: {
    bell: '通知：1 条新通知',
    quiet: '通知',
    said: '回答了你的经验',
    more: '等 2 人回答了你的经验',
    show: '显示新通知',
    readAll: '全部标为已读',
    votes: '投票',
    empty: '还没有通知',
    off: '关闭',
    saved: '通知设置已保存',
    kind: '你的经验有新回答：邮件',
    save: '保存',
  },
  en_US: {
    bell: 'Notifications: 1 new',
    quiet: 'Notifications',
    said: 'answered your post',
    more: 'and 1 other answered your post',
    show: 'Show new notifications',
    readAll: 'Mark all as read',
    votes: 'Votes',
    empty: 'No notifications yet',
    off: 'Off',
    saved: 'Notification settings saved',
    kind: 'Answers to your posts: Email',
    save: 'Save',
  },
}

describe('somebody whose post is answered', () => {
  const opened = storySite()

  it.each([
    [1280, 'light', 'zh_CN'],
    [390, 'dark', 'en_US'],
  ] as const)('sees it at once on the page they read, and goes there, %i px wide, %s', async (width, scheme, language) => {
    const { browser, site, story } = opened
    const text = texts[language]
    const gia = await site.member(`gia${width}`)
    const [eva, fay] = [await site.member('eva'), await site.member('fay')]
    const title = `Night train of ${width}`
    const post = await posted(gia, { title, tags: [story.tag.slug] })
    const { page, complaints } = await openTab(await openReader(browser, site, { person: gia, width, scheme, language }))

    // What is pushed is heard from then on.
    const listening = page.waitForResponse(/stoa\/events\?.*notifications\.status/)
    await page.goto('/tags')
    const bell = page.getByRole('banner').getByRole('link', { name: text.quiet })
    await bell.waitFor()
    await listening
    await answered(eva, post)
    await page.getByRole('banner').getByRole('link', { name: text.bell, exact: true }).click()
    await page.waitForURL('**/users/notifications/inbox')
    const row = page.getByRole('listitem').filter({ hasText: title })
    await row.getByText(text.said).waitFor()
    await page.getByRole('banner').getByRole('link', { name: text.quiet, exact: true }).waitFor()
    expect(await objections(page)).toEqual([])

    await answered(fay, post)
    await page.getByRole('button', { name: text.show }).click()
    await row.getByText(text.more).waitFor()
    await page.getByRole('button', { name: text.readAll }).click()
    await page.getByRole('button', { name: text.readAll }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: text.votes, exact: true }).click()
    await page.getByRole('heading', { name: text.empty }).waitFor()
    await page.goBack()
    await row.getByRole('link', { name: title }).click()
    await page.getByRole('heading', { level: 1, name: title }).waitFor()
    expect(complaints()).toEqual([])
  })

  it('misses nothing that came before the page heard of it, or while its stream was cut', async () => {
    const { browser, site, story } = opened
    const [ida, eva] = [await site.member('ida'), await site.member('eva')]
    const [first, second] = [await posted(ida, { tags: [story.tag.slug] }), await posted(ida, { tags: [story.tag.slug] })]
    const context = await openReader(browser, site, { person: ida, language: 'en_US' })
    const { page } = await openTab(context)
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const hears = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let streams = 0
    await context.route(/stoa\/events\?/, async (route) => {
      const n = streams++
      asked[n]?.resolve()
      await hears[n]?.promise
      // The first ends as soon as it is open, and the browser asks again.
      return n === 0 ? route.fulfill({ contentType: 'text/event-stream', body: 'retry: 10\n\n' }) : route.continue()
    })
    const bell = (name: string) => page.getByRole('banner').getByRole('link', { name, exact: true }).waitFor()
    const isKnown = async (inbox: number) =>
      expect.poll(async () => (await ida.get<{ inbox: number }>('/answer/api/v1/notification/status')).data.inbox).toBe(inbox)

    const status = page.waitForResponse('**/notification/status')
    await page.goto('/tags')
    await status
    await asked[0]?.promise
    await answered(eva, first)
    await isKnown(1)
    await bell('Notifications')
    hears[0]?.resolve()
    await bell('Notifications: 1 new')

    await asked[1]?.promise
    await answered(eva, second)
    await isKnown(2)
    hears[1]?.resolve()
    await bell('Notifications: 2 new')
    await context.close()
  })

  it.each([
    [1280, 'dark', 'en_US'],
    [390, 'light', 'zh_CN'],
  ] as const)('chooses what is mailed, %i px wide, %s', async (width, scheme, language) => {
    const { browser, site } = opened
    const text = texts[language]
    const person = await site.member(`hal${width}`)
    const { page } = await openTab(await openReader(browser, site, { person, width, scheme, language }))
    await page.goto('/users/settings/notify')
    const choice = page.getByRole('combobox', { name: text.kind })
    await choice.selectOption({ label: text.off })
    expect(await objections(page)).toEqual([])
    await page.getByRole('button', { name: text.save }).click()
    await page.getByText(text.saved).waitFor()
    await page.reload()
    await expect.poll(() => choice.inputValue()).toBe('off')
  })

  it('ends mails by a link without scripts and without a session', async () => {
    const { browser, site } = opened
    const context = await openReader(browser, site, { language: 'en_US', javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/users/unsubscribe?code=1~email~daily~nonsense')
    await page.getByRole('button', { name: 'Unsubscribe' }).click()
    await page.getByText('This link').first().waitFor()
    await page.goto('/users/unsubscribe')
    await page.getByText('This address is incomplete').waitFor()
  })
})
