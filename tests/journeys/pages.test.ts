import { rmSync } from 'node:fs'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { plugins } from '../support/plugins.ts'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'
import { addressOf, everyPage, folderWithSettings, visitorOf } from './every-page.ts'
import { objections, untranslated } from './look.ts'
import type { ReaderOptions, Tab } from './tab.ts'
import { openReader, openTab, visit } from './tab.ts'

const INSTALL = plugins.map(({ manifest }) => manifest.contributes?.places?.install).find((path) => path !== undefined)

/** What may move in all: no person notices it. */
const STEADY = 0.02

const folder = folderWithSettings()
let browser: Browser
let site: Site
/** A second one, before its installation. */
let fresh: Site
let story: Story
const tabs = new Map<string, Promise<Tab>>()

beforeAll(async () => {
  ;[browser, site, fresh] = await Promise.all([
    launchBrowser(),
    startSite({ language: 'zh_CN', pluginDirs: [folder] }),
    startSite({ empty: true }),
  ])
  story = await tellStory(site)
})
afterAll(async () => {
  await browser?.close()
  await Promise.all([site?.close(), fresh?.close()])
  rmSync(folder, { recursive: true })
})

async function tabOf(where: Site, { person, language, scheme }: ReaderOptions): Promise<Tab> {
  const key = `${where.url} ${person?.name} ${language}`
  const opened = tabs.get(key) ?? openReader(browser, where, { language, scheme, ...(person && { person }) }).then(openTab)
  tabs.set(key, opened)
  return opened
}

// Colours are all that a scheme changes, so the other scheme of each language is looked at in the page that stands there.
describe.each([
  ['zh_CN', 'light'],
  ['en_US', 'dark'],
] as const)('every page, in %s, %s', (language, scheme) => {
  it.each(everyPage)('$pattern', async (visited) => {
    const isInstall = visited.pattern === INSTALL
    const person = visited.pattern.endsWith('/logout') ? await site.member(`leaves${language.slice(0, 2)}`) : visitorOf(visited, story)
    const tab = await tabOf(isInstall ? fresh : site, { language, scheme, ...(person && { person }) })
    const { page } = tab
    await visit(page, addressOf(visited, story))
    await page.locator('main h1').first().waitFor()
    expect(tab.complaints()).toEqual([])
    expect(await untranslated(page)).toEqual([])
    expect(await objections(page)).toEqual([])
    const put = (next: string) => page.evaluate((value) => document.documentElement.setAttribute('data-scheme', value), next)
    await put(scheme === 'light' ? 'dark' : 'light')
    expect(await objections(page, 'color-contrast')).toEqual([])
    await put(scheme)
    // A page that leads on by itself makes room for another one.
    if (visited.pattern.endsWith('/logout')) return
    const shifts = await tab.shifts()
    const sum = shifts.reduce((total, { score }) => total + score, 0)
    expect(sum, JSON.stringify(shifts)).toBeLessThan(STEADY)
  })
})
