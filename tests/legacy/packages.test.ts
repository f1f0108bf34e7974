import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packedAs, packedThen } from './fixtures.ts'

const API = '/answer/api/v1'
const ADMIN = '/answer/admin/api'

describe('packages built with sdk 1.0.0', { timeout: 120_000 }, () => {
  let site: Site
  let admin: TestPerson
  let member: TestPerson
  let voter: TestPerson
  let post: { id: string }

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    member = await site.member('ana')
    voter = await site.moderator('max')
    post = (
      await admin.post(`${API}/experience`, {
        title: 'Night trains through the mountains',
        content: 'word '.repeat(700),
        tags: [{ slug_name: 'travel', display_name: 'travel', original_text: '' }],
      })
    ).data
  }, 120_000)
  afterAll(() => site?.close())

  const row = async (slug: string) =>
    (await admin.get<{ slug_name: string; enabled: boolean; version: string; reason: string }[]>(`${ADMIN}/plugins`)).data.find(
      ({ slug_name }) => slug_name === slug,
    )
  const install = async (archive: File) => {
    const reply = await admin.upload(`${ADMIN}/plugin/install`, archive)
    expect(reply.status, reply.text).toBe(200)
  }
  const rollBack = async (slug: string) => {
    const reply = await admin.post(`${ADMIN}/plugin/rollback`, { plugin_slug_name: slug })
    expect(reply.status, reply.text).toBe(200)
  }
  const html = async (path: string) => (await site.visitor().get(path)).text

  /** Installed, on, replaced by another version of itself, and back. `works` is asked each time. */
  async function lives(slug: string, first: string, next: string, works: () => Promise<void>): Promise<void> {
    await install(packedThen(slug))
    await site.switch(slug, true)
    expect(await row(slug)).toMatchObject({ enabled: true, version: first, reason: '' })
    await works()
    await install(packedAs(slug, next))
    expect(await row(slug)).toMatchObject({ enabled: true, version: next, reason: '' })
    await works()
    await rollBack(slug)
    expect(await row(slug)).toMatchObject({ enabled: true, version: first, reason: '' })
    await works()
    expect(site.errors).toEqual([])
  }

  it('guestbook: a page, a form, a table', () =>
    lives('guestbook', '1.0.0', '1.0.1', async () => {
      const line = `Signed at ${await site.plugins.epoch}`
      expect((await member.post(`${API}/guestbook`, { text: line })).status).toBe(200)
      expect(await html('/guestbook')).toContain(line)
    }))

  it('reading-time: a line below a post', () =>
    lives('reading-time', '1.0.0', '1.0.1', async () => {
      expect(await html(`/experiences/${post.id}`)).toContain('3 minutes to read')
    }))

  it('tidy-titles: a hook of posts', () =>
    lives('tidy-titles', '1.0.0', '1.0.1', async () => {
      const reply = await admin.post(`${API}/experience`, {
        title: `Is it over??? At ${site.plugins.epoch}`,
        content: 'We walked along the old ramparts until it was dark.',
        tags: [{ slug_name: 'travel', display_name: 'travel', original_text: '' }],
      })
      expect(reply.data.title).toBe(`Is it over? At ${site.plugins.epoch}`)
    }))

  it('plain-search: an engine', () =>
    lives('plain-search', '1.0.0', '1.0.1', async () => {
      expect((await site.visitor().get(`${API}/search/desc`)).data.name).toBe('Plain search')
    }))

  it('theme-ink: a theme', () =>
    lives('theme-ink', '1.0.0', '1.0.1', async () => {
      expect(await html('/')).toMatch(/"theme-ink\/[^"]+\.css"/)
    }))

  it('votes and comments of then, in place of those that come with the site', async () => {
    await install(packedThen('votes'))
    await install(packedThen('comments'))
    for (const slug of ['votes', 'comments']) expect(await row(slug)).toMatchObject({ enabled: true, version: '9.0.0', reason: '' })
    expect((await voter.post(`${API}/vote/up`, { object_id: post.id, is_cancel: false })).status).toBe(200)
    const detail = (await voter.get(`${API}/experience/info`, { id: post.id })).data
    expect(detail).toMatchObject({ vote_count: 1, vote_status: 'vote_up' })
    const comment = await voter.post(`${API}/comment`, { object_id: post.id, original_text: 'The view near the pass is the best.' })
    expect(comment.status, comment.text).toBe(200)
    expect((await site.visitor().get(`${API}/comment/page`, { object_id: post.id })).data.count).toBe(1)
    const page = await html(`/experiences/${post.id}`)
    expect(page).toContain('The view near the pass is the best.')
    const { data: answer } = await admin.post(`${API}/answer`, { experience_id: post.id, content: 'Take the window seat on the left.' })
    expect((await voter.post(`${API}/vote/up`, { object_id: answer.info.id, is_cancel: false })).status).toBe(200)
    expect((await voter.get(`${API}/answer/page`, { experience_id: post.id })).data.list[0]).toMatchObject({ vote_status: 'vote_up' })
    await rollBack('votes')
    await rollBack('comments')
    expect((await voter.get(`${API}/experience/info`, { id: post.id })).data).toMatchObject({ vote_count: 1, vote_status: 'vote_up' })
    expect((await site.visitor().get(`${API}/comment/page`, { object_id: post.id })).data.count).toBe(1)
    expect(site.errors).toEqual([])
  })
})
