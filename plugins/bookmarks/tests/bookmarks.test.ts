import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredExperience, detailOf } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { bookmark, bookmarksOf } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('bookmarks', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let post: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'tags', 'search', 'bookmarks'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    await posted(await site.moderator('mona'))
    post = await posted(ana)
  })
  afterAll(() => site.close())

  it('count a person once, however often they press', async () => {
    expect((await bookmark(ben, post)).data).toEqual({ object_collection_count: 1 })
    expect((await bookmark(ben, post)).data).toEqual({ object_collection_count: 1 })
    await Promise.all([bookmark(cai, post), bookmark(cai, post)])
    expect(await detailOf(cai, post)).toMatchObject({ collection_count: 2, collected: true })
    expect(await detailOf(ana, post)).toMatchObject({ collection_count: 2, collected: false })
    expect((await bookmark(cai, post, false)).data).toEqual({ object_collection_count: 1 })
    expect((await bookmark(cai, post, false)).data).toEqual({ object_collection_count: 1 })
    expect((await detailOf(ana, post)).collection_count).toBe(1)
  })

  it('stand in a list of their owner, last one first', async () => {
    const dan = await site.member('dan')
    const posts = [await posted(ana), await posted(ben), await posted(dan)]
    for (const id of posts) await bookmark(dan, id)
    expect(await bookmarksOf(dan)).toEqual({ count: 3, ids: posts.toReversed() })
    const page = await dan.get(`${api}/personal/collection/page`, { page: 2, page_size: 2, username: 'ana' })
    expect(page.data).toMatchObject({ count: 3, list: [{ id: posts[0], collected: true, tags: [{ slug_name: 'travel' }] }] })
    expect(page.data.list[0].user_info.username).toBe('ana')
    expect((await site.visitor().get(`${api}/personal/collection/page`)).status).toBe(401)
    expect(await bookmarksOf(ana)).toEqual({ count: 0, ids: [] })
  })

  it('are of posts that are there: nothing else, and nobody’s without an account', async () => {
    const { answer } = await answeredExperience(ana, ben)
    expect((await bookmark(site.visitor(), post)).status).toBe(401)
    for (const id of [answer, '10010000000009999', 'nonsense']) {
      expect((await bookmark(ben, id)).reason).toBe('error.object.not_found')
      expect((await bookmark(ben, id, false)).reason).toBe('error.object.not_found')
    }
    expect((await ben.post(`${api}/collection/switch`, {})).data).toMatchObject([{ error_field: 'object_id' }, { error_field: 'group_id' }])
  })

  it('are not shown while the post is deleted, and can be let go then', async () => {
    const fay = await site.member('fay')
    const gone = await posted(ana)
    await bookmark(fay, gone)
    await ana.del(`${api}/experience`, { id: gone })
    expect((await bookmarksOf(fay)).ids).toEqual([])
    expect((await bookmark(cai, gone)).reason).toBe('error.object.not_found')
    expect((await bookmark(fay, gone, false)).data).toEqual({ object_collection_count: 0 })
    expect(await bookmarksOf(fay)).toEqual({ count: 0, ids: [] })
  })

  it('are counted as they are listed: pages are full and nothing is missing behind them', async () => {
    const hal = await site.member('hal')
    const mona = await site.moderator('mina')
    const posts = []
    for (let i = 0; i < 5; i++) posts.push(await posted(ana))
    for (const id of posts) await bookmark(hal, id)
    for (const id of [posts[4], posts[2]]) await ana.del(`${api}/experience`, { id })
    await mona.put(`${api}/experience/operation`, { id: posts[1], operation: 'hide' })
    const pages = []
    for (const page of [1, 2, 3]) {
      const { count, list } = (await hal.get(`${api}/personal/collection/page`, { page, page_size: 2 })).data
      pages.push({ count, ids: list.map((item: { id: string }) => item.id) })
    }
    expect(pages).toEqual([
      { count: 3, ids: [posts[3], posts[1]] },
      { count: 3, ids: [posts[0]] },
      { count: 3, ids: [] },
    ])
  })

  it('narrow a search by is:bookmarked, each person’s by their own', async () => {
    const gil = await site.member('gil')
    const one = await posted(ana, { title: 'A kayak on the quiet lake' })
    const other = await posted(ana, { title: 'A kayak in white water' })
    await bookmark(gil, one)
    await site.idle()
    const found = async (person: TestPerson, q: string) =>
      (await person.get(`${api}/search`, { q, order: 'relevance', page: 1, size: 20 })).data.list.map(
        (result: { object: { id: string } }) => result.object.id,
      )
    expect((await found(gil, 'kayak')).sort()).toEqual([one, other].sort())
    expect(await found(gil, 'is:bookmarked')).toEqual([one])
    expect(await found(gil, 'kayak is:bookmarked')).toEqual([one])
    expect(await found(gil, 'water is:bookmarked')).toEqual([])
    expect(await found(gil, 'is:answer is:bookmarked')).toEqual([])
    expect(await found(site.visitor(), 'is:bookmarked')).toEqual([])
    await bookmark(gil, other)
    expect((await found(gil, 'is:bookmarked')).sort()).toEqual([one, other].sort())
  })

  it('end with an account whose content is removed', async () => {
    const eve = await site.member('eve')
    const kept = await posted(ana)
    await bookmark(eve, kept)
    const admin = await site.admin()
    await admin.put('/answer/admin/api/user/status', { user_id: String(eve.id), status: 'deleted', remove_all_content: true })
    expect((await detailOf(ana, kept)).collection_count).toBe(0)
  })

  it('leave their numbers where they are while the plugin is off, and is:bookmarked is text', async () => {
    await bookmark(ben, post)
    await site.switch('bookmarks', false)
    try {
      expect(await detailOf(ben, post)).toMatchObject({ collection_count: 1, collected: false })
      expect((await bookmark(ben, post)).reason).toBe('base.route_not_found')
      const { data } = await ben.get(`${api}/search`, { q: 'is:bookmarked', order: 'relevance', page: 1, size: 20 })
      expect(data.list).toEqual([])
    } finally {
      await site.switch('bookmarks', true)
    }
    expect(await detailOf(ben, post)).toMatchObject({ collection_count: 1, collected: true })
  })
})
