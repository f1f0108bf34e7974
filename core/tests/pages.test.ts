import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DiscoveredPlugin } from '../../host-server/shared/types.ts'
import type { TestSite } from './site.ts'
import { fillReplies, startTestSite } from './site.ts'

let site: TestSite
let reader: DiscoveredPlugin
let extra: DiscoveredPlugin

beforeAll(async () => {
  site = await startTestSite()
  reader = await site.build('reader')
  extra = await site.build('extra')
  fillReplies(site)
  await site.turnOn(reader, extra)
})
afterAll(() => site.close())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.url + path, { redirect: 'manual', headers: { accept: 'text/html', ...headers } })
const html = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text()
/** As sent: `fetch` would tidy the path up first. */
const raw = (path: string) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(site.url)
    request({ hostname, port, path }, (res) => resolve(res.resume().statusCode as number))
      .on('error', reject)
      .end()
  })

describe('a document', () => {
  it('has content, title and description, canonical address and data in its HTML', async () => {
    const reply = await get('/posts/1')
    const text = await reply.text()
    expect(reply.status).toBe(200)
    expect(text).toContain('<title>第一篇 - 测试站</title>')
    expect(text).toContain('<meta name="description" content="A post">')
    expect(text).toContain('<link rel="canonical" href="https://stoa.test/posts/1">')
    expect(text).toContain('<h1>第一篇</h1>')
    expect(text).toMatch(/<script type="application\/ld\+json">\{"@type":"QAPage","name":"\\u003c\/script>/)
  })

  it('has an icon and the colour of its header, which follow the scheme, and a picture where the page names one', async () => {
    const text = await html('/')
    expect(text).toMatch(/<link rel="icon" href="data:image\/svg\+xml,[^"]*fill=&#39;%230033ff&#39;[^"]*&gt;测&lt;/)
    expect(text.match(/<meta name="theme-color" content="[^"]+" media="[^"]+">/g)).toHaveLength(2)
    expect((await html('/', { cookie: 'stoa_scheme=dark' })).match(/<meta name="theme-color"[^>]*>/g)).toEqual([
      '<meta name="theme-color" content="oklch(from #0033ff 0.27 min(c, 0.09) h)">',
    ])
    expect(text).not.toContain('og:image')
  })

  it('leaves the place of a failing contribution empty, beside a post of 60 KB, without anything pending', async () => {
    const text = await html('/posts/1')
    expect(text).toContain('id="hello"')
    expect(text.length).toBeGreaterThan(60_000)
    const body = text.slice(text.indexOf('<div id="root">'), text.indexOf('<script', text.indexOf('<body>')))
    expect(body).not.toMatch(/<!--\$[?!]-->|<script|<div hidden|style="|<template/)
    expect(site.warnings.join()).toContain('broken on purpose (in extra/web/broken.tsx in post.after)')
  })

  it('has forms that only scripts can send go nowhere before those are there', async () => {
    const text = await html('/login')
    expect([...text.matchAll(/<form[^>]*>/g)].map(([tag]) => tag)).toEqual([
      '<form method="dialog" method="post">',
      '<form action="/find" method="get">',
    ])
  })

  it('runs no inline script and no inline style', async () => {
    const reply = await get('/')
    const text = await reply.text()
    expect(text).not.toMatch(/<script(?![^>]*(?:type="application\/|src=))/)
    expect(text).not.toContain('<style')
    expect(reply.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/)
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it('is a rendered 404 for an address nobody has, and for an object that is not there', async () => {
    for (const path of ['/nothing', '/posts/9']) {
      const reply = await get(path)
      expect(reply.status, path).toBe(404)
      expect(await reply.text()).toContain('抱歉，这个页面不存在')
    }
  })

  it('is asked for again later where its data does not come in time, and left to the browser meanwhile', async () => {
    const late = await startTestSite()
    try {
      await late.turnOn(reader)
      fillReplies(late)
      late.replies['/answer/api/v1/posts/1'] = new Promise(() => {})
      const reply = await fetch(`${late.url}/posts/1`)
      expect([reply.status, reply.headers.get('retry-after'), reply.headers.get('cache-control')]).toEqual([503, '10', 'no-store'])
      const text = await reply.text()
      expect(text).not.toContain('<h1>第一篇</h1>')
      expect(text).toContain('<nav id="navigation"')
      expect(late.warnings.join()).toContain('takes longer than 4 s')
    } finally {
      await late.close()
    }
  })

  it('is in the language and scheme of the preference cookies', async () => {
    const text = await html('/', { cookie: 'stoa_lang=en_US; stoa_scheme=dark' })
    expect(text).toContain('<html lang="en-US" data-scheme="dark">')
    expect(text).toContain('<p id="count">1 post</p>')
    expect(await html('/', { cookie: 'stoa_lang=../../etc' })).toContain('<html lang="zh-CN"')
  })

  it('has the same navigation and footer whether they are drawn for it or for a page before', async () => {
    const partsOf = async (path: string, cookie: string) => {
      const text = await html(path, { cookie })
      const [navigation = ''] = /<nav id="navigation".*?<\/nav>/s.exec(text) ?? []
      const [footer = ''] = /<footer.*?<\/footer>/s.exec(text) ?? []
      return { navigation, footer, here: [...navigation.matchAll(/aria-current="page"[^>]*href="([^"]*)"/g)].map(([, path]) => path) }
    }
    const inChinese = await partsOf('/editor?page=first', '')
    expect(inChinese.here).toEqual(['/editor'])
    expect(inChinese.navigation).toContain('href="/extra"')
    expect(inChinese.footer).toContain('测试站')
    const inEnglish = await partsOf('/editor?page=first', 'stoa_lang=en_US; stoa_scheme=dark')
    expect(inEnglish.navigation).not.toBe(inChinese.navigation)
    expect(inEnglish.footer).toMatch(/<option value="dark" selected="">/)
    expect(await partsOf('/editor?page=next', '')).toEqual(inChinese)
    expect(await partsOf('/editor?page=next', 'stoa_lang=en_US; stoa_scheme=dark')).toEqual(inEnglish)
    expect((await partsOf('/extra?page=next', '')).here).toEqual(['/extra'])
    expect((await partsOf('/posts/1', '')).here).toEqual([])
  })

  it('asks the browser for what only members see', async () => {
    const text = await html('/private')
    expect(text).not.toContain('Only in the browser')
    expect(text).toContain('测试站')
  })

  it('names the scripts and the styles of its plugins as one file each, by their content, with their digests', async () => {
    const text = await html('/')
    const named = [...text.matchAll(/<(?:link|script) [^>]*?(?:href|src)="(\/static\/[^"]+)" integrity="(sha384-[^"]+)"( data-joined)?>/g)]
    expect(named.some(([, href]) => href?.startsWith('/static/core/main.'))).toBe(true)
    expect(text).not.toContain('href="/static/js/reader/')
    expect(text).not.toContain('href="/static/js/extra/')
    const joined = named.filter(([, , , mark]) => mark).map(([, href]) => href as string)
    expect(joined.map((href) => href.split('.').pop()).sort()).toEqual(['css', 'js'])
    for (const [, href = '', digest] of named) {
      const reply = await get(href)
      expect(reply.status, href).toBe(200)
      const own = createHash('sha384').update(Buffer.from(await reply.arrayBuffer()))
      expect(`sha384-${own.digest('base64')}`, href).toBe(digest)
    }
    for (const href of joined) expect((await get(href)).headers.get('cache-control')).toContain('immutable')
  })

  it('is served its files by a node that has not written it, but no others', async () => {
    const joined = /href="(\/static\/joined\/([\w-]+)\/([^"]+)\.js)"/
    const page = await html('/')
    const [, href = '', digest = '', name = ''] = joined.exec(page) ?? []
    const [, sheets = '', sheet = ''] = /href="(\/static\/joined\/[\w-]+\/([^"]+))\.css"/.exec(page) ?? []
    const text = await (await get(href)).text()
    const other = await startTestSite()
    try {
      await other.turnOn(reader, extra)
      expect(await (await fetch(other.url + href)).text()).toBe(text)
      const status = async (path: string) => (await fetch(other.url + path)).status
      const [ui = '', ...rows] = name.split('~')
      // Of other content than the address says, of nothing, of what is not on.
      expect(await status(`/static/joined/${digest}/${[ui, ...rows.slice(1)].join('~')}.js`)).toBe(404)
      expect(await status(`/static/joined/${digest}/9999999999.js`)).toBe(404)
      // Of the same content, from an address that names a plugin twice: it could name one a thousand times.
      expect(await status(`${sheets}.css`)).toBe(200)
      expect(await status(`${sheets}~${sheet.split('~').at(-1)}.css`)).toBe(404)
      expect(await status(`/static/joined/${digest}/${ui}~constructor.00000000.0.js`)).toBe(404)
      await other.turnOn()
      expect(await status(`/static/joined/${'x'.repeat(22)}/${name}.js`)).toBe(404)
    } finally {
      await other.close()
    }
  })
})

describe('a contribution that hangs', () => {
  it('leaves the page to the browser, and the next page is rendered again', async () => {
    const hanging = await site.build('extra', (read, write) =>
      write('web/page.tsx', `${read('web/page.tsx')}\nexport const load = () => { for (;;); }`),
    )
    await site.turnOn(reader, hanging)
    const text = await html('/extra')
    expect(text).toContain('<div id="root"></div>')
    expect(await html('/')).toContain('第一篇')
    await site.turnOn(reader, extra)
  })
})

describe('pages that wait for what does not come', () => {
  it('hold up no other', async () => {
    const waits = await site.build('extra', (read, write) =>
      write('web/page.tsx', `${read('web/page.tsx')}\nexport const load = () => new Promise(() => {})`),
    )
    await site.turnOn(reader, waits)
    const waiting = [1, 2, 3, 4].map((n) => html(`/extra?n=${n}`).then(() => 'waited'))
    expect(await Promise.race([...waiting, html('/').then(() => 'home')])).toBe('home')
    expect(await Promise.all(waiting)).toEqual(['waited', 'waited', 'waited', 'waited'])
    await site.turnOn(reader, extra)
  })
})

describe('static files', () => {
  const entry = () => `/static/js/extra/${extra.generation}/${extra.manifest.build.web?.entry}`

  it('are immutable, compressed and known by tag', async () => {
    const reply = await get(entry(), { 'accept-encoding': 'br' })
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(reply.headers.get('content-encoding')).toBe('br')
    expect((await get(entry(), { 'if-none-match': reply.headers.get('etag') as string })).status).toBe(304)
  })

  it('come in ranges', async () => {
    const whole = await (await get(entry())).text()
    const part = await get(entry(), { range: 'bytes=5-9' })
    expect(part.status).toBe(206)
    expect(await part.text()).toBe(whole.slice(5, 10))
    expect(part.headers.get('content-range')).toBe(`bytes 5-9/${whole.length}`)
    expect((await get(entry(), { range: 'bytes=999999-' })).status).toBe(416)
  })

  it('are those of a known generation and nothing else', async () => {
    const folder = `/static/js/extra/${extra.generation}`
    for (const path of [
      `${folder}/plugin.json`,
      `${folder}/server.cjs`,
      `${folder}/../plugin.json`,
      `${folder}/..%2fplugin.json`,
      `/static/js/extra/${'0'.repeat(32)}/x.js`,
      '/static/core/manifest.json',
      '/static/primary-red.css',
    ]) {
      expect(await raw(path), path).toBe(404)
    }
    expect(await (await get('/static/primary-0033ff.css')).text()).toContain('--primary:#0033ff')
  })

  it('stay for tabs that are about to follow a switch', async () => {
    const before = entry()
    const other = await site.build('extra', (read, write) => write('web/page.tsx', read('web/page.tsx').replace('Extra', 'Other')))
    await site.turnOn(reader, other)
    expect((await get(before)).status).toBe(200)
    expect(await html('/extra')).toContain('Other page')
    await site.turnOn(reader, extra)
    expect(await html('/extra')).toContain('Extra page')
  })
})

describe('what is on', () => {
  it('is a map with slug, generation, routes and slots, in a language', async () => {
    const reply = await get('/stoa/map?lang=en_US')
    const map = (await reply.json()) as { plugins: unknown[][]; navigation: unknown[][] }
    expect(map.plugins.map((row) => row[0])).toEqual(['reader', 'extra'])
    expect(map.navigation[0]?.[3]).toBe('Posts')
    expect((await get('/stoa/map', { 'if-none-match': reply.headers.get('etag') as string })).status).toBe(304)
  })

  it('comes to pages in a file that stays what it is', async () => {
    const startOf = async () => /"start":"([^"]+)"/.exec(await html('/'))?.[1] as string
    const address = await startOf()
    expect(address).toMatch(/^\/stoa\/start\/\w{24}\/zh_CN\.json$/)
    const reply = await get(address)
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const start = (await reply.json()) as { map: { language: string; navigation: unknown[][] }; texts: { error: unknown } }
    expect(start.map).toMatchObject({ language: 'zh_CN', plugins: [['reader'], ['extra']].map((row) => expect.arrayContaining(row)) })
    expect(start.texts.error).toBeTypeOf('object')
    // A node that has not drawn a page of this set yet.
    const english = (await (await get(address.replace('zh_CN', 'en_US'))).json()) as typeof start
    expect(english.map.navigation[0]?.[3]).toBe('Posts')

    await site.turnOn(reader)
    expect(await startOf()).not.toBe(address)
    expect(await (await get(address)).json()).toEqual(start)
    await site.turnOn(reader, extra)
    for (const unknown of [address.replace(/\w{24}/, '0'.repeat(24)), address.replace('zh_CN', 'xx_XX')]) {
      const gone = await get(unknown)
      expect([gone.status, gone.headers.get('cache-control')]).toEqual([404, 'no-store'])
    }
  })

  it('decides about pages at once', async () => {
    expect((await get('/extra')).status).toBe(200)
    await site.turnOn(reader)
    expect((await get('/extra')).status).toBe(404)
    expect(await html('/')).not.toContain('id="hello"')
    await site.turnOn(reader, extra)
    expect((await get('/extra')).status).toBe(200)
  })

  it('leads to what is there where home itself has gone', async () => {
    await site.turnOn(extra)
    const text = await html('/')
    const main = text.slice(text.indexOf('<main'), text.indexOf('</main>'))
    expect(main).toContain('href="/extra"')
    expect(main).not.toContain('href="/"')
    await site.turnOn(reader, extra)
  })

  it('refuses a set whose files are not there', async () => {
    const web = { ...(extra.manifest.build.web as NonNullable<typeof extra.manifest.build.web>), entry: 'entry.gone.js' }
    const broken = { ...extra, generation: 'f'.repeat(32), manifest: { ...extra.manifest, build: { ...extra.manifest.build, web } } }
    await expect(site.turnOn(reader, broken)).rejects.toThrow('entry.gone.js')
    expect((await get('/extra')).status).toBe(200)
  })
})
