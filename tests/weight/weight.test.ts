import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { buildPlugins } from '@stoa/sdk/build'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { launchBrowser } from '../support/browser.ts'
import type { FirstView } from './first-view.ts'
import { firstView, weightTable } from './first-view.ts'

/** A full page of posts as people write them: some Chinese, some English. */
const TEXTS = [
  [
    '在青旅住了三个月之后我学到的几件事',
    '一开始只是想省钱，后来发现最难得的是每天晚上在厨房里听到的故事。把行李收拾到一个背包里，是第一课。',
  ],
  [
    'What a broken bicycle taught me about asking',
    'Forty kilometres from the next town the chain broke. People stopped, one after another, and nobody had the tool.',
  ],
  ['第一次带团队上线失败，复盘写了十页', '凌晨两点回滚，早上九点开会。写下来的每一条都是当时觉得没必要的检查。'],
] as const

describe('what a first view weighs', () => {
  let site: Site
  let browser: Browser
  let post = ''
  const seen: [string, FirstView][] = []
  const viewOf = (name: string) => seen.find(([page]) => page === name)?.[1]
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([startSite({ language: 'zh_CN' }), launchBrowser()])
    const admin = await site.admin()
    for (let n = 0; n < 20; n++) {
      const [title, content] = TEXTS[n % TEXTS.length] as (typeof TEXTS)[number]
      post = await posted(admin, { title: `${title}（${n + 1}）`, content: `${content} ${n}`, tags: ['生活', `主题${n % 5}`] })
    }
    await site.idle()
  })
  afterAll(async () => {
    if (seen.length > 0) console.log(`First views, KB with headers\n${weightTable(seen)}`)
    await browser?.close()
    await site?.close()
  })

  it('stays within 165 KB on the home page, everything counted', async () => {
    const view = await firstView(browser, `${site.url}/`)
    seen.push(['home', view])
    expect(view.requests.map(({ type }) => type)).toContain('Stylesheet')
    expect(view.total).toBeLessThanOrEqual(165_000)
  })

  it('brings the code of a page with that page and not before', async () => {
    const { token } = await site.admin()
    const pages: [name: string, path: string, token?: string][] = [
      ['list', '/experiences'],
      ['detail', `/experiences/${post}`],
      ['search results', `/search?q=${encodeURIComponent('行李')}`],
      ['tags', '/tags'],
      ['login', '/users/login'],
      ['editor', '/experiences/ask', token],
      ['admin: plugins', '/admin/installed-plugins', token],
    ]
    for (const [name, path, of] of pages) seen.push([name, await firstView(browser, site.url + path, of)])
    /** Plugins whose scripts came: in the joined file, whose address names them, or alone. */
    const scripts = (name: string) =>
      (viewOf(name)?.requests ?? [])
        .filter(({ type }) => type === 'Script')
        .flatMap(({ url }) => [
          /\/static\/js\/([^/]+)/.exec(url)?.[1] ?? '',
          ...[...url.matchAll(/~([a-z0-9-]+)\.\w{8}\.\d/g)].map(([, slug]) => slug),
        ])
    expect(scripts('editor')).toContain('editor')
    expect(scripts('home')).toContain('experiences')
    expect(scripts('detail')).toContain('comments')
    expect(scripts('home').filter((slug) => ['editor', 'admin', 'accounts', 'comments'].includes(slug as string))).toEqual([])
  })

  it('stays within 185 KB on the page of a post, and takes at most 20 requests for any page that the server draws', () => {
    expect(viewOf('detail')?.total).toBeLessThanOrEqual(185_000)
    for (const [name, { requests }] of seen) expect(requests.length, name).toBeLessThanOrEqual(20)
  })

  it('grows by less than 50 bytes with each further plugin, and by at most three requests with ten that add to a page', async () => {
    const root = mkdtempSync(join(tmpdir(), 'stoa-weight-'))
    const count = 40
    const folders = Array.from({ length: count }, (_, n) => writePlugin(join(root, `more-${n}`), n))
    const { failed } = await buildPlugins({ folders, out: join(root, 'built'), mode: 'production' })
    expect(failed).toEqual([])
    const larger = await startSite({ language: 'zh_CN', pluginDirs: [join(root, 'built')] })
    try {
      const [before, after] = await Promise.all([site, larger].map(({ url }) => mapWeight(url)))
      const each = ((after as number) - (before as number)) / count
      console.log(`Each further plugin: ${each.toFixed(1)} bytes`)
      expect(each).toBeGreaterThan(0)
      expect(each).toBeLessThan(50)
      const admin = await larger.admin()
      const post = await posted(admin, { title: TEXTS[0][0], content: TEXTS[0][1], tags: ['生活'] })
      await larger.idle()
      const view = await firstView(browser, `${larger.url}/experiences/${post}`)
      expect(view.requests.length - (viewOf('detail')?.requests.length ?? 0)).toBeLessThanOrEqual(3)
      expect(view.requests.filter(({ url }) => url.includes('/static/js/'))).toEqual([])
      const html = await (await fetch(`${larger.url}/experiences/${post}`)).text()
      for (let n = 0; n < CONTRIBUTING; n++) expect(html).toContain(`>${slugOf(n)}</p>`)
      const form = await firstView(browser, `${larger.url}/experiences/ask`, admin.token)
      expect(form.requests.length - (viewOf('editor')?.requests.length ?? 0)).toBeLessThanOrEqual(3)
      expect(form.requests.filter(({ url }) => url.includes('/static/js/') && WORDS.some((word) => url.includes(word)))).toEqual([])
      const joined = form.requests.find(({ type, url }) => type === 'Script' && url.includes('/static/joined/'))?.url
      for (let n = CONTRIBUTING; n < 2 * CONTRIBUTING; n++) expect(joined).toContain(slugOf(n))
    } finally {
      await larger.close()
      rmSync(root, { recursive: true, force: true })
    }
  })
})

const WORDS = ['harbour', 'meadow', 'lantern', 'orchard', 'compass', 'granite', 'willow']
const slugOf = (n: number): string => `${WORDS[n % WORDS.length]}-${WORDS[(n * 3 + 1) % WORDS.length]}-${n}`
/** So many of the further plugins add to a post, and as many to the form it is written in. */
const CONTRIBUTING = 10

/** A plugin that adds to a place, as most do. */
function writePlugin(folder: string, n: number): string {
  const slug = slugOf(n)
  const slot = n < CONTRIBUTING ? 'experiences.actions' : n < 2 * CONTRIBUTING ? 'experiences.fields' : `${slug}.footer`
  const files = {
    'plugin.json': JSON.stringify({
      slug,
      version: '1.0.0',
      type: 'route',
      sdk: '^1.0.0',
      contributes: { slots: [{ slot, module: 'web/part.tsx' }] },
    }),
    'web/part.tsx': `import styles from './part.module.css'\nexport default function Part() { return <p className={styles.part}>${slug}</p> }`,
    'web/part.module.css': `.part { margin-block: ${n}px }`,
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Bytes of what a document says of all plugins, as it is compressed there. */
async function mapWeight(url: string): Promise<number> {
  const html = await (await fetch(`${url}/users/login`)).text()
  const start = await (await fetch(url + /"start":"([^"]+)"/.exec(html)?.[1])).text()
  return brotliCompressSync(html + start, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }).length
}
