import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'

describe('the search page without scripts', () => {
  let site: Site
  const html = async (path: string) => (await site.visitor().fetch(path, { headers: { accept: 'text/html' } })).text()

  beforeAll(async () => {
    site = await startSite({ plugins: ['search', 'experiences', 'answers', 'tags', 'accounts', 'site', 'theme-default', 'locale-en-us'] })
    const ana = await site.moderator('ana')
    await posted(ana, { title: 'Coffee by the <b>river</b>', content: 'We drank coffee and watched the boats.', tags: ['cooking'] })
    await site.idle()
  })
  afterAll(() => site.close())

  it('has a form in the header of every page', async () => {
    for (const path of ['/', '/search']) {
      const page = await html(path)
      expect(page).toMatch(/<form[^>]*role="search"[^>]*action="\/search"[^>]*method="get"/)
      expect(page).toMatch(/<input[^>]*type="search"[^>]*name="q"/)
    }
  })

  it('shows results with their hits marked', async () => {
    const page = await html('/search?q=coffee')
    expect(page).toContain('<title>Search for “coffee”')
    expect(page).toMatch(/<mark[^>]*>Coffee<\/mark>/)
    expect(page).toMatch(/<meta name="robots" content="noindex"/)
  })

  it('never turns a title or a query into markup', async () => {
    const page = await html(`/search?q=${encodeURIComponent('coffee <img src=x>')}`)
    expect(page).toContain('&lt;b&gt;')
    expect(page).not.toContain('<img src=x')
  })

  it('says what to do when nothing is found, and what can be typed', async () => {
    expect(await html('/search?q=zeppelin')).toContain('Nothing found for “zeppelin”')
    expect(await html('/search')).toContain('hasaccepted:no')
  })

  it('leads links of snapshots to the page that was meant', async () => {
    const reply = await site.visitor().fetch(`/search?q=${encodeURIComponent(`cache:Ab1:${site.url}/tags`)}`)
    expect([reply.status, new URL(reply.headers.get('location') ?? '', site.url).pathname]).toEqual([302, '/tags'])
  })

  it('is gone with the plugin, box and page, and nothing else breaks', async () => {
    await site.switch('search', false)
    expect((await site.visitor().fetch('/search')).status).toBe(404)
    expect(await html('/')).not.toContain('role="search"')
    await site.switch('search', true)
    expect(await html('/')).toContain('role="search"')
  })

  it('logs no error over all of this', () => {
    expect(site.errors).toEqual([])
  })
})
