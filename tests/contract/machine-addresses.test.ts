import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../plugins/experiences/testing/index.ts'

interface Row {
  path: string
  type: string
  /** Plugins that it cannot do without. */
  of: string[]
}

const POST = '/experiences/$post'
const ATOM = 'application/atom+xml'
const FEED = 'application/feed+json'
const MARKDOWN = 'text/markdown'

const table: Row[] = [
  { path: '/robots.txt', type: 'text/plain', of: [] },
  { path: '/manifest.json', type: 'application/manifest+json', of: [] },
  { path: '/sitemap.xml', type: 'application/xml', of: ['sitemap'] },
  { path: '/sitemap/experiences-1.xml', type: 'application/xml', of: ['sitemap', 'experiences'] },
  { path: '/sitemap/tags-1.xml', type: 'application/xml', of: ['sitemap', 'tags'] },
  { path: '/opensearch.xml', type: 'application/opensearchdescription+xml', of: ['search'] },
  { path: '/llms.txt', type: MARKDOWN, of: ['plain-text', 'experiences'] },
  { path: '/experiences.md', type: MARKDOWN, of: ['plain-text', 'experiences'] },
  { path: `${POST}.md`, type: MARKDOWN, of: ['plain-text', 'experiences'] },
  { path: '/tags/travel.md', type: MARKDOWN, of: ['plain-text', 'experiences', 'tags'] },
  ...['', '/users/anna', POST].flatMap((page) => [
    { path: `${page}/feed.atom`, type: ATOM, of: ['feeds', 'experiences'] },
    { path: `${page}/feed.json`, type: FEED, of: ['feeds', 'experiences'] },
  ]),
  { path: '/tags/travel/feed.atom', type: ATOM, of: ['feeds', 'experiences', 'tags'] },
  { path: '/tags/travel/feed.json', type: FEED, of: ['feeds', 'experiences', 'tags'] },
]

/** Pages whose heads name machine addresses. */
const pages = ['/', '/experiences', POST, '/tags', '/tags/travel', '/users/anna', '/users/anna/experiences', '/search?q=trains', '/tos']

const SWITCHED = ['', 'experiences', 'answers', 'tags', 'feeds', 'sitemap', 'share', 'search', 'plain-text']

const tagsOf = (html: string) =>
  [...html.matchAll(/<(?:link|meta)\b[^>]*>/g)].map(([tag]) =>
    Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  )

/** What a head leads machines to. */
function namedBy(html: string): string[] {
  const linked = tagsOf(html).flatMap(({ rel = '', href, property, content }) => {
    if (href && /^(alternate|canonical|icon|manifest|search|apple-touch-icon)$/.test(rel)) return [href]
    return content && /^og:(url|image)$/.test(property ?? '') ? [content] : []
  })
  const data = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>([^<]*)</g)].flatMap(([, json = '']) =>
    [...JSON.stringify(JSON.parse(json)).matchAll(/"(?:url|image|item|@id)":"([^"]+)"/g)].map(([, url = '']) => url),
  )
  return [...linked, ...data].filter((address) => !address.startsWith('data:'))
}

/** What a file leads machines to on this site; what is filled in by them is no address. */
const addressesIn = (text: string, site: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s<>"')\]\\]+/g)].map(([url]) => url).filter((url) => url.startsWith(site) && !/[{}]|\/$/.test(url))

describe('addresses for machines', () => {
  let site: Site
  let post = ''
  const whole = (path: string) => path.replace('$post', post)
  const ask = async (address: string) => {
    const { pathname, search } = new URL(address, site.url)
    const response = await site.visitor().fetch(pathname + search, { headers: { accept: 'text/html,*/*' } })
    return { status: response.status, type: response.headers.get('content-type')?.split(';')[0], text: await response.text() }
  }

  beforeAll(async () => {
    site = await startSite()
    const [admin, anna] = [await site.admin(), await site.member('anna')]
    await admin.post('/answer/api/v1/tag', { slug_name: 'travel', display_name: 'Travel', original_text: 'About it.' })
    post = await posted(anna, { title: 'Where to sleep on trains', content: 'What helps, in some words.' })
    await admin.post('/answer/api/v1/answer', { experience_id: post, content: 'Earplugs, and a lower berth.' })
  })
  afterAll(() => site?.close())

  it.each(SWITCHED.map((slug) => ({ slug, name: slug ? `without ${slug}` : 'with all' })))(
    'are right or absent, and nothing leads to absent ones, $name',
    async ({ slug }) => {
      if (slug) await site.switch(slug, false)
      try {
        const wrong: unknown[] = []
        const named = new Map<string, string>()
        for (const { path, type, of } of table) {
          const answer = await ask(whole(path))
          if (of.includes(slug) ? answer.status !== 404 : answer.status !== 200 || answer.type !== type)
            wrong.push([path, answer.status, answer.type])
          if (answer.status === 200) for (const address of addressesIn(answer.text, site.url)) named.set(address, path)
        }
        for (const page of pages) {
          const { status, text } = await ask(whole(page))
          if (slug ? status >= 500 : status !== 200) wrong.push([page, status])
          if (status === 200) for (const address of namedBy(text)) named.set(address, page)
        }
        for (const [address, by] of named) {
          const { status } = await ask(address)
          if (status !== 200) wrong.push([by, 'names', address, status])
        }
        expect(wrong).toEqual([])
        expect(named.size).toBeGreaterThan(3)
        expect(site.errors).toEqual([])
      } finally {
        // What needs it went along with it.
        if (slug) for (const one of SWITCHED.slice(1)) await site.switch(one, true)
      }
    },
    120_000,
  )
})
