import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import { plugins } from '../support/plugins.ts'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'
import type { VisitedPage } from './every-page.ts'
import { addressOf, everyPage, folderWithSettings, visitorOf } from './every-page.ts'
import { objections, tooWide, untranslated } from './look.ts'
import type { ReaderOptions, Tab } from './tab.ts'
import { deviceOf, openReader, openTab, visit } from './tab.ts'

const INSTALL = plugins.map(({ manifest }) => manifest.contributes?.places?.install).find((path) => path !== undefined)

/** What may move in all: no person notices it. */
const STEADY = 0.01

interface Look extends Required<Pick<ReaderOptions, 'language' | 'scheme' | 'width'>> {
  visited: VisitedPage
}

const languages = ['zh_CN', 'en_US'] as const
const schemes = ['light', 'dark'] as const

/** Each page once per width, in another language and scheme at each, so in both; of the next page the other way round. */
const alternating: Look[] = [1280, 390].flatMap((width, place) =>
  everyPage.map((visited, index) => ({
    visited,
    width,
    language: languages[(index + place) % 2] as Look['language'],
    scheme: schemes[(Math.floor(index / 2) + place) % 2] as Look['scheme'],
  })),
)
/** `npm run looks`: every page in all its looks, with a picture of each in `build/looks`. */
const pictures = process.env.STOA_LOOKS === '1' ? join('build', 'looks') : undefined
const looks: Look[] = pictures
  ? [1280, 390].flatMap((width) =>
      languages.flatMap((language) => schemes.flatMap((scheme) => everyPage.map((visited) => ({ visited, width, language, scheme })))),
    )
  : alternating

const folder = folderWithSettings()
let browser: Browser
let site: Site
/** A second one, before its installation. */
let fresh: Site
let story: Story
const tabs = new Map<string, Promise<Tab>>()

beforeAll(async () => {
  if (pictures) mkdirSync(pictures, { recursive: true })
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

/** One tab per person and look goes from page to page, as people's do. */
async function tabOf(where: Site, { person, language, scheme, width = 1280 }: ReaderOptions): Promise<Tab> {
  const key = `${where.url} ${person?.name} ${language} ${scheme} ${width}`
  const opened =
    tabs.get(key) ?? openReader(browser, where, { language, scheme, ...deviceOf(width), ...(person && { person }) }).then(openTab)
  tabs.set(key, opened)
  return opened
}

describe('every page', () => {
  it.each(looks.map((look) => ({ ...look, pattern: look.visited.pattern })))(
    '$pattern, $width wide, in $language, $scheme',
    async ({ visited, language, scheme, width }) => {
      const { pattern } = visited
      const leaves = pattern.endsWith('/logout')
      const person = leaves ? await site.member(`leaves${language.slice(0, 2)}${scheme}${width}`) : visitorOf(visited, story)
      const tab = await tabOf(pattern === INSTALL ? fresh : site, { language, scheme, width, ...(person && { person }) })
      const { page } = tab
      await visit(page, addressOf(visited, story))
      await page.locator('main h1').first().waitFor()
      expect(tab.complaints()).toEqual([])
      expect(await untranslated(page)).toEqual([])
      expect(await objections(page)).toEqual([])
      expect(await tooWide(page)).toEqual([])
      if (pictures) {
        const name = `${pattern.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'}.${width}.${language}.${scheme}.png`
        await page.screenshot({ path: join(pictures, name), fullPage: true })
      }
      // A page that leads on by itself makes room for another one.
      if (leaves) return
      const shifts = await tab.shifts()
      const sum = shifts.reduce((total, { score }) => total + score, 0)
      expect(sum, JSON.stringify(shifts)).toBeLessThan(STEADY)
    },
  )
})
