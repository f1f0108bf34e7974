import { existsSync } from 'node:fs'
import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { accept, answeredExperience } from '../../plugins/answers/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { objections } from './look.ts'
import { storySite } from './story-site.ts'
import { openReader, openTab } from './tab.ts'

const pictures = process.env.STOA_PICTURES
const path = '/answer/api/v1'

async function picture(page: Page, name: string): Promise<void> {
  if (pictures && existsSync(pictures)) await page.screenshot({ path: `${pictures}/${name}.png` })
}

describe('people who earn badges', () => {
  const opened = storySite()
  const whole = (page: Page) => page.locator('footer select:enabled').first().waitFor()
  const texts = {
    zh_CN: {
      earned: '你获得了 1 枚徽章',
      close: '关闭',
      first: '首次回应',
      own: '你已获得',
      tab: '徽章',
      find: '查找徽章',
      can: '可以获得“首次回应”',
    },
    en_US: {
      earned: 'You earned a badge',
      close: 'Close',
      first: 'First reaction',
      own: 'You have it',
      tab: 'Badges',
      find: 'Find a badge',
      can: 'First reaction can be earned',
    },
  }

  it.each([
    [1280, 'light', 'zh_CN'],
    [390, 'dark', 'en_US'],
  ] as const)('are told once, and see what there is, %i px wide, %s', async (width, scheme, language) => {
    const { browser, site } = opened
    const text = texts[language]
    const ana = await site.member(`ana-badge-${width}`)
    const post = await posted(await site.admin(), { tags: [opened.story.tag.slug] })
    const context = await openReader(browser, site, { person: ana, width, scheme, language, reducedMotion: 'no-preference' })
    const tab = await openTab(context)
    const { page } = tab

    await page.goto('/badges')
    await whole(page)
    await page.getByRole('heading', { level: 1, name: text.tab }).waitFor()
    expect(await page.getByText(text.own).count()).toBe(0)
    expect((await ana.put(`${path}/meta/reaction`, { object_id: post, emoji: 'heart', reaction: 'activate' })).status).toBe(200)
    const card = page.getByRole('region', { name: text.earned })
    await card.getByText(text.first).waitFor()
    // The confetti takes the whole window for its canvas.
    await expect.poll(() => card.locator('canvas').evaluate((canvas) => (canvas as HTMLCanvasElement).width)).toBe(width)
    await expect.poll(async () => (await ana.get<unknown[]>(`${path}/badge/unseen`)).data).toEqual([])
    await picture(page, `award-${width}-${scheme}`)
    if (width === 1280) await card.getByRole('button', { name: text.close }).click()
    else {
      const field = page.locator('footer select:enabled').first()
      await field.focus()
      await card.waitFor({ state: 'hidden' })
      await field.blur()
      await card.waitFor()
    }
    await card.waitFor({ state: 'detached' })
    expect(await objections(page)).toEqual([])

    await page.reload()
    await whole(page)
    await page.getByText(text.own).waitFor()
    expect(await card.count()).toBe(0)
    expect(await objections(page)).toEqual([])
    await picture(page, `badges-${width}-${scheme}`)

    await page.getByRole('link', { name: text.first }).click()
    await page.getByRole('heading', { level: 1, name: text.first }).waitFor()
    await page.locator('main').getByRole('link', { name: ana.name }).click()
    await page.getByRole('article').getByRole('link', { name: text.tab, exact: true }).click()
    await page.waitForURL(`**/users/${ana.name}/badges`)
    await page.locator('main').getByRole('link', { name: text.first }).waitFor()
    expect(await objections(page)).toEqual([])
    await picture(page, `profile-badges-${width}-${scheme}`)
    await page.locator('main').getByRole('link', { name: text.first }).click()
    await page.getByRole('heading', { level: 1, name: text.first }).waitFor()
    expect(await objections(page)).toEqual([])
    await picture(page, `badge-${width}-${scheme}`)
    expect(tab.complaints()).toEqual([])
    await context.close()
  })

  it.each([
    [1280, 'dark', 'en_US', 'Reputation', 'Answer accepted', 'What you can do'],
    [390, 'light', 'zh_CN', '声望', '回答被采纳', '你可以做什么'],
  ] as const)(
    'see what brought them reputation and what comes next, %i px wide, %s',
    async (width, scheme, language, name, reason, next) => {
      const { browser, site } = opened
      const [ana, ben] = [await site.member(`ana-rank-${width}`), await site.member(`ben-rank-${width}`)]
      const { experience, answer } = await answeredExperience(await site.admin(), ben)
      await accept(await site.admin(), experience, answer)
      const context = await openReader(browser, site, { person: ben, width, scheme, language })
      const tab = await openTab(context)
      const { page } = tab
      await page.goto(`/users/${ben.name}`)
      await whole(page)
      await page.getByRole('article').getByRole('link', { name, exact: true }).click()
      await page.getByRole('list', { name, exact: true }).getByText(reason).waitFor()
      await page.getByRole('heading', { name: next }).waitFor()
      expect(await objections(page)).toEqual([])
      await picture(page, `reputation-${width}-${scheme}`)
      await page.goto(`/users/${ana.name}/reputation`)
      await whole(page)
      expect(await page.getByRole('heading', { name: next }).count()).toBe(0)
      expect(await objections(page)).toEqual([])
      expect(tab.complaints()).toEqual([])
      await context.close()
    },
  )

  it.each([
    [1280, 'light', 'zh_CN'],
    [390, 'dark', 'en_US'],
  ] as const)('have what the admin lets them have, %i px wide, %s', async (width, scheme, language) => {
    const { browser, site } = opened
    const text = texts[language]
    const context = await openReader(browser, site, { person: await site.admin(), width, scheme, language })
    const tab = await openTab(context)
    const { page } = tab
    await page.goto('/admin/badges')
    await page.getByRole('searchbox', { name: text.find }).fill(text.first)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/admin/badges?q=*')
    const control = page.getByRole('switch', { name: text.can })
    await control.click()
    await expect.poll(async () => (await site.visitor().get(`${path}/badges`)).text).not.toContain('emoji-smile')
    expect(await objections(page)).toEqual([])
    await picture(page, `admin-badges-${width}-${scheme}`)
    await control.click()
    await expect.poll(async () => (await site.visitor().get(`${path}/badges`)).text).toContain('emoji-smile')
    expect(tab.complaints()).toEqual([])
    await context.close()
  })
})
