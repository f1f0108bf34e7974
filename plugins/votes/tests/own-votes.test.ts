import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered, answeredExperience } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { openVotes, vote } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('the list of own votes', () => {
  let site: Site
  let mona: TestPerson
  let ana: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'comments', 'votes'] })
    await openVotes(site)
    mona = await site.moderator('mona')
    ana = await site.member('ana')
  })
  afterAll(() => site.close())

  const pagesOf = async (person: TestPerson) => {
    const pages = []
    for (const page of [1, 2, 3, 4]) {
      const { count, list } = (await person.get(`${api}/personal/vote/page`, { page, page_size: 2 })).data
      pages.push({ count, ids: list.map((item: { object_id: string }) => item.object_id) })
    }
    return pages
  }

  it('counts what it shows, and its pages are full: nothing of what was deleted, or stands below that', async () => {
    const dan = await site.member('dan')
    const posts = [await posted(ana), await posted(ana), await posted(ana)] as const
    const gone = await posted(ana)
    const { experience, answer } = await answeredExperience(ana, mona)
    const goneAnswer = await answered(await site.member('eli'), experience)
    const below = await answered(mona, gone)
    const voted = [posts[0], answer, gone, goneAnswer, posts[1], below, posts[2]]
    for (const object of voted) {
      await vote(dan, 'up', object)
      site.advance(1)
    }
    await mona.del(`${api}/experience`, { id: gone })
    await mona.del(`${api}/answer`, { id: goneAnswer })
    expect(await pagesOf(dan)).toEqual([
      { count: 4, ids: [posts[2], posts[1]] },
      { count: 4, ids: [answer, posts[0]] },
      { count: 4, ids: [] },
      { count: 4, ids: [] },
    ])
  })

  it('goes on with what only its reader may still see', async () => {
    const post = await posted(ana)
    await vote(mona, 'up', post)
    const [before] = await pagesOf(mona)
    await ana.del(`${api}/experience`, { id: post })
    expect((await pagesOf(mona))[0]).toEqual(before)
    expect(before?.ids[0]).toBe(post)
  })

  it('goes without the votes of a kind whose plugin is off', async () => {
    const fay = await site.member('fay')
    const { experience, answer } = await answeredExperience(ana, mona)
    await vote(fay, 'up', experience)
    await vote(fay, 'up', answer)
    await site.switch('answers', false)
    try {
      expect((await pagesOf(fay))[0]).toEqual({ count: 1, ids: [experience] })
    } finally {
      await site.switch('answers', true)
    }
    expect((await pagesOf(fay))[0]?.count).toBe(2)
  })
})
