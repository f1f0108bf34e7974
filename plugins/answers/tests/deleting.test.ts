import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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
    site = await startSite({ plugins: ['answers'] })
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

  it('is not for others, nor for authors of an accepted answer', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    expect((await remove(cai, answer)).status).toBe(403)
    await accept(ana, experience, answer)
    const refused = await remove(ben, answer)
    expect([refused.status, refused.reason]).toEqual([400, 'error.answer.cannot_deleted'])
  })

  it('is taken back by staff only', async () => {
    const { answer } = await answeredExperience(ana, ben)
    await remove(ben, answer)
    expect((await recover(ben, answer)).status).toBe(403)
    expect((await recover(site.visitor(), answer)).status).toBe(401)
    expect((await recover(mona, '10020000000009999')).reason).toBe('error.answer.not_found')
    await recover(mona, answer)
    expect(await see(site.visitor(), answer)).toBe(200)
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
