import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

describe('plain text', () => {
  let site: Site
  let id = ''
  const get = (path: string) => site.visitor().get(path)

  beforeAll(async () => {
    site = await startSite()
    const admin = await site.admin()
    await admin.post('/answer/api/v1/tag', { slug_name: 'travel', display_name: 'Travel', original_text: 'About it.' })
    const written = { title: 'Where to *sleep*', content: '- earplugs\n- a **lower** berth', tags: [{ slug_name: 'travel' }] }
    id = (await admin.post<{ id: string }>('/answer/api/v1/experience', written)).data.id
    await (await site.member('anna')).post('/answer/api/v1/answer', { experience_id: id, content: 'Take the `first` carriage.' })
  })
  afterAll(() => site.close())

  it('gives a post with its answers as they were written', async () => {
    const { text, headers } = await get(`/experiences/${id}.md`)
    expect(headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(text).toContain('# Where to \\*sleep\\*\n')
    expect(text).toContain('- earplugs\n- a **lower** berth')
    expect(text).toContain('Take the `first` carriage.')
    expect((await get(`/experiences/${id}`)).text).toContain(`href="/experiences/${id}.md"`)
  })

  it('lists what is there, and says so for language models', async () => {
    for (const path of ['/experiences.md', '/tags/travel.md', '/llms.txt'])
      expect((await get(path)).text, path).toContain(`(${site.url}/experiences/${id}.md)`)
  })

  it('has nothing of what does not exist or is not public, and no page is lost to it', async () => {
    for (const path of ['/experiences/1.md', '/tags/none.md', '/experiences/ask.md']) expect((await get(path)).status, path).toBe(404)
    expect((await get(`/experiences/${id}`)).headers.get('content-type')).toContain('text/html')
    const admin = await site.admin()
    await admin.del('/answer/api/v1/experience', { id })
    expect((await admin.get(`/experiences/${id}.md`)).status).toBe(404)
    await admin.post('/answer/api/v1/experience/recover', { experience_id: id })
  })

  it('may be kept by caches that serve many, but not that of a private site', async () => {
    const admin = await site.admin()
    const paths = [`/experiences/${id}.md`, '/experiences.md', '/tags/travel.md', '/llms.txt']
    const told = () => Promise.all(paths.map(async (path) => (await admin.get(path)).headers.get('cache-control')))
    expect(new Set(await told())).toEqual(new Set(['public, max-age=300']))
    const { data } = await admin.get<object>('/answer/admin/api/siteinfo/login')
    await admin.put('/answer/admin/api/siteinfo/login', { ...data, login_required: true })
    expect(new Set(await told())).toEqual(new Set(['private, no-store']))
  })
})
