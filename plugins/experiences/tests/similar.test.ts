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

  it('are those that contain it while search is off', async () => {
    await site.switch('search', false)
    expect(await similar('train to')).toEqual([train])
    expect(await similar('coast train')).toEqual([])
  })
})
