import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Site, SiteOptions } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const english = ['Family', 'Health', 'Learning', 'Life', 'Technology', 'Work']
const chinese = ['健康', '学习', '家庭', '工作', '技术', '生活']

describe('a fresh site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-tags-'))
  beforeAll(() => {
    mkdirSync(join(folder, 'locale-de'))
    writeFileSync(
      join(folder, 'locale-de', 'plugin.json'),
      JSON.stringify({
        slug: 'locale-de',
        version: '1.0.0',
        type: 'locale',
        sdk: '^1.1.0',
        contributes: { language: { code: 'de_DE', label: 'Deutsch' } },
      }),
    )
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Names of the tags that are there after a set-up, whoever looks. */
  async function tagsOf(options: SiteOptions, setUp: (site: Site) => Promise<void> = async () => {}): Promise<string[][]> {
    const site = await startSite({
      plugins: ['tags', 'install', 'locale-en-us', 'locale-zh-cn', 'locale-de'],
      pluginDirs: [folder],
      ...options,
    })
    try {
      await setUp(site)
      const seenBy = async (language: string) => {
        const { data } = await site.visitor().speaking(language).get<{ list: { display_name: string }[] }>('/answer/api/v1/tags/page')
        return data.list.map(({ display_name }) => display_name).sort()
      }
      return [await seenBy('en_US'), await seenBy('zh_CN')]
    } finally {
      await site.close()
    }
  }

  const wizard = (lang: string) => async (site: Site) => {
    const post = (path: string, body: object) => site.visitor().speaking('en_US').post(`/installation/${path}`, body)
    await post('init', { db_type: site.database === 'postgres' ? 'postgres' : 'sqlite3' })
    const { status, text } = await post('base-info', {
      lang,
      site_name: 'First',
      site_url: 'https://first.example',
      contact_email: 'hello@example.org',
      name: 'owner',
      password: 'correct horse 7',
      email: 'owner@example.org',
      external_content_display: 'always_display',
    })
    expect(status, text).toBe(200)
  }

  it.each([
    ['en_US', english],
    ['zh_CN', chinese],
  ] as const)('begins with tags in its language when it is set up by the environment: %s', async (language, names) => {
    expect(await tagsOf({ language })).toEqual([names, names])
  })

  it.each([
    ['zh_CN', chinese],
    ['de_DE', english],
  ])(
    "begins with tags in the language chosen in the wizard, whatever its owner's browser speaks, or in English: %s",
    async (lang, names) => {
      expect(await tagsOf({ empty: true }, wizard(lang))).toEqual([names, names])
    },
  )
})
