import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered, answersOf, detailOf } from '../../answers/testing/index.ts'
import { commented, commentsOf } from '../../comments/testing/index.ts'
import { draft, posted } from '../../experiences/testing/index.ts'
import { decideFlag, flag, flaggedFor } from '../testing/index.ts'

const api = '/answer/api/v1'
const adminApi = '/answer/admin/api'
const unknown = '10080000000009999'

describe('flags', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson
  let admin: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['reports', 'answers', 'comments', 'tags', 'history', 'notifications', 'locale-en-us'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    admin = await site.admin()
    await posted(mona)
  })
  afterAll(() => site.close())

  /** Flags a new post of Ana's. @returns its id and the flag's, once all others are handled */
  async function flagged(reason = 57, content = ''): Promise<{ post: string; id: string }> {
    const post = await posted(ana)
    expect((await flag(ben, post, reason, content)).status).toBe(200)
    const { item } = await flaggedFor(mona)
    expect(item?.object_id).toBe(post)
    return { post, id: item?.flag_id ?? '' }
  }
  const waiting = async () => (await flaggedFor(mona)).count

  it('are taken once from a person while nobody has decided, also when two come at once', async () => {
    const post = await posted(ana)
    const both = await Promise.all([flag(ben, post), flag(ben, post, 58)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await flag(ben, post)).reason).toBe('error.reports.flagged_already')
    const { item } = await flaggedFor(mona)
    await decideFlag(mona, item?.flag_id ?? '', 'ignore_report')
    expect((await flag(ben, post)).status).toBe(200)
    await decideFlag(mona, (await flaggedFor(mona)).item?.flag_id ?? '', 'ignore_report')
    expect(await waiting()).toBe(0)
  })

  it('name a reason of their kind, and what it demands', async () => {
    const post = await posted(ana)
    const answer = await answered(ana, post)
    expect((await flag(ben, post, 61)).reason).toBe('error.report.not_found')
    expect((await flag(ben, answer, 60, site.url)).reason).toBe('error.report.not_found')
    expect((await flag(ben, post, 59, '  ')).data).toMatchObject([{ error_field: 'content' }])
    expect((await flag(ben, post, 59, 'x'.repeat(501))).data).toMatchObject([{ error_field: 'content' }])
    for (const address of ['nonsense', 'https://elsewhere.example/experiences/1', `javascript:${site.url}`])
      expect((await flag(ben, post, 60, address)).reason).toBe('error.common.invalid_url')
    expect((await ben.post(`${api}/report`, {})).data).toMatchObject([{ error_field: 'object_id' }, { error_field: 'report_type' }])
    expect(await waiting()).toBe(0)
  })

  it('are of what one sees and somebody else wrote', async () => {
    const post = await posted(ana)
    expect((await flag(ana, post)).reason).toBe('error.reports.own_content')
    expect((await flag(site.visitor(), post)).status).toBe(401)
    expect((await flag(await site.member('sue', 'suspended'), post)).status).toBe(403)
    await ana.del(`${api}/experience`, { id: post })
    for (const id of [post, '10010000000009999', 'nonsense', '1', unknown])
      expect((await flag(ben, id)).reason).toBe('error.object.not_found')
    expect((await flag(mona, post)).reason).toBe('error.object.not_found')
    expect(await waiting()).toBe(0)
  })

  it('of several people on one object are one thing to decide, with every reason', async () => {
    const { post, id } = await flagged(59, 'Looks copied')
    await flag(cai, post, 60, `${site.url}/experiences/1`)
    const { count, item } = await flaggedFor(admin)
    expect(count).toBe(1)
    expect(item).toMatchObject({
      object_id: post,
      object_type: 'experience',
      submitter_user: { username: 'cai' },
      author_user_info: { username: 'ana' },
      reason: { reason_type: 60 },
      reason_content: `${site.url}/experiences/1`,
      others: [{ submitter_user: { username: 'ben' }, reason: { reason_type: 59 }, reason_content: 'Looks copied' }],
      operations: ['edit_post', 'close_post', 'unlist_post', 'delete_post', 'ignore_report'],
    })
    const { data } = await mona.get<{ name: string; todo_amount: number }[]>(`${api}/reviewing/type`)
    expect(data).toContainEqual({ name: 'flagged_post', label: 'Flagged content', todo_amount: 1 })
    expect((await mona.get(`${api}/notification/status`)).data).toMatchObject({ revision: 1, can_revision: true })
    expect((await ana.get<{ name: string }[]>(`${api}/reviewing/type`)).data.map(({ name }) => name)).not.toContain('flagged_post')
    await decideFlag(mona, id, 'ignore_report')
    expect(await waiting()).toBe(0)
  })

  it('are shown to staff, who alone decide', async () => {
    const { post, id } = await flagged()
    for (const person of [ana, ben]) {
      expect((await person.get(`${api}/report/unreviewed/post`, { page: 1 })).data).toEqual({ count: 0, list: [] })
      expect((await decideFlag(person, id, 'delete_post')).reason).toBe('base.forbidden_error')
    }
    expect((await mona.put(`${adminApi}/report`, { id, flagged_type: 75 })).status).toBe(403)
    expect((await detailOf(cai, post)).status).toBe(1)
    await decideFlag(mona, id, 'ignore_report')
  })

  it('close, delete, unlist and change what they are of, as the owner of the text does it', async () => {
    const one = await flagged(60, `${site.url}/experiences/1`)
    const other = await posted(cai)
    const closing = { close_type: 60, close_msg: `${site.url}/experiences/${other}` }
    expect((await decideFlag(mona, one.id, 'close_post')).data).toMatchObject([{ error_field: 'close_type' }])
    expect((await decideFlag(mona, one.id, 'close_post', { ...closing, close_msg: 'nonsense' })).status).toBe(400)
    expect(await waiting()).toBe(1)
    expect((await decideFlag(mona, one.id, 'close_post', closing)).status).toBe(200)
    expect(await detailOf(cai, one.post)).toMatchObject({ status: 2, operation: { level: 'info' } })

    const two = await flagged()
    expect((await decideFlag(mona, two.id, 'unlist_post')).status).toBe(200)
    expect((await detailOf(cai, two.post)).show).toBe(2)

    const three = await flagged(58)
    const milder = { ...draft({ title: 'A thought made milder', content: 'Softer words for the same thing.' }) }
    expect((await decideFlag(mona, three.id, 'edit_post', { ...milder, content: '' })).data).toMatchObject([{ error_field: 'content' }])
    expect((await decideFlag(mona, three.id, 'edit_post', milder)).status).toBe(200)
    expect(await detailOf(cai, three.post)).toMatchObject({ title: milder.title, content: milder.content })

    const four = await flagged()
    expect((await decideFlag(admin, four.id, 'delete_post')).status).toBe(200)
    expect((await cai.get(`${api}/experience/info`, { id: four.post })).status).toBe(404)
    await site.idle()
    const { data } = await ana.get<{ list: { notification_action: string }[] }>(`${api}/notification/page`, {
      type: 'inbox',
      page: 1,
      page_size: 9,
    })
    expect(data.list.length).toBeGreaterThanOrEqual(3)
    expect(await waiting()).toBe(0)
  })

  it('of answers and comments show what they stand below, and can be edited and deleted', async () => {
    const post = await posted(cai, { content: 'The night train leaves at nine.' })
    const answer = await answered(ana, post)
    const comment = await commented(ana, answer)
    await flag(ben, answer, 61)
    await flag(ben, comment, 62)
    const first = (await flaggedFor(mona, 2)).item
    expect(first).toMatchObject({ object_id: answer, operations: ['edit_post', 'delete_post', 'ignore_report'] })
    expect(first?.about).toContain('leaves at nine')
    const second = (await flaggedFor(mona)).item
    expect(second).toMatchObject({ object_id: comment, object_type: 'comment' })
    expect((await decideFlag(mona, second?.flag_id ?? '', 'close_post', { close_type: 63 })).reason).toBe('error.reports.not_possible')
    expect((await decideFlag(mona, second?.flag_id ?? '', 'edit_post', { content: 'Kinder words' })).status).toBe(200)
    expect((await decideFlag(mona, first?.flag_id ?? '', 'delete_post')).status).toBe(200)
    expect(await answersOf(ben, post)).toEqual([])
    await flag(cai, await commented(ana, post), 57)
    const third = (await flaggedFor(mona)).item
    expect((await decideFlag(mona, third?.flag_id ?? '', 'delete_post')).status).toBe(200)
    expect((await commentsOf(ben, post)).count).toBe(0)
    expect(await waiting()).toBe(0)
  })

  it('are decided once, whoever comes second, and by either body of the protocol', async () => {
    const { post, id } = await flagged()
    const both = await Promise.all([decideFlag(mona, id, 'delete_post'), decideFlag(admin, id, 'delete_post')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await decideFlag(mona, id, 'unlist_post')).status).toBe(200)
    expect((await detailOf(mona, post)).show).toBe(1)

    const again = await flagged()
    expect((await mona.put(`${api}/report/review`, { id: again.id, flagged_type: 9999 })).reason).toBe('error.report.not_found')
    expect((await mona.put(`${api}/report/review`, { id: again.id })).data).toMatchObject([{ error_field: 'flagged_type' }])
    const body = { action: 'experience', id: again.id, flagged_type: 74, flagged_content: 'Goes round in circles' }
    expect((await admin.put(`${adminApi}/report`, body)).status).toBe(200)
    expect((await detailOf(cai, again.post)).status).toBe(2)
    expect((await mona.put(`${api}/report/review`, {})).data).toMatchObject([{ error_field: 'flag_id' }, { error_field: 'operation_type' }])
    for (const wrong of [unknown, 'nonsense', again.post]) expect((await decideFlag(mona, wrong, 'ignore_report')).status).toBe(404)
  })

  it('of what somebody deletes elsewhere are settled', async () => {
    const { post } = await flagged()
    const comment = await commented(ana, await posted(cai))
    await flag(ben, comment)
    await mona.del(`${api}/experience`, { id: post })
    await ana.del(`${api}/comment`, { comment_id: comment })
    await site.idle()
    expect(await waiting()).toBe(0)
  })

  it('wait while the owner of the text is off, and nobody may flag while this plugin is', async () => {
    const post = await posted(cai)
    const comment = await commented(ana, post)
    await flag(ben, comment)
    await site.switch('comments', false)
    expect(await flaggedFor(mona)).toEqual({ count: 0, item: undefined })
    await site.switch('comments', true)
    expect((await flaggedFor(mona)).item?.object_id).toBe(comment)
    await site.switch('reports', false)
    expect((await flag(ben, post)).status).toBe(404)
    const actions = (await detailOf(ben, post)).member_actions as { action: string }[]
    expect(actions.map(({ action }) => action)).not.toContain('report')
    await site.switch('reports', true)
    expect((await flaggedFor(mona)).count).toBe(1)
    expect(site.errors).toEqual([])
  })
})
