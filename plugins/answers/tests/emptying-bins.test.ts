import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { answered, answeredExperience } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('emptying a bin', () => {
  let site: Site
  let admin: TestPerson
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(mona)
  })
  afterAll(() => site.close())

  const empty = (person: TestPerson, type: unknown) => person.del('/answer/admin/api/delete/permanently', { type })
  const seesPost = async (person: TestPerson, id: string) => (await person.get(`${api}/experience/info`, { id })).status
  const seesAnswer = async (person: TestPerson, id: string) => (await person.get(`${api}/answer/info`, { id })).status
  const commentsOf = async (id: string) =>
    (await admin.get<{ count: number }>(`${api}/comment/page`, { object_id: id, page: 1, page_size: 9 })).data?.count
  const comment = (person: TestPerson, id: string) =>
    person.post<{ comment_id: string }>(`${api}/comment`, { object_id: id, original_text: `That is it, more or less, ${id}.` })

  it('is for admins, and for what there is', async () => {
    expect([
      (await empty(site.visitor(), 'answers')).status,
      (await empty(ana, 'answers')).status,
      (await empty(mona, 'answers')).status,
    ]).toEqual([401, 403, 403])
    for (const type of ['moons', '', null]) expect((await empty(admin, type)).data, String(type)).toMatchObject([{ error_field: 'type' }])
  })

  it('removes deleted answers for good and leaves the others', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const other = await answered(mona, experience)
    await comment(ana, answer)
    await mona.del(`${api}/answer`, { id: answer })
    expect((await empty(admin, 'answers')).status).toBe(200)
    await site.idle()
    expect([await seesAnswer(ben, answer), await seesAnswer(admin, answer), await seesAnswer(ben, other)]).toEqual([404, 404, 200])
    expect((await mona.post(`${api}/answer/recover`, { answer_id: answer })).reason).toBe('error.answer.not_found')
  })

  it('removes only what is named, tells who did, and leaves what was not deleted', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const kept = await answeredExperience(ana, ben)
    const standing = await posted(ana)
    for (const id of [experience, kept.experience]) await mona.del(`${api}/experience`, { id })
    const some = (person: TestPerson, ids: unknown) => person.del('/answer/admin/api/delete/permanently', { type: 'experiences', ids })
    expect([(await some(ana, [experience])).status, (await some(mona, [experience])).status]).toEqual([403, 403])
    for (const ids of [[], ['x'], [answer], 'x', Array(101).fill(experience), [null]])
      expect((await some(admin, ids)).status, JSON.stringify(ids)).toBe(400)
    expect((await some(admin, [experience, standing])).status).toBe(200)
    await site.idle()
    const seen = await Promise.all([experience, kept.experience, standing].map((id) => seesPost(admin, id)))
    expect([...seen, await seesAnswer(admin, answer)]).toEqual([404, 200, 200, 404])
    const { data } = await admin.get<{ list: { action: string; phrase: string; object: { label: string } }[] }>(
      '/answer/admin/api/audit/page',
      { page: 1, page_size: 5 },
    )
    expect(data.list.slice(0, 2)).toMatchObject([
      { action: 'experience.purged', object: { label: '1' } },
      { action: 'experience.deleted', object: { label: expect.stringContaining('Night train') } },
    ])
  })

  it('removes deleted posts with all that stands below them', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const kept = await answeredExperience(ana, mona)
    const { data } = await comment(ben, experience)
    await comment(ana, answer)
    await comment(ana, kept.answer)
    await ben.post(`${api}/vote/up`, { object_id: experience, is_cancel: false })
    await mona.del(`${api}/experience`, { id: experience })
    expect((await empty(admin, 'experiences')).status).toBe(200)
    await site.idle()
    expect([
      await seesPost(ana, experience),
      await seesAnswer(ben, answer),
      await commentsOf(experience),
      await commentsOf(answer),
    ]).toEqual([404, 404, undefined, undefined])
    expect((await ben.put(`${api}/comment`, { comment_id: data.comment_id, original_text: 'Anew, then.' })).status).toBeGreaterThanOrEqual(
      400,
    )
    expect([await seesPost(ana, kept.experience), await seesAnswer(ana, kept.answer), await commentsOf(kept.answer)]).toEqual([200, 200, 1])
    expect((await admin.get('/answer/admin/api/experience/page', { status: 'deleted' })).data.count).toBe(0)
  })

  it('removes deleted people and keeps what they wrote, by nobody', async () => {
    const del = await site.member('del')
    const id = await posted(del)
    const { data } = await admin.get<{ list: { user_id: string }[] }>('/answer/admin/api/users/page', { query: 'del' })
    await admin.put('/answer/admin/api/user/status', { user_id: data.list[0]?.user_id, status: 'deleted', remove_all_content: false })
    expect((await empty(admin, 'users')).status).toBe(200)
    expect((await site.visitor().get(`${api}/personal/user/info`, { username: 'del' })).status).toBe(404)
    const post = await site.visitor().get<{ user_info: { username: string; status: string } }>(`${api}/experience/info`, { id })
    expect([post.status, post.data.user_info.username, post.data.user_info.status]).toEqual([200, '', 'deleted'])
    expect((await admin.get('/answer/admin/api/users/page', { status: 'deleted' })).data.count).toBe(0)
  })

  it('may be asked for when it is empty, and not for what is off', async () => {
    for (const type of ['users', 'experiences', 'answers']) expect((await empty(admin, type)).status).toBe(200)
    await site.switch('answers', false)
    expect((await empty(admin, 'answers')).data).toMatchObject([{ error_field: 'type' }])
    await site.switch('answers', true)
    expect(site.errors).toEqual([])
  })
})
