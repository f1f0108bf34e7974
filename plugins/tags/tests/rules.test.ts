import type { Reply, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, post, posted } from '../../experiences/testing/index.ts'
import { createTag, tagOf } from '../testing/index.ts'

const path = '/answer/api/v1/experience'

describe('tags of a post', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson
  let firstNames: string[]
  let withoutAny: Reply<unknown>

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'answers', 'tags'] })
    admin = await site.admin()
    ana = await site.member('ana')
    firstNames = (await ana.get<{ list: { slug_name: string }[] }>('/answer/api/v1/tags/page', { page: 1, page_size: 50 })).data.list.map(
      ({ slug_name }) => slug_name,
    )
    for (const slug of firstNames) await admin.del('/answer/api/v1/tag', { tag_id: (await tagOf(admin, slug)).tag_id })
    withoutAny = await post(ana, { tags: [] })
    for (const name of ['travel', 'cooking', 'official']) await createTag(admin, name)
  })
  afterAll(() => site.close())

  const refusal = async (tags: string[], person = ana) => {
    const reply = await post(person, { tags })
    return [reply.status, (reply.data as unknown as { error_field: string }[])[0]?.error_field]
  }
  const slugs = (view: { tags: { slug_name: string }[] }) => view.tags.map((tag) => tag.slug_name)

  it('are a few on a fresh site, and none is demanded where there is none', async () => {
    expect(firstNames.sort()).toEqual(['family', 'health', 'learning', 'life', 'technology', 'work'])
    expect(withoutAny.status).toBe(200)
  })

  it('are at least one and at most five, each once', async () => {
    expect(await refusal([])).toEqual([400, 'tags'])
    expect(await refusal(['a1', 'a2', 'a3', 'a4', 'a5', 'a6'], admin)).toEqual([400, 'tags'])
    const reply = await post(ana, { tags: ['travel', 'Travel', ' TRAVEL '] })
    expect(slugs(reply.data as never)).toEqual(['travel'])
  })

  it('that come as null are an empty list, refused in the same words', async () => {
    const id = await posted(ana, { tags: ['travel'] })
    const refusals = async (tags: null | []) => {
      const body = { ...draft(), tags }
      const replies = [
        await ana.post<unknown>(path, body),
        await ana.post<unknown>(`${path}/answer`, { ...body, answer_content: 'A long answer' }),
        await ana.put<unknown>(path, { ...body, id }),
      ]
      return replies.map(({ status, msg, data }) => ({ status, msg, data }))
    }
    const refused = { status: 400, msg: 'Choose at least one tag.', data: [{ error_field: 'tags', error_msg: 'Choose at least one tag.' }] }
    expect(await refusals([])).toEqual([refused, refused, refused])
    expect(await refusals(null)).toEqual([refused, refused, refused])
  })

  it('are new by right only', async () => {
    expect(await refusal(['never-seen'])).toEqual([400, 'tags'])
    expect((await post(admin, { tags: ['made-by-posting', '新标签'] })).status).toBe(200)
    expect(await tagOf(ana, '新标签')).toMatchObject({ experience_count: 1 })
  })

  it('have names with limits', async () => {
    expect(await refusal(['t'.repeat(36)], admin)).toEqual([400, 'slug_name'])
    expect((await refusal(['bad!name'], admin))[0]).toBe(400)
  })

  it('keep the order they were given in', async () => {
    const reply = await post(ana, { tags: ['cooking', 'travel'] })
    expect(slugs(reply.data as never)).toEqual(['cooking', 'travel'])
  })

  it('count public posts only', async () => {
    const before = (await tagOf(ana, 'cooking')).experience_count
    const id = await posted(ana, { tags: ['cooking'] })
    expect((await tagOf(ana, 'cooking')).experience_count).toBe(before + 1)
    await admin.put(`${path}/operation`, { id, operation: 'hide' })
    expect((await tagOf(ana, 'cooking')).experience_count).toBe(before)
    await admin.put(`${path}/operation`, { id, operation: 'show' })
    await ana.put(path, { ...draft({ tags: ['travel'] }), id })
    expect((await tagOf(ana, 'cooking')).experience_count).toBe(before)
    await ana.del(path, { id })
    expect((await tagOf(ana, 'cooking')).experience_count).toBe(before)
  })

  it('that are reserved are put on and taken off by staff', async () => {
    await admin.put('/answer/admin/api/siteinfo/write', {
      restrict_answer: true,
      required_tag: false,
      recommend_tags: [],
      reserved_tags: [{ slug_name: 'official', display_name: 'official' }],
      max_image_size: 4,
      max_attachment_size: 8,
      max_image_megapixel: 40,
      authorized_image_extensions: ['png'],
      authorized_attachment_extensions: [],
    })
    expect(await refusal(['official'])).toEqual([400, 'tags'])
    const reply = await post(admin, { tags: ['official'] })
    expect(reply.data.tags).toMatchObject([{ slug_name: 'official', reserved: true }])
  })

  it('come back right after the plugin was off', async () => {
    const id = await posted(ana, { tags: ['travel'] })
    const before = (await tagOf(ana, 'travel')).experience_count
    await site.switch('tags', false)
    await ana.del(path, { id })
    await site.switch('tags', true)
    await site.idle()
    await expect.poll(async () => (await tagOf(ana, 'travel')).experience_count, { timeout: 10_000 }).toBe(before - 1)
  })
})
