import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('the sitemap', () => {
  let site: Site
  let id = ''
  const get = (path: string) => site.visitor().get(path)

  beforeAll(async () => {
    site = await startSite()
    const admin = await site.admin()
    await admin.post('/answer/api/v1/tag', { slug_name: 'travel', display_name: 'Travel', original_text: 'About it.' })
    await admin.post('/answer/api/v1/tag', { slug_name: 'empty', display_name: 'Empty', original_text: 'About it.' })
    const written = { title: 'Where to sleep on trains', content: 'Some words about it.', tags: [{ slug_name: 'travel' }] }
    id = (await admin.post<{ id: string }>('/answer/api/v1/experience', written)).data.id
  })
  afterAll(() => site.close())

  it('is named in robots.txt, and names its parts', async () => {
    expect((await get('/robots.txt')).text).toMatch(new RegExp(`\nSitemap: ${site.url}/sitemap.xml\n$`))
    const { text, headers } = await get('/sitemap.xml')
    expect(headers.get('content-type')).toBe('application/xml; charset=utf-8')
    expect([...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address).sort()).toEqual([
      `${site.url}/sitemap/experiences-1.xml`,
      `${site.url}/sitemap/tags-1.xml`,
    ])
  })

  it('names listed posts and tags in use by their whole address, with the last change', async () => {
    const posts = (await get('/sitemap/experiences-1.xml')).text
    expect(posts).toMatch(
      new RegExp(`<url><loc>${site.url}/experiences/${id}[^<]*</loc><lastmod>\\d{4}-\\d\\d-\\d\\dT[^<]+</lastmod></url>`),
    )
    const tags = (await get('/sitemap/tags-1.xml')).text
    expect(tags).toContain(`<loc>${site.url}/tags/travel</loc>`)
    expect(tags).not.toContain('/tags/empty')
  })

  it('has no other parts', async () => {
    for (const file of ['experiences-2.xml', 'experiences-0.xml', 'none-1.xml', 'experiences-999999999.xml', 'constructor-1.xml', 'x'])
      expect((await get(`/sitemap/${file}`)).status, file).toBe(404)
  })

  it('leaves out what is unlisted, and a plugin that is off', async () => {
    const admin = await site.admin()
    await admin.put('/answer/api/v1/experience/operation', { id, operation: 'hide' })
    expect((await get('/sitemap/experiences-1.xml')).text).not.toContain(id)
    await site.switch('tags', false)
    expect((await get('/sitemap.xml')).text).not.toContain('tags-1')
    await site.switch('tags', true)
  })

  it('is nobody’s on a private site', async () => {
    const admin = await site.admin()
    const { data } = await admin.get<object>('/answer/admin/api/siteinfo/login')
    await admin.put('/answer/admin/api/siteinfo/login', { ...data, login_required: true })
    expect((await get('/sitemap.xml')).status).toBe(401)
    for (const path of ['/sitemap.xml', '/sitemap/experiences-1.xml'])
      expect((await admin.get(path)).headers.get('cache-control'), path).toBe('private, no-store')
    expect((await get('/robots.txt')).text).not.toContain('Sitemap')
  })
})
