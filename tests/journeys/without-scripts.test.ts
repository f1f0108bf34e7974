import type { BrowserContext, Page } from 'playwright'
import { beforeAll, describe, expect, it } from 'vitest'
import { addressOf, everyPage } from './every-page.ts'
import { storySite } from './story-site.ts'
import { openReader } from './tab.ts'

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
    await page.getByRole('searchbox').fill(told.story.experience.word)
    await page.getByRole('searchbox').press('Enter')
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
    expect(await page.locator('noscript p').isVisible()).toBe(true)
    // The frame stands either way: one is never in a dead end.
    expect(await page.getByRole('banner').getByRole('link').first().isVisible()).toBe(true)
    expect(await page.getByRole('contentinfo').isVisible()).toBe(true)
    if (visited.onServer && visited.guards.every((guard) => guard === 'loggedOut' || guard === 'registrationOpen'))
      expect(await page.getByRole('heading', { level: 1 }).first().isVisible()).toBe(true)
  })
})
