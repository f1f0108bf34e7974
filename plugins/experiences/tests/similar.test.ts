import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../testing/index.ts'

describe('titles like the one that is being written', () => {
  let site: Site
  let admin: TestPerson
  let train: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags', 'search'] })
    admin = await site.admin()
    train = await posted(admin, { title: 'Night train to the coast' })
    await posted(admin, { title: 'Bread from an old starter', content: 'Flour, water, salt and three days.' })
    await site.idle()
  })
  afterAll(() => site.close())

  const similar = async (title: string) =>
    (await admin.get<{ id: string }[]>('/answer/api/v1/experience/similar', { title })).data.map((post) => post.id)

  it('contain it, or have its words in any order', async () => {
    expect(await similar('train to')).toEqual([train])
    expect(await similar('coast train')).toEqual([train])
    expect(await similar('lighthouse')).toEqual([])
  })

  it('share words with it in languages that put no spaces between them, the closest first', async () => {
    const sea = await posted(admin, { title: '坐夜车去看海要准备什么' })
    const night = await posted(admin, { title: '看海的人最怕什么天气，坐夜车又怕什么' })
    await posted(admin, { title: '面包怎么做才有香味，新手要准备什么' })
    await site.idle()
    expect(await similar('我想坐夜车去看海')).toEqual([sea, night])
    expect(await similar('坐夜车 去看海')).toEqual([sea, night])
    expect(await similar('怎么准备考试')).toEqual([])
  })

  it('stand beside a post once somebody has read it, before those with its tag; deleted and unlisted ones do not', async () => {
    const read = await posted(admin, { title: 'Baking rye bread on a wood stove', tags: ['stove'] })
    const closest = await posted(admin, { title: 'Rye bread that a wood stove does not burn', tags: ['kitchen'] })
    const tagged = await posted(admin, { title: 'Cleaning a chimney', tags: ['stove'] })
    const hidden = await posted(admin, { title: 'A wood stove for rye bread and cake', tags: ['kitchen'] })
    await admin.put('/answer/api/v1/experience/operation', { id: hidden, operation: 'hide' })
    await site.idle()
    const beside = async () =>
      (
        (await site.visitor().get<{ list: { id: string }[] | null }>('/answer/api/v1/experience/alike', { experience_id: read })).data
          .list ?? []
      ).map(({ id }) => id)
    expect(await beside()).toEqual([tagged])
    await expect.poll(beside).toEqual([closest, tagged])
    expect((await site.visitor().get('/answer/api/v1/experience/alike', { experience_id: '10010000000099999' })).status).toBe(404)
    // The call of the protocol goes by the tag alone.
    const byTag = await site.visitor().get<{ list: { id: string }[] }>('/answer/api/v1/experience/similar/tag', { experience_id: read })
    expect(byTag.data.list.map(({ id }) => id)).toEqual([tagged])
    await admin.del('/answer/api/v1/experience', { id: closest })
    expect(await beside()).toEqual([tagged])
  })

  it('are those that contain it while search is off', async () => {
    await site.switch('search', false)
    expect(await similar('train to')).toEqual([train])
    expect(await similar('coast train')).toEqual([])
  })
})
