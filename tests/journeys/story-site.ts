import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll } from 'vitest'
import { launchBrowser } from '../support/browser.ts'
import type { Story } from '../support/story.ts'
import { tellStory } from '../support/story.ts'

/** Opens a browser and the site of the story, in Chinese, for the tests of a file, and closes them afterwards. What it returns is there from `beforeAll` on. */
export function storySite(): { browser: Browser; site: Site; story: Story } {
  const opened = {} as { browser: Browser; site: Site; story: Story }
  beforeAll(async () => {
    ;[opened.browser, opened.site] = await Promise.all([launchBrowser(), startSite({ language: 'zh_CN' })])
    opened.story = await tellStory(opened.site)
  })
  afterAll(async () => {
    await opened.browser?.close()
    await opened.site?.close()
  })
  return opened
}
