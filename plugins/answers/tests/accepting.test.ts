import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { accept, answered, answeredExperience, answersOf, detailOf, rankOf } from '../testing/index.ts'

describe('accepting an answer', () => {
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

  const ranks = async () => [await rankOf(site, ana), await rankOf(site, ben), await rankOf(site, cai)]
  const gained = async (before: number[]) => (await ranks()).map((rank, index) => rank - (before[index] as number))

  it('marks it, puts it first, and gives 15 to its author and 2 to who accepts', async () => {
    const before = await ranks()
    const { experience, answer } = await answeredExperience(ana, ben)
    const second = await answered(cai, experience)
    expect((await accept(ana, experience, second)).status).toBe(200)
    expect(await answersOf(site.visitor(), experience)).toEqual([second, answer])
    expect((await detailOf(site.visitor(), experience)).accepted_answer_id).toBe(second)
    expect(await gained(before)).toEqual([2, 0, 15])
  })

  it('moves the mark and what it gave to another answer', async () => {
    const before = await ranks()
    const { experience, answer } = await answeredExperience(ana, ben)
    const second = await answered(cai, experience)
    await accept(ana, experience, answer)
    await accept(ana, experience, second)
    expect((await detailOf(ana, experience)).accepted_answer_id).toBe(second)
    expect(await gained(before)).toEqual([2, 0, 15])
  })

  it('takes mark and reputation back with an empty id', async () => {
    const before = await ranks()
    const { experience, answer } = await answeredExperience(ana, ben)
    await accept(ana, experience, answer)
    await accept(ana, experience, answer)
    await accept(ana, experience, '0')
    expect((await detailOf(ana, experience)).accepted_answer_id).toBe('0')
    expect(await gained(before)).toEqual([0, 0, 0])
  })

  it('is for the author of the experience and staff, who earn nothing by it', async () => {
    const before = await ranks()
    const { experience, answer } = await answeredExperience(ana, ben)
    const refused = await accept(ben, experience, answer)
    expect([refused.status, refused.reason]).toEqual([403, 'error.rank.fail_to_meet_the_condition'])
    expect((await accept(mona, experience, answer)).status).toBe(200)
    expect(await gained(before)).toEqual([0, 15, 0])
  })

  it('gives nothing for an own answer', async () => {
    const before = await ranks()
    const { experience, answer } = await answeredExperience(ana, ana)
    expect((await accept(ana, experience, answer)).status).toBe(200)
    expect(await gained(before)).toEqual([0, 0, 0])
  })

  it('refuses answers of other experiences, deleted ones and unknown ones', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const other = await posted(ana)
    expect((await accept(ana, other, answer)).reason).toBe('error.answer.cannot_accept')
    await ben.del('/answer/api/v1/answer', { id: answer })
    expect((await accept(ana, experience, answer)).status).toBe(404)
    expect((await accept(ana, experience, '10020000000009999')).reason).toBe('error.answer.not_found')
  })

  it('is refused, or ends, when the answer is deleted at the same time', async () => {
    const before = await ranks()
    const pairs = await Promise.all(Array.from({ length: 20 }, () => answeredExperience(ana, ben)))
    const replies = await Promise.all(
      pairs.flatMap(({ experience, answer }) => [mona.del('/answer/api/v1/answer', { id: answer }), accept(ana, experience, answer)]),
    )
    expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    for (const { experience } of pairs) expect((await detailOf(ana, experience)).accepted_answer_id).toBe('0')
    expect(await gained(before)).toEqual([0, 0, 0])
  })

  it('ends when the answer is deleted', async () => {
    const before = await ranks()
    const { experience, answer } = await answeredExperience(ana, ben)
    await accept(ana, experience, answer)
    await mona.del('/answer/api/v1/answer', { id: answer })
    expect(await detailOf(ana, experience)).toMatchObject({ accepted_answer_id: '0', answer_count: 0 })
    expect(await gained(before)).toEqual([0, 0, 0])
  })
})
