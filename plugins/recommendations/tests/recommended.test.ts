import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { follow, followTags } from '../../follows/testing/index.ts'
import { createTag } from '../../tags/testing/index.ts'

const api = '/answer/api/v1'

describe('recommended posts', () => {
  let site: Site
  let ana: TestPerson
  let mona: TestPerson
  const posts: Record<string, string> = {}

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'tags', 'follows', 'recommendations'] })
    ana = await site.member('ana')
    mona = await site.moderator('mona')
    for (const slug of ['travel', 'cooking', 'gardens']) await createTag(mona, slug)
    for (const [name, ...tags] of [
      ['train', 'travel'],
      ['bread', 'cooking'],
      ['both', 'travel', 'cooking'],
      ['roses', 'gardens'],
    ] as const)
      posts[name] = await posted(ana, { tags: [...tags] })
  })
  afterAll(() => site.close())

  const recommended = async (person: TestPerson, query: Record<string, number> = {}) => {
    const { data } = await person.get<{ count: number; list: { id: string }[] }>(`${api}/experience/recommend/page`, {
      page: 1,
      page_size: 20,
      ...query,
    })
    const names = data.list.map(({ id }) => Object.entries(posts).find(([, post]) => post === id)?.[0] ?? id)
    return { count: data.count, names }
  }

  it('are for members, and none for who follows nothing', async () => {
    expect((await site.visitor().get(`${api}/experience/recommend/page`)).status).toBe(401)
    expect(await recommended(await site.member('ben'))).toEqual({ count: 0, names: [] })
  })

  it('have a followed tag, each once, the newest first', async () => {
    const cai = await site.member('cai')
    await followTags(cai, 'travel', 'cooking')
    expect(await recommended(cai)).toEqual({ count: 3, names: ['both', 'bread', 'train'] })
    await followTags(cai, 'gardens')
    expect(await recommended(cai)).toEqual({ count: 1, names: ['roses'] })
  })

  it('leave out one’s own and what one has answered', async () => {
    expect((await followTags(ana, 'travel')).status).toBe(200)
    expect(await recommended(ana)).toEqual({ count: 0, names: [] })
    const dan = await site.member('dan')
    await followTags(dan, 'travel')
    await answered(dan, posts.train as string)
    expect(await recommended(dan)).toEqual({ count: 1, names: ['both'] })
  })

  it('begin with the posts one follows, on whatever page they end', async () => {
    const eve = await site.member('eve')
    await followTags(eve, 'travel', 'cooking')
    await follow(eve, posts.roses as string)
    await follow(eve, posts.train as string)
    expect(await recommended(eve)).toEqual({ count: 4, names: ['roses', 'train', 'both', 'bread'] })
    const pages = [1, 2, 3].map((page) => recommended(eve, { page, page_size: 3 }))
    expect(await Promise.all(pages)).toEqual([
      { count: 4, names: ['roses', 'train', 'both'] },
      { count: 4, names: ['bread'] },
      { count: 4, names: [] },
    ])
    const fours = [1, 2, 3, 4].map((page) => recommended(eve, { page, page_size: 1 }))
    expect((await Promise.all(fours)).map(({ names }) => names[0])).toEqual(['roses', 'train', 'both', 'bread'])
    expect(await recommended(eve, { page: 1, page_size: 2 })).toEqual({ count: 4, names: ['roses', 'train'] })
  })

  it('are open and listed', async () => {
    const fay = await site.member('fay')
    await followTags(fay, 'gardens')
    await follow(fay, posts.bread as string)
    expect((await recommended(fay)).names).toEqual(['bread', 'roses'])
    const operate = (id: string | undefined, operation: string) => mona.put(`${api}/experience/operation`, { id, operation })
    await operate(posts.roses, 'hide')
    await operate(posts.bread, 'hide')
    expect(await recommended(fay)).toEqual({ count: 0, names: [] })
    await operate(posts.roses, 'show')
    await operate(posts.bread, 'show')
    expect((await mona.put(`${api}/experience/status`, { id: posts.roses, close_type: 63, close_msg: '' })).status).toBe(200)
    expect((await recommended(fay)).names).toEqual(['bread'])
    await mona.put(`${api}/experience/reopen`, { experience_id: posts.roses })
    await operate(posts.roses, 'pin')
    const gus = await site.member('gus')
    await followTags(gus, 'gardens', 'travel')
    expect((await recommended(gus)).names[0]).toBe('roses')
  })

  it('are none while follows is off, and the posts one follows while tags is', async () => {
    const hal = await site.member('hal')
    await followTags(hal, 'travel')
    await follow(hal, posts.bread as string)
    const off = async (slug: string) => {
      await site.switch(slug, false)
      try {
        return await recommended(hal)
      } finally {
        await site.switch(slug, true)
      }
    }
    expect(await off('follows')).toEqual({ count: 0, names: [] })
    expect(await off('tags')).toEqual({ count: 1, names: ['bread'] })
    expect((await recommended(hal)).names).toEqual(['bread', 'both', 'train'])
  })
})
