import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { answer, answered, answeredExperience, answersOf, detailOf } from '../testing/index.ts'

const path = '/answer/api/v1/answer'

describe('writing an answer', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
  })
  afterAll(() => site.close())

  const fields = (reply: { data: { error_field: string }[] }) => reply.data.map((entry) => entry.error_field)

  it('asks who somebody is before it looks at what they sent', async () => {
    expect((await site.visitor().post(path, {})).status).toBe(401)
    expect((await site.visitor().post(`${path}/acceptance`, {})).status).toBe(401)
  })

  it('needs six characters that are no blanks', async () => {
    const experience = await posted(ana)
    for (const content of ['', 'abc', '   abc   ', '          ']) {
      const reply = await ben.post(path, { experience_id: experience, content })
      expect([reply.status, reply.reason, fields(reply)], content).toEqual([400, 'base.request_format_error', ['content']])
    }
    expect((await ben.post(path, { experience_id: experience, content: '一路睡得很好' })).status).toBe(200)
  })

  it('gives the answer and its experience, which counts it at once', async () => {
    const experience = await posted(ana)
    const { status, data } = await answer(ben, experience, 'I took it as well, and **slept**.')
    expect(status).toBe(200)
    expect(data.info).toMatchObject({
      experience_id: experience,
      html: expect.stringContaining('<strong>slept</strong>'),
      accepted: 1,
      vote_status: '',
      vote_count: 0,
    })
    expect(data.experience).toMatchObject({
      id: experience,
      answer_count: 1,
      last_answer_id: data.info.id,
      answered: true,
      first_answer_id: data.info.id,
    })
    expect(await detailOf(site.visitor(), experience)).toMatchObject({ answer_count: 1, answered: false, first_answer_id: '' })
  })

  it('is counted at its author while everybody can see it, as the list of a profile has it', async () => {
    const { experience, answer: own } = await answeredExperience(ana, ben)
    const unlisted = await posted(ana)
    const experiences = '/answer/api/v1/experience'
    const operate = (operation: string, id = experience) => mona.put(`${experiences}/operation`, { id, operation })
    const recover = () => mona.post(`${experiences}/recover`, { experience_id: experience })
    await operate('hide', unlisted)
    const numbers = async () => {
      const visitor = site.visitor()
      const info = await visitor.get<{ answer_count: number }>('/answer/api/v1/personal/user/info', { username: 'ben' })
      const page = await visitor.get<{ count: number }>('/answer/api/v1/personal/answer/page', { username: 'ben' })
      return [info.data.answer_count, page.data.count]
    }
    const [before] = (await numbers()) as [number]
    const acts: [act: () => Promise<{ status: number }>, by: number][] = [
      [() => operate('hide'), -1],
      [() => mona.del(experiences, { id: experience }), -1],
      [recover, -1],
      [() => mona.del(path, { id: own }), -1],
      [() => operate('show'), -1],
      [() => mona.post(`${path}/recover`, { answer_id: own }), 0],
      [() => mona.del(experiences, { id: experience }), -1],
      [recover, 0],
      [() => answer(ben, unlisted), 0],
      [() => operate('show', unlisted), 1],
    ]
    for (const [index, [act, by]] of acts.entries()) {
      expect((await act()).status, String(index)).toBe(200)
      expect(await numbers(), String(index)).toEqual([before + by, before + by])
    }
  })

  it('is refused where there is nothing to answer', async () => {
    const reply = await ben.post(path, { experience_id: '10010000000009999', content: 'Answering into the void' })
    expect([reply.status, reply.reason]).toEqual([404, 'error.experience.not_found'])
  })

  it('knows the post as it is when the answer is stored: unlisted while that was rendered, or closed', async () => {
    const operate = (id: string) => mona.put('/answer/api/v1/experience/operation', { id, operation: 'hide' })
    const close = (id: string) => mona.put('/answer/api/v1/experience/status', { id, close_type: 63, close_msg: '' })
    // Long enough to take a while.
    const text = (experience: string) => `**${experience}**\n\n`.repeat(500)
    const posts = await Promise.all(Array.from({ length: 12 }, () => posted(ana)))
    await Promise.all(
      posts.map(async (experience, index) => {
        const isClosing = index % 2 === 0
        const [written, acted] = await Promise.all([answer(cai, experience, text(experience)), (isClosing ? close : operate)(experience)])
        expect(acted.status).toBe(200)
        expect([200, ...(isClosing ? [400] : [])]).toContain(written.status)
      }),
    )
    const { data } = await site.visitor().get<{ list: { experience_id: string }[] }>('/answer/api/v1/personal/answer/page', {
      username: 'cai',
      page_size: 100,
    })
    const unlisted = posts.filter((_, index) => index % 2 === 1)
    expect(data.list.filter(({ experience_id }) => unlisted.includes(experience_id))).toEqual([])
  })

  it('takes one answer from each person while the owner wants it so', async () => {
    const experience = await posted(ana)
    const first = await answered(ben, experience)
    const second = await answer(ben, experience)
    expect([second.status, second.reason]).toEqual([403, 'error.answer.restrict_answer'])
    expect((await detailOf(ben, experience)).answer_count).toBe(1)
    await ben.del(path, { id: first })
    expect((await answer(ben, experience)).status).toBe(200)
  })

  it('takes no answer to a closed experience', async () => {
    const experience = await posted(ana)
    await mona.put('/answer/api/v1/experience/status', { id: experience, close_type: 63, close_msg: '' })
    const reply = await answer(ben, experience)
    expect([reply.status, reply.reason]).toEqual([400, 'error.answer.experience_closed_cannot_add'])
  })

  it('refuses the same text again as a double press', async () => {
    const experience = await posted(ana)
    await answered(ben, experience, 'Twice the same text')
    expect((await answer(ben, experience, 'Twice the same text')).reason).toBe('base.duplicate_request_error')
  })

  it('stores an experience with its answer, or neither', async () => {
    const both = { title: 'How I keep herbs fresh', content: 'Glass of water, window sill.', tags: [] }
    const refused = await ana.post('/answer/api/v1/experience/answer', { ...both, answer_content: 'abc' })
    expect([refused.status, fields(refused)]).toEqual([400, ['answer_content']])
    const { status, data } = await ana.post('/answer/api/v1/experience/answer', { ...both, answer_content: 'Change the water every day.' })
    expect(status).toBe(200)
    expect(data.experience).toMatchObject({ title: both.title, answer_count: 1, answered: true })
    expect(await answersOf(site.visitor(), data.experience.id)).toEqual([data.info.id])
  })

  it('keeps the orders apart and names a wrong one', async () => {
    const experience = await posted(ana)
    const [first, second] = [await answered(ben, experience), await answered(cai, experience)]
    expect(await answersOf(site.visitor(), experience, 'created')).toEqual([first, second])
    expect(await answersOf(site.visitor(), experience, 'updated')).toEqual([second, first])
    const reply = await ana.get(`${path}/page`, { experience_id: experience, order: 'loudest' })
    expect([reply.status, fields(reply)]).toEqual([400, ['order']])
  })
})
