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

  it('are those that contain it while search is off', async () => {
    await site.switch('search', false)
    expect(await similar('train to')).toEqual([train])
    expect(await similar('coast train')).toEqual([])
  })
})
