import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredExperience } from '../testing/index.ts'

const path = '/answer/api/v1/answer'
const edit = (person: TestPerson, id: string, content: string) => person.put(path, { id, experience_id: '', content })
const info = async (person: TestPerson, id: string) => (await person.get(`${path}/info`, { id })).data.info

describe('editing an answer', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let mona: TestPerson
  let id: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    mona = await site.moderator('mona')
    id = (await answeredExperience(ana, ben)).answer
  })
  afterAll(() => site.close())

  it('is its author’s and the staff’s', async () => {
    expect((await edit(ben, id, 'Better said than before.')).data).toEqual({ wait_for_review: false })
    expect((await edit(mona, id, 'Better said by a moderator.')).data).toEqual({ wait_for_review: false })
    const found = await info(site.visitor(), id)
    expect(found).toMatchObject({ content: 'Better said by a moderator.', update_user_info: { username: 'mona' } })
    expect(found.update_time).toBeGreaterThan(0)
  })

  it('is refused to others, before and while they write', async () => {
    const check = await ana.get('/answer/api/v1/revisions/edit/check', { id })
    expect([check.status, check.reason]).toEqual([403, 'error.rank.fail_to_meet_the_condition'])
    expect((await edit(ana, id, 'Said by somebody else.')).status).toBe(403)
    expect((await ben.get('/answer/api/v1/revisions/edit/check', { id })).status).toBe(200)
  })

  it('changes nothing when nothing was changed', async () => {
    const before = await info(ben, id)
    expect((await edit(mona, id, before.content)).data).toEqual({ wait_for_review: false })
    expect((await info(ben, id)).update_time).toBe(before.update_time)
  })

  it('names what is not there', async () => {
    expect((await edit(ben, '10020000000009999', 'changed into the void')).reason).toBe('error.answer.not_found')
  })
})
