import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { accept, answered, answeredExperience, answersOf, detailOf } from '../testing/index.ts'

const path = '/answer/api/v1/answer'
const remove = (person: TestPerson, id: string) => person.del(path, { id })
const recover = (person: TestPerson, id: string) => person.post(`${path}/recover`, { answer_id: id })
const see = async (person: TestPerson, id: string) => (await person.get(`${path}/info`, { id })).status

describe('deleting an answer', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson
  let admin: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'uploads'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    admin = await site.admin()
  })
  afterAll(() => site.close())

  it('hides it from everybody but its author and staff', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    await remove(ben, answer)
    expect([await see(site.visitor(), answer), await see(ana, answer), await see(ben, answer), await see(mona, answer)]).toEqual([
      404, 404, 200, 200,
    ])
    expect(await answersOf(cai, experience)).toEqual([])
    expect(await answersOf(mona, experience)).toEqual([answer])
  })

  it('takes its pictures and those of its post out of public view, until it is brought back', async () => {
    const dot = async (person: TestPerson) => {
      const data = await sharp({ create: { width: 2, height: 2, channels: 3, background: '#39f' } })
        .png()
        .toBuffer()
      const { data: address } = await person.upload<string>('/answer/api/v1/file', new File([new Uint8Array(data)], 'dot.png'), {
        source: 'post',
      })
      return new URL(address).pathname
    }
    const [own, borrowed, asked] = [await dot(ben), await dot(cai), await dot(ana)]
    const experience = await posted(ana, { content: `Where is this? ![here](${asked})` })
    const answer = await answered(ben, experience, `There: ![mine](${own}) ![of Cai](${borrowed})`)
    const { data: staff } = await site
      .visitor()
      .post('/answer/api/v1/user/login/email', { e_mail: 'admin@example.org', pass: 'correct horse 7' })
    const headers = { cookie: `visit=${staff.visit_token}` }
    const { data: owner } = await site
      .visitor()
      .post('/answer/api/v1/user/login/email', { e_mail: 'ben@example.org', pass: 'correct horse 7' })
    const ofOwner = { headers: { cookie: `visit=${owner.visit_token}` } }
    const shown = async (path: string, init = {}) => (await site.visitor().fetch(path, init)).status
    const seen = async () => {
      await site.idle()
      return [await shown(own), await shown(`${own}?s=32`), await shown(borrowed), await shown(asked)]
    }
    expect(await seen()).toEqual([200, 200, 200, 200])
    await remove(ben, answer)
    expect(await seen()).toEqual([404, 404, 200, 200])
    expect([await shown(own, { headers }), await shown(`/uploads/thumbnails/32${own.slice('/uploads'.length)}.webp`)]).toEqual([200, 404])
    expect(await shown(own, ofOwner)).toBe(200)
    await recover(mona, answer)
    expect(await seen()).toEqual([200, 200, 200, 200])
    // Those of its answers go and come with the post.
    await admin.del('/answer/api/v1/experience', { id: experience })
    expect(await seen()).toEqual([404, 404, 200, 404])
    expect([await shown(own, { headers }), await shown(own, ofOwner), await shown(asked, ofOwner)]).toEqual([200, 200, 404])
    await remove(mona, answer)
    await admin.post('/answer/api/v1/experience/recover', { experience_id: experience })
    expect(await seen()).toEqual([404, 404, 200, 200])
    await recover(mona, answer)
    expect(await seen()).toEqual([200, 200, 200, 200])
    await ben.put(path, { id: answer, content: 'No picture any more.' })
    await admin.del('/answer/api/v1/experience', { id: experience })
    expect(await seen()).toEqual([404, 404, 200, 404])
  })

  it('makes the answer before it the last one again, and recovery undoes that', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const last = await answered(cai, experience)
    await remove(cai, last)
    expect(await detailOf(ana, experience)).toMatchObject({
      answer_count: 1,
      last_answer_id: answer,
      last_answered_user_info: { username: 'ben' },
    })
    expect((await recover(mona, last)).status).toBe(200)
    expect(await detailOf(ana, experience)).toMatchObject({
      answer_count: 2,
      last_answer_id: last,
      last_answered_user_info: { username: 'cai' },
    })
  })

  it('leaves the numbers right, whoever deletes and brings back at the same time', async () => {
    const put = (id: string, status: string) => admin.put('/answer/admin/api/answer/status', { answer_id: id, status })
    const posts = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { experience, answer } = await answeredExperience(ana, ben)
        return { experience, answers: [answer, await answered(cai, experience)] }
      }),
    )
    for (let round = 0; round < 3; round++) {
      const replies = await Promise.all(
        posts.flatMap(({ answers }) =>
          answers.flatMap((id) => [put(id, 'available'), remove(mona, id), put(id, 'available'), recover(mona, id), put(id, 'deleted')]),
        ),
      )
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    }
    for (const { experience } of posts) {
      const { data } = await site.visitor().get<{ list: { id: string }[] }>('/answer/api/v1/answer/page', {
        experience_id: experience,
        order: 'updated',
      })
      const newest = data.list.map(({ id }) => id)
      expect(await detailOf(site.visitor(), experience)).toMatchObject({
        answer_count: newest.length,
        last_answer_id: newest[0] ?? '0',
      })
    }
  })

  it('is not for others, nor for authors of an accepted answer', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    expect((await remove(cai, answer)).status).toBe(403)
    await accept(ana, experience, answer)
    const refused = await remove(ben, answer)
    expect([refused.status, refused.reason]).toEqual([400, 'error.answer.cannot_deleted'])
  })

  it('is taken back by its author until staff have the last word', async () => {
    const { answer } = await answeredExperience(ana, ben)
    await remove(ben, answer)
    expect((await recover(site.visitor(), answer)).status).toBe(401)
    expect((await recover(ana, answer)).status).not.toBe(200)
    expect((await recover(mona, '10020000000009999')).reason).toBe('error.answer.not_found')
    expect((await recover(ben, answer)).status).toBe(200)
    expect(await see(site.visitor(), answer)).toBe(200)
    await remove(mona, answer)
    expect((await recover(ben, answer)).reason).toBe('error.rank.fail_to_meet_the_condition')
    await recover(mona, answer)
    expect((await remove(ben, answer)).reason).toBe('error.rank.fail_to_meet_the_condition')
    expect(await see(site.visitor(), answer)).toBe(200)
  })

  it('is not taken back beside another answer of the same person', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    await remove(ben, answer)
    await answered(ben, experience)
    expect((await recover(ben, answer)).reason).toBe('error.answer.restrict_answer')
    expect(await see(site.visitor(), answer)).toBe(404)
  })

  it('is a switch of the admin’s list as well', async () => {
    const { answer } = await answeredExperience(ana, ben)
    const listed = async (status: string) =>
      (await admin.get('/answer/admin/api/answer/page', { status, query: `answer:${answer}` })).data.count
    const set = (status: string) => admin.put('/answer/admin/api/answer/status', { answer_id: answer, status })
    expect([await listed('normal'), await listed('deleted')]).toEqual([1, 0])
    await set('deleted')
    expect([await listed('normal'), await listed('deleted')]).toEqual([0, 1])
    await set('available')
    expect(await see(site.visitor(), answer)).toBe(200)
    expect((await set('asleep')).data[0].error_field).toBe('status')
    expect((await ana.get('/answer/admin/api/answer/page')).status).toBe(403)
  })

  it('takes answers out of the profile together with their experience', async () => {
    const { experience, answer } = await answeredExperience(ana, cai)
    const profile = async () =>
      (await site.visitor().get('/answer/api/v1/personal/answer/page', { username: 'cai', order: 'newest' })).data.list.map(
        (item: { answer_id: string }) => item.answer_id,
      )
    expect(await profile()).toContain(answer)
    await mona.del('/answer/api/v1/experience', { id: experience })
    expect(await profile()).not.toContain(answer)
    await mona.post('/answer/api/v1/experience/recover', { experience_id: experience })
    expect(await profile()).toContain(answer)
  })
})
