import { encodeId } from '@stoa/sdk'
import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { restoreSite } from './fixtures.ts'

const API = '/answer/api/v1'

let site: Site

beforeAll(async () => {
  site = await startSite({ restore: restoreSite })
}, 120_000)
afterAll(() => site?.close())

it('the data of a site made with sdk 1.0.0 opens with everything that is in it', async () => {
  const visitor = site.visitor()
  const { count, list } = (await visitor.get(`${API}/experience/page`, { page: 1, page_size: 20, order: 'newest' })).data
  expect(count).toBe(40)
  expect(list).toHaveLength(20)
  const answered = (await visitor.get(`${API}/experience/page`, { page: 1, page_size: 1, order: 'score' })).data.list[0]
  const detail = (await visitor.get(`${API}/experience/info`, { id: answered.id })).data
  expect(detail.tags.length).toBeGreaterThan(0)
  expect((await visitor.get(`/experiences/${answered.id}`)).text).toContain(detail.title.split(' ')[0])
  expect((await visitor.get(`${API}/tags/page`, { page: 1, page_size: 30 })).data.count).toBe(20)
  expect((await visitor.get(`${API}/search`, { q: '河流' })).data.count).toBeGreaterThan(0)
  expect(site.plugins.list().find(({ slug }) => slug === 'guestbook')).toMatchObject({ state: 'on', version: '1.0.0', reason: '' })
  expect((await visitor.get('/guestbook')).status).toBe(200)
  expect(site.errors).toEqual([])
})

it('its texts are shown by the rules of today', async () => {
  await site.idle()
  const { data } = await site.visitor().get(`${API}/experience/info`, { id: encodeId(1, 1) })
  const second = await site.visitor().get(`${API}/experience/info`, { id: encodeId(1, 2) })
  expect(second.data.description).toBe('Train')
  expect(data.html).toBe('<details class="spoiler">\n<p>folded</p>\n</details>')
})

it('its people log in and go on writing', async () => {
  const admin = await site.visitor().post(`${API}/user/login/email`, { e_mail: 'admin@example.org', pass: 'correct horse 7' })
  expect(admin.status, admin.text).toBe(200)
  const writer = await site.admin()
  const { status, data } = await writer.post(`${API}/experience`, {
    title: 'Written after the upgrade',
    content: 'The old posts are still there, and this one is new.',
    tags: [{ slug_name: 'upgrade', display_name: 'upgrade', original_text: '' }],
  })
  expect(status).toBe(200)
  expect((await site.visitor().get(`${API}/experience/page`, { page: 1, page_size: 1, order: 'newest' })).data).toMatchObject({
    count: 41,
    list: [{ id: data.id }],
  })
})
