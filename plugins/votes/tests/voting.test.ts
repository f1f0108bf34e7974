import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredExperience, detailOf, rankOf } from '../../answers/testing/index.ts'
import { commented } from '../../comments/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { openVotes, vote } from '../testing/index.ts'

describe('voting', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'comments', 'votes'] })
    await openVotes(site)
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
  })
  afterAll(() => site.close())

  const ranks = async () => [await rankOf(site, ana), await rankOf(site, ben), await rankOf(site, cai)]
  const gained = async (before: number[]) => (await ranks()).map((rank, index) => rank - (before[index] as number))

  it('counts one vote per person, however often they press', async () => {
    const experience = await posted(ana)
    const once = { up_votes: 1, down_votes: 0, votes: 1, vote_status: 'vote_up' }
    expect((await vote(ben, 'up', experience)).data).toEqual(once)
    expect((await vote(ben, 'up', experience)).data).toEqual(once)
    await Promise.all([vote(cai, 'up', experience), vote(cai, 'up', experience), vote(cai, 'up', experience)])
    expect(await detailOf(cai, experience)).toMatchObject({ vote_count: 2, vote_status: 'vote_up' })
    expect(await detailOf(site.visitor(), experience)).toMatchObject({ vote_count: 2, vote_status: '' })
  })

  it('replaces a vote by one in the other direction', async () => {
    const experience = await posted(ana)
    await vote(ben, 'up', experience)
    expect((await vote(ben, 'down', experience)).data).toEqual({ up_votes: 0, down_votes: 1, votes: -1, vote_status: 'vote_down' })
    expect((await vote(ben, 'up', experience)).data).toEqual({ up_votes: 1, down_votes: 0, votes: 1, vote_status: 'vote_up' })
    expect((await detailOf(ana, experience)).vote_count).toBe(1)
  })

  it('takes a vote back, but not one of the other direction', async () => {
    const experience = await posted(ana)
    await vote(ben, 'up', experience)
    expect((await vote(ben, 'down', experience, true)).data.vote_status).toBe('vote_up')
    expect((await vote(ben, 'up', experience, true)).data).toEqual({ up_votes: 0, down_votes: 0, votes: 0, vote_status: '' })
    expect((await vote(ben, 'up', experience, true)).data.votes).toBe(0)
  })

  it('is refused on own posts, as a toast', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const remark = await commented(ben, experience)
    for (const [person, object] of [
      [ana, experience],
      [ben, answer],
      [ben, remark],
    ] as const) {
      const reply = await vote(person, 'up', object)
      expect([reply.status, reply.reason, reply.data]).toEqual([400, 'error.object.disallow_vote_your_self', { err_type: 'toast' }])
    }
  })

  it('gives the author 10 for up, takes 2 for down, and 1 from who votes an answer down', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const before = await ranks()
    await vote(cai, 'up', experience)
    expect(await gained(before)).toEqual([10, 0, 0])
    await vote(cai, 'up', answer)
    expect(await gained(before)).toEqual([10, 10, 0])
    await vote(ana, 'down', answer)
    expect(await gained(before)).toEqual([9, 8, 0])
    await vote(ana, 'down', answer, true)
    await vote(cai, 'up', experience, true)
    await vote(cai, 'up', answer, true)
    expect(await gained(before)).toEqual([0, 0, 0])
  })

  it('counts nothing for a deleted post, and again once it is back', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const mona = await site.moderator('mona')
    const before = await ranks()
    await vote(ben, 'up', experience)
    await vote(cai, 'up', experience)
    await vote(cai, 'up', answer)
    await vote(ana, 'down', answer)
    expect(await gained(before)).toEqual([19, 8, 0])
    await mona.del('/answer/api/v1/answer', { id: answer })
    expect(await gained(before)).toEqual([20, 0, 0])
    await mona.del('/answer/api/v1/experience', { id: experience })
    expect(await gained(before)).toEqual([0, 0, 0])
    await mona.post('/answer/api/v1/experience/recover', { experience_id: experience })
    await mona.post('/answer/api/v1/answer/recover', { answer_id: answer })
    expect(await gained(before)).toEqual([19, 8, 0])
    await vote(cai, 'up', experience, true)
    expect(await gained(before)).toEqual([9, 8, 0])
  })

  it('lets comments only be liked', async () => {
    const experience = await posted(ana)
    const remark = await commented(ben, experience)
    expect((await vote(ana, 'up', remark)).data).toMatchObject({ votes: 1, vote_status: 'vote_up' })
    const refused = await vote(cai, 'down', remark)
    expect([refused.status, refused.reason]).toEqual([400, 'error.vote.only_up'])
    const shown = async (person: TestPerson) => (await person.get('/answer/api/v1/comment/page', { object_id: experience })).data.list[0]
    expect(await shown(ana)).toMatchObject({ vote_count: 1, is_vote: true })
    expect(await shown(cai)).toMatchObject({ vote_count: 1, is_vote: false })
  })

  it('orders comments by likes where that is asked', async () => {
    const experience = await posted(ana)
    const [first, second] = [await commented(ben, experience), await commented(ana, experience)]
    await vote(cai, 'up', second)
    const { list } = (await ana.get('/answer/api/v1/comment/page', { object_id: experience, query_cond: 'vote' })).data
    expect(list.map((item: { comment_id: string }) => item.comment_id)).toEqual([second, first])
  })

  it('shows people their own votes and nobody else’s', async () => {
    const dan = await site.member('dan')
    const { experience, answer } = await answeredExperience(ana, ben)
    await vote(dan, 'up', experience)
    site.advance(1)
    await vote(dan, 'down', answer)
    const { count, list } = (await dan.get('/answer/api/v1/personal/vote/page')).data
    expect(count).toBe(2)
    expect(list).toMatchObject([
      { object_type: 'answer', answer_id: answer, experience_id: experience, vote_type: 'Down' },
      { object_type: 'experience', object_id: experience, answer_id: '', vote_type: 'Up' },
    ])
    expect((await site.visitor().get('/answer/api/v1/personal/vote/page')).status).toBe(401)
  })

  it('names what is missing or not there', async () => {
    expect((await site.visitor().post('/answer/api/v1/vote/up', {})).status).toBe(401)
    const empty = await ben.post('/answer/api/v1/vote/up', {})
    expect([empty.status, empty.data[0].error_field]).toEqual([400, 'object_id'])
    for (const object of ['nonsense', '10010000000009999', '10030000000000001'])
      expect((await vote(ben, 'up', object)).reason, object).toBe('error.object.not_found')
    expect((await ben.post('/answer/api/v1/vote/sideways', { object_id: await posted(ana) })).status).toBe(400)
  })
})

describe('voting of newcomers', () => {
  it('needs reputation, which the refusal names', async () => {
    const site = await startSite({ plugins: ['answers', 'votes'] })
    try {
      const [ana, ben] = [await site.member('ana'), await site.member('ben')]
      const experience = await posted(ana)
      for (const [direction, needed] of [
        ['up', 8],
        ['down', 125],
      ] as const) {
        const reply = await vote(ben, direction, experience)
        expect([reply.status, reply.reason, reply.data]).toEqual([403, 'error.rank.no_enough_rank_to_operate', null])
        expect(reply.msg).toContain(String(needed))
      }
      expect((await vote(await site.moderator(), 'down', experience)).data.votes).toBe(-1)
    } finally {
      await site.close()
    }
  })
})
