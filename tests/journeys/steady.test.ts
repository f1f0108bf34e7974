import type { BrowserContext } from 'playwright'
import { afterEach, describe, expect, it } from 'vitest'
import { openSlowLine } from '../support/slow-line.ts'
import { storySite } from './story-site.ts'
import type { Tab } from './tab.ts'
import { deviceOf, isLive, openReader, openTab, visit } from './tab.ts'

const told = storySite()
// A tab that is slowed down keeps a processor busy for as long as it is open.
afterEach(() => Promise.all(told.browser.contexts().map((context) => context.close())).then(() => undefined))

/**
 * What may move in all. Not quite nothing: a line whose end is still on the way is set anew when it comes, and actions that only some may
 * do push those for everybody aside, in their line, once it is known who one is.
 */
const STEADY = 0.01

/** A slow phone, on a slow line unless that does not matter. */
async function slowTab(context: BrowserContext, line = true): Promise<Tab> {
  const tab = await openTab(context)
  const session = await context.newCDPSession(tab.page)
  if (line)
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 100,
      downloadThroughput: 250_000,
      uploadThroughput: 100_000,
    })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  return tab
}

const addresses = (): [name: string, path: string][] => [
  ['home', '/'],
  ['the list', '/experiences'],
  ['a post', `/experiences/${told.story.experience.id}`],
  ['the search', `/search?q=${encodeURIComponent(told.story.experience.word)}`],
  ['the tags', '/tags'],
  ['a tag', `/tags/${told.story.tag.slug}`],
]

/** Own pages, which come without what is shown on them; nothing is in the lists of the admin of the story. */
const ownAddresses = (username: string): [name: string, path: string][] => [
  ['recommendations', '/recommended'],
  ['own profile', `/users/${username}`],
  ['own bookmarks', `/users/${username}/bookmarks`],
  ['own votes', `/users/${username}/votes`],
  ['own reputation', `/users/${username}/reputation`],
  ['settings of notifications', '/users/settings/notify'],
]

describe.each([1280, 390])('on a slow device, %i wide, nothing to speak of moves while a page comes', (width) => {
  it.each([
    ['visitor', undefined],
    ['admin', () => told.story.admin],
  ])('as %s', async (_, who) => {
    const person = who?.()
    const context = await openReader(told.browser, told.site, { ...deviceOf(width), ...(person && { person }) })
    for (const [name, path] of [...addresses(), ...(person ? ownAddresses(person.name) : [])]) {
      const { page, shifts, complaints } = await slowTab(context)
      await page.goto(path, { waitUntil: 'commit' })
      await isLive(page)
      await page.waitForLoadState('networkidle')
      const moved = await shifts()
      expect(
        moved.reduce((sum, { score }) => sum + score, 0),
        `${name}: ${JSON.stringify(moved)}`,
      ).toBeLessThan(STEADY)
      expect(complaints(), name).toEqual([])
      await page.close()
    }
    await context.close()
  })
})

describe('a profile on a phone', () => {
  it.each(['zh_CN', 'en_US'] as const)('stays where it is when the actions of staff come, in %s', async (language) => {
    const context = await openReader(told.browser, told.site, { person: told.story.admin, language, ...deviceOf(390) })
    const { page, shifts } = await slowTab(context, false)
    await visit(page, `/users/${told.story.username}`)
    await page
      .getByRole('main')
      .getByRole('button', { name: /^(对|Actions for)/ })
      .waitFor()
    await page.waitForLoadState('networkidle')
    const moved = await shifts()
    expect(
      moved.reduce((sum, { score }) => sum + score, 0),
      JSON.stringify(moved),
    ).toBeLessThan(STEADY)
  })
})

describe.each([1280, 390])('a document that comes piece by piece, %i wide,', (width) => {
  it.each([
    ['visitor', undefined],
    ['admin', () => told.story.admin],
  ])('moves nothing as it goes on, for a %s', async (_, who) => {
    const person = who?.()
    const line = await openSlowLine(told.site.url, '<main', '</footer>')
    const context = await openReader(told.browser, told.site, { ...deviceOf(width), ...(person && { person }) })
    for (const [name, path] of addresses()) {
      const { page, shifts } = await openTab(context)
      await visit(page, line.url + path)
      const moved = await shifts()
      expect(
        moved.reduce((sum, { score }) => sum + score, 0),
        `${name}: ${JSON.stringify(moved)}`,
      ).toBeLessThan(STEADY)
      await page.close()
    }
    await context.close()
    await line.close()
  })
})

describe('a page that comes in another language than its reader has', () => {
  it('changes over while it comes to life, and no part is drawn twice', async () => {
    const person = await told.site.member('ida')
    const settings = { language: 'en_US', color_scheme: 'dark' }
    expect((await person.put('/answer/api/v1/user/interface', settings)).status).toBe(200)
    const { page, complaints } = await slowTab(await openReader(told.browser, told.site, { person, language: 'zh_CN' }), false)
    await page.goto(`/experiences/${told.story.experience.id}`, { waitUntil: 'commit' })
    await page.getByRole('button', { name: 'Add a comment' }).first().waitFor()
    await isLive(page)
    expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dataset.scheme])).toEqual(['en-US', 'dark'])
    expect(await page.getByText('买之前一定要看清楚证书').first().isVisible()).toBe(true)
    expect(complaints()).toEqual([])
  })
})

describe('a page whose data takes a while', () => {
  it('has its shape stand in until the data comes', async () => {
    const context = await openReader(told.browser, told.site, { width: 1280 })
    const { page } = await openTab(context)
    await visit(page, '/')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await context.route(/\/experience\/(info|page)/, async (route) => {
      await held
      await route.continue()
    })
    const bones = page.getByRole('main').locator('[data-bone]').first()
    const title = page.getByRole('heading', { level: 1 })
    await page.getByRole('main').getByRole('link', { name: told.story.experience.title }).click()
    await bones.waitFor()
    expect(await title.isVisible()).toBe(false)
    release()
    await title.filter({ hasText: told.story.experience.title }).waitFor()
    expect(await bones.count()).toBe(0)
    await context.close()
  })
})

describe('a tab follows switches', () => {
  const votes = (tab: Tab) => tab.page.getByRole('group', { name: '投票' }).first()

  async function follows(tab: Tab): Promise<void> {
    await told.site.switch('votes', false)
    await votes(tab).waitFor({ state: 'detached' })
    await told.site.switch('votes', true)
    await votes(tab).waitFor()
    expect(tab.complaints().filter((line) => !line.includes('/stoa/events'))).toEqual([])
  }

  it('by asking, where the browser has no locks, as on addresses without https', async () => {
    const context = await openReader(told.browser, told.site)
    await context.addInitScript(() => {
      delete (Navigator.prototype as { locks?: unknown }).locks
    })
    let streams = 0
    context.on('request', (request) => {
      if (request.url().includes('/stoa/events')) streams++
    })
    const tab = await openTab(context)
    await visit(tab.page, `/experiences/${told.story.experience.id}`)
    await follows(tab)
    expect(streams).toBe(0)
    await context.close()
  })

  it('also after the stream was refused', async () => {
    const context = await openReader(told.browser, told.site)
    let refusals = 0
    await context.route(/\/stoa\/events/, (route) => (refusals++ === 0 ? route.fulfill({ status: 502 }) : route.continue()))
    const tab = await openTab(context)
    await visit(tab.page, `/experiences/${told.story.experience.id}`)
    await expect.poll(() => refusals, { timeout: 30_000 }).toBeGreaterThan(1)
    await follows(tab)
    await context.close()
  })
})
