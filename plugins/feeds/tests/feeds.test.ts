import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { xml2js } from 'xml-js'
import { posted } from '../../experiences/testing/index.ts'

interface Told {
  title: string
  items: { id: string; title: string; content_html: string; author?: { name: string }; tags?: string[] }[]
}

const HOSTILE = ']]></title><script>alert(1)</script> & <b>'

describe('feeds', () => {
  let site: Site
  let post: string

  const json = async (path: string): Promise<Told> => JSON.parse((await site.visitor().get(path)).text) as Told

  beforeAll(async () => {
    site = await startSite()
    const [admin, anna] = [await site.admin(), await site.member('anna')]
    await admin.post('/answer/api/v1/tag', { slug_name: 'travel', display_name: 'Travel', original_text: 'About it.' })
    post = await posted(anna, { title: 'Where to sleep on trains', content: 'A [list](/experiences) of what helps, in some words.' })
    await posted(anna, { title: HOSTILE, content: 'Text with ]]> in it, and `<script>` \u0007 too.' })
    await admin.post('/answer/api/v1/answer', { experience_id: post, content: 'Earplugs, and a lower berth.' })
  })
  afterAll(() => site.close())

  it('hold what is new, with whole texts and addresses that lead to the site from anywhere', async () => {
    const { title, items } = await json('/feed.json')
    expect(title).toBe('Test')
    expect(items.map((item) => item.title)).toContain('Where to sleep on trains')
    const item = items.find(({ title }) => title === 'Where to sleep on trains')
    expect(item?.content_html).toContain(`href="${site.url}/experiences"`)
    expect(item?.id.startsWith(`${site.url}/experiences/`)).toBe(true)
    expect(item?.tags).toEqual(['Travel'])
  })

  it('are well-formed whatever is written', async () => {
    const { text, headers } = await site.visitor().get('/feed.atom')
    expect(headers.get('content-type')).toBe('application/atom+xml; charset=utf-8')
    const { feed } = xml2js(text, { compact: true }) as {
      feed: { entry: { title: { _cdata?: string | string[] }; content: { _cdata?: string | string[] } }[] }
    }
    const titles = feed.entry.map(({ title }) => [title._cdata].flat().join(''))
    expect(titles).toContain('Where to sleep on trains')
    expect(titles.some((title) => title.includes('&lt;/title&gt;&lt;script&gt;alert(1)'))).toBe(true)
    expect(titles.join()).not.toContain('<')
    expect((await json('/feed.json')).items.map((item) => item.title)).toContain(HOSTILE)
    expect(text).not.toContain('\u0007')
  })

  it('exist for tags, people and the answers to a post, and for nothing else', async () => {
    expect((await json('/tags/travel/feed.json')).items).toHaveLength(2)
    expect((await json('/users/anna/feed.json')).items).toHaveLength(2)
    const { items } = await json(`/experiences/${post}/feed.json`)
    expect(items.map((item) => item.title)).toEqual(['admin: Where to sleep on trains'])
    for (const path of ['/tags/none/feed.atom', '/users/nobody/feed.atom', '/experiences/1/feed.atom'])
      expect((await site.visitor().get(path)).status, path).toBe(404)
  })

  it('are named by the pages they belong to', async () => {
    const { text } = await site.visitor().get(`/experiences/${post}`)
    expect(text).toContain(`<link rel="alternate" type="application/atom+xml" href="/experiences/${post}/feed.atom" title="Answers`)
    expect((await site.visitor().get('/tags')).text).not.toContain('tagName/feed')
  })

  it('show nothing that is not public', async () => {
    const anna = await site.member('anna')
    expect((await anna.del('/answer/api/v1/answer', { id: '1' })).status).toBeGreaterThan(399)
    await (await site.admin()).put('/answer/api/v1/experience/operation', { id: post, operation: 'hide' })
    expect((await json('/feed.json')).items.map((item) => item.title)).not.toContain('Where to sleep on trains')
    expect((await site.visitor().get(`/experiences/${post}`)).text).not.toContain('feed.atom" title="Answers')
  })

  it('lack answers while the plugin of answers is off', async () => {
    await (await site.admin()).put('/answer/api/v1/experience/operation', { id: post, operation: 'show' })
    await site.switch('answers', false)
    expect((await json(`/experiences/${post}/feed.json`)).items).toEqual([])
    await site.switch('answers', true)
  })

  it('may be kept by caches that serve many, but not those of a private site', async () => {
    const admin = await site.admin()
    const paths = ['/feed.atom', '/feed.json', '/tags/travel/feed.atom', '/users/anna/feed.json', `/experiences/${post}/feed.atom`]
    const told = () => Promise.all(paths.map(async (path) => (await admin.get(path)).headers.get('cache-control')))
    expect(new Set(await told())).toEqual(new Set(['public, max-age=300']))
    const { data } = await admin.get<object>('/answer/admin/api/siteinfo/login')
    await admin.put('/answer/admin/api/siteinfo/login', { ...data, login_required: true })
    expect(new Set(await told())).toEqual(new Set(['private, no-store']))
  })
})
