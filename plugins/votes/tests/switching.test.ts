import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered, answeredExperience, answersOf, detailOf } from '../../answers/testing/index.ts'
import { commented, commentsOf } from '../../comments/testing/index.ts'
import { openVotes, vote } from '../testing/index.ts'

describe('a site that switches answers, comments and votes', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson
  let experience: string
  let answer: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'comments', 'votes'] })
    await openVotes(site)
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    const made = await answeredExperience(ana, ben)
    experience = made.experience
    answer = made.answer
    await vote(cai, 'up', experience)
    await commented(cai, answer)
    await commented(cai, experience)
  })
  afterAll(() => site.close())

  const off = async (slug: string, look: () => Promise<void>) => {
    await site.switch(slug, false)
    try {
      await look()
    } finally {
      await site.switch(slug, true)
    }
  }

  it('stays complete without votes, and has them again afterwards', async () => {
    await off('votes', async () => {
      const detail = await detailOf(cai, experience)
      expect(detail).toMatchObject({ vote_count: 1, vote_status: '' })
      expect((await vote(ben, 'up', experience)).reason).toBe('base.route_not_found')
      expect((await cai.get('/answer/api/v1/answer/page', { experience_id: experience })).data.list[0].vote_status).toBe('')
    })
    expect((await detailOf(cai, experience)).vote_status).toBe('vote_up')
  })

  it('answers comments with 404 while they are off, and everything else as before', async () => {
    await off('comments', async () => {
      expect((await ana.get('/answer/api/v1/comment/page', { object_id: experience })).reason).toBe('base.route_not_found')
      expect(await answersOf(ana, experience)).toEqual([answer])
    })
    expect((await commentsOf(ana, experience)).count).toBe(1)
  })

  it('keeps answers and what stands below them while they are off', async () => {
    await off('answers', async () => {
      expect(await detailOf(ben, experience)).toMatchObject({ answered: false, first_answer_id: '' })
      expect((await ana.get('/answer/api/v1/answer/page', { experience_id: experience })).reason).toBe('base.route_not_found')
      expect((await ana.get('/answer/api/v1/comment/page', { object_id: answer })).status).toBe(404)
      expect((await commentsOf(ana, experience)).count).toBe(1)
    })
    expect(await detailOf(ben, experience)).toMatchObject({ answered: true, first_answer_id: answer })
    expect((await commentsOf(ana, answer)).count).toBe(1)
  })

  it('learns afterwards what was hidden while it was off', async () => {
    const made = await answeredExperience(ana, cai)
    await answered(ben, made.experience)
    const remark = await commented(cai, made.experience)
    const profile = async (call: string, key: string) =>
      (await site.visitor().get(`/answer/api/v1/personal/${call}/page`, { username: 'cai', order: 'newest' })).data.list.map(
        (item: Record<string, string>) => item[key],
      )
    for (const slug of ['answers', 'comments']) {
      await mona.put('/answer/api/v1/experience/operation', { id: made.experience, operation: 'show' })
      await site.idle()
      await off(slug, async () => {
        await mona.put('/answer/api/v1/experience/operation', { id: made.experience, operation: 'hide' })
        await site.idle()
      })
      await site.idle()
      if (slug === 'answers') expect(await profile('answer', 'answer_id')).not.toContain(made.answer)
      else expect(await profile('comment', 'comment_id')).not.toContain(remark)
    }
  })
})
