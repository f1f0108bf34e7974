import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, answersOf, detailOf } from '../../answers/testing/index.ts'
import { comment, commentsOf } from '../../comments/testing/index.ts'
import { draft, listed, post, posted } from '../../experiences/testing/index.ts'
import { decideQueued, queuedFor } from '../testing/index.ts'
import { doubleFolder } from './double.ts'

const api = '/answer/api/v1'
const adminApi = '/answer/admin/api'

describe('texts before they are published', () => {
  let site: Site
  let admin: TestPerson
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    const plugins = [
      'review',
      'answers',
      'comments',
      'tags',
      'history',
      'search',
      'notifications',
      'audit',
      'reviewer-basic',
      'locale-en-us',
      'double',
    ]
    site = await startSite({ plugins, pluginDirs: [doubleFolder()] })
    await site.switch('double', true)
    admin = await site.admin()
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    await posted(mona)
  })
  afterAll(() => site.close())

  const configure = async (slug: string, config_fields: object) => {
    const reply = await admin.put(`${adminApi}/plugin/config`, { plugin_slug_name: slug, config_fields })
    expect(reply.status, reply.text).toBe(200)
  }
  const settings = (changes: object = {}) => configure('review', { newcomers: 0, on_failure: 'wait', deadline: 1, ...changes })
  const info = (person: TestPerson, id: string) => person.get(`${api}/experience/info`, { id })
  const held = async (): Promise<number> => (await queuedFor(mona)).item?.review_id ?? 0
  const toldTo = async (person: TestPerson): Promise<string[]> => {
    await site.idle()
    const query = { type: 'inbox', page: 1, page_size: 50 }
    const { data } = await person.get<{ list: { notification_action: string }[] }>(`${api}/notification/page`, query)
    return data.list.map(({ notification_action }) => notification_action)
  }
  const counts = async (person: TestPerson) => {
    const { data } = await person.get(`${api}/personal/user/info`, { username: ana.name })
    return [data.experience_count, data.answer_count]
  }

  it('are published at once while nobody objects', async () => {
    const id = await posted(ana)
    expect((await info(ben, id)).data.status).toBe(1)
    expect((await queuedFor(mona)).count).toBe(0)
  })

  it('wait, seen by their author and staff alone, and are published exactly once', async () => {
    const [before] = await counts(ben)
    const { id } = (await post(ana, { content: 'Please HOLD this train.', title: 'The zeppelin that waits' })).data
    expect((await info(ana, id)).data).toMatchObject({ status: 11, operation: { level: expect.any(String) } })
    expect((await info(mona, id)).status).toBe(200)
    for (const person of [ben, site.visitor()]) expect((await info(person, id)).status).toBe(404)
    expect((await listed(ben)).ids).not.toContain(id)
    expect((await ben.get<{ list: unknown[] }>(`${api}/search`, { q: 'zeppelin' })).data.list).toEqual([])
    expect((await answer(ben, id)).status).toBe(404)
    expect((await counts(ben))[0]).toBe(before)
    const { count, item } = await queuedFor(mona)
    expect(count).toBe(1)
    expect(item).toMatchObject({ object_id: id, object_status: 11, submitter_display_name: 'Double', reason: 'Looks odd' })
    expect((await mona.get(`${api}/reviewing/type`)).data).toContainEqual({
      name: 'queued_post',
      label: 'Waiting to be published',
      todo_amount: 1,
    })
    const reviewId = item?.review_id ?? 0
    const both = await Promise.all([decideQueued(mona, reviewId, 'approve'), decideQueued(admin, reviewId, 'approve')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect((await decideQueued(mona, reviewId, 'reject')).status).toBe(200)
    expect((await info(site.visitor(), id)).data.status).toBe(1)
    expect((await listed(ben)).ids).toContain(id)
    expect((await counts(ben))[0]).toBe(Number(before) + 1)
    expect((await toldTo(ana)).filter((text) => text.includes('published'))).toHaveLength(1)
    expect((await site.visitor().get('/double/decided')).text).toContain('"isApproved":true')
    const { data } = await admin.get<{ list: { text: string }[] }>(`${adminApi}/audit/page`, { page: 1, page_size: 5 })
    expect(JSON.stringify(data.list)).toContain('The zeppelin that waits')
  })

  it('are deleted for good by a rejection, with a reason', async () => {
    const { id } = (await post(ana, { content: 'HOLD and then go' })).data
    expect((await decideQueued(mona, await held(), 'reject', 'Not about trains')).status).toBe(200)
    expect((await info(ana, id)).data.status).toBe(10)
    expect((await ana.post(`${api}/experience/recover`, { experience_id: id })).status).toBe(403)
    expect(await toldTo(ana)).toContain('What you wrote was not published: Not about trains')
    expect((await mona.post(`${api}/experience/recover`, { experience_id: id })).status).toBe(200)
  })

  it('are deleted at once where a reviewer wants that', async () => {
    const { id } = (await post(ana, { content: 'BURN after reading' })).data
    expect((await info(ana, id)).data.status).toBe(10)
    expect((await info(ben, id)).status).toBe(404)
    expect((await ana.post(`${api}/experience/recover`, { experience_id: id })).status).toBe(403)
    expect((await queuedFor(mona)).count).toBe(0)
  })

  it('of answers and comments wait in the same way, and are counted and told when they are published', async () => {
    const parent = await posted(ben)
    await answer(ana, parent, 'An answer to HOLD back')
    expect((await detailOf(ben, parent)).answer_count).toBe(0)
    expect(await answersOf(ben, parent)).toEqual([])
    expect(await answersOf(ana, parent)).toHaveLength(1)
    expect((await queuedFor(mona)).item).toMatchObject({ object_type: 'answer', about: expect.stringContaining('woke up by the sea') })
    expect((await toldTo(ben)).filter((text) => text.includes('answered'))).toEqual([])
    await decideQueued(mona, await held(), 'approve')
    expect((await detailOf(ben, parent)).answer_count).toBe(1)
    expect((await toldTo(ben)).filter((text) => text.includes('answered'))).toHaveLength(1)
    const [mine] = await answersOf(ana, parent)
    expect((await ana.del(`${api}/answer`, { id: mine })).status).toBe(200)

    await comment(ana, parent, 'HOLD the line')
    await comment(ben, parent, 'Next')
    expect((await commentsOf(ben, parent)).count).toBe(1)
    expect((await commentsOf(site.visitor(), parent)).count).toBe(1)
    expect((await commentsOf(ana, parent)).count).toBe(2)
    expect((await commentsOf(mona, parent)).count).toBe(2)
    await decideQueued(mona, await held(), 'approve')
    expect((await commentsOf(ben, parent)).count).toBe(2)
    await comment(ana, parent, 'HOLD it again')
    await decideQueued(mona, await held(), 'reject')
    expect((await commentsOf(ana, parent)).count).toBe(2)
    expect((await queuedFor(mona)).count).toBe(0)
  })

  it('that wait are told of beside what they stand below, to whoever sees them', async () => {
    const parent = await posted(ben)
    const beside = async (person: TestPerson) => (await detailOf(person, parent)).beside
    for (const person of [site.visitor(), ana, mona]) expect(await beside(person), person.name).toEqual({ comments: false })
    await comment(ana, parent, 'HOLD this remark')
    await answer(ana, parent, 'HOLD this answer')
    for (const person of [site.visitor(), ben]) expect(await beside(person), person.name).toEqual({ comments: false })
    for (const person of [ana, mona]) expect(await beside(person), person.name).toEqual({ comments: true, answers: true })
    const [first, second] = [await queuedFor(mona), await queuedFor(mona, 2)]
    for (const { item } of [second, first]) await decideQueued(mona, item?.review_id ?? 0, 'approve')
    expect(await beside(site.visitor())).toEqual({ comments: true })
    expect((await detailOf(site.visitor(), parent)).answer_count).toBe(1)

    const [mine] = await answersOf(ana, parent)
    const besideAnswer = async (person: TestPerson) =>
      (await person.get(`${api}/answer/page`, { experience_id: parent, page: 1, page_size: 10 })).data.list[0].beside?.comments
    await comment(ana, mine as string, 'HOLD this one too')
    expect([await besideAnswer(ana), await besideAnswer(mona), await besideAnswer(ben), await besideAnswer(site.visitor())]).toEqual([
      true,
      true,
      false,
      undefined,
    ])
    await decideQueued(mona, await held(), 'reject')
  })

  it('together with an answer wait together; the post comes first', async () => {
    const body = { ...draft({ content: 'HOLD both of them' }), answer_content: 'This is what helped.' }
    expect((await ana.post(`${api}/experience/answer`, body)).status).toBe(200)
    const first = await queuedFor(mona)
    const second = await queuedFor(mona, 2)
    expect([first.item?.object_type, second.item?.object_type]).toEqual(['experience', 'answer'])
    expect((await decideQueued(mona, second.item?.review_id ?? 0, 'approve')).reason).toBe('error.answer.parent_waits')
    for (const { item } of [first, second]) expect((await decideQueued(mona, item?.review_id ?? 0, 'approve')).status).toBe(200)
    expect((await detailOf(ben, first.item?.object_id ?? '')).answer_count).toBe(1)
  })

  it('that are changed into something odd become a suggestion, and nothing changes meanwhile', async () => {
    const text = draft()
    const { id } = (await ana.post<{ id: string }>(`${api}/experience`, text)).data
    const reply = await ana.put(`${api}/experience`, { ...text, id, content: 'Mild at first, HOLD later.' })
    expect(reply.data).toMatchObject({ wait_for_review: true })
    expect((await info(ben, id)).data.content).toBe(text.content)
    const { data } = await mona.get<{ count: number; list: { unreviewed_info: { id: string } }[] }>(`${api}/revisions/unreviewed`, {
      page: 1,
    })
    expect(data.count).toBe(1)
    expect((await mona.put(`${api}/revisions/audit`, { id: data.list[0]?.unreviewed_info.id, operation: 'approve' })).status).toBe(200)
    expect((await info(ben, id)).data.content).toBe('Mild at first, HOLD later.')
    const { comment_id } = (await comment(ana, id, 'A mild remark')).data
    const edit = await ana.put(`${api}/comment`, { comment_id, original_text: 'HOLD this remark' })
    expect(edit).toMatchObject({ status: 400, reason: 'error.review.edit_refused' })
    expect(edit.text).toContain('Looks odd')
  })

  it('of staff are asked about by nobody', async () => {
    const { id } = (await post(mona, { content: 'HOLD, BURN, THROW: I may.' })).data
    expect((await info(ben, id)).data.status).toBe(1)
  })

  it('meet what the owner chose when a reviewer hangs or throws', async () => {
    await settings()
    for (const word of ['HANG', 'THROW']) {
      const began = Date.now()
      const { id } = (await post(ana, { content: `They ${word} there.` })).data
      expect(Date.now() - began).toBeLessThan(5000)
      expect((await info(ana, id)).data.status).toBe(11)
      expect((await queuedFor(mona)).item?.reason).toBe('An automatic check gave no answer.')
      await decideQueued(mona, await held(), 'reject')
    }
    await settings({ on_failure: 'publish' })
    const { id } = (await post(ana, { content: 'They THROW away.' })).data
    expect((await info(ben, id)).data.status).toBe(1)
    await settings({ on_failure: 'refuse' })
    expect((await post(ana, { content: 'They THROW again.' })).reason).toBe('error.review.unavailable')
    expect((await queuedFor(mona)).count).toBe(0)
    await settings()
  })

  it('of newcomers wait until some are published, where the owner wants that', async () => {
    const wrong = { plugin_slug_name: 'review', config_fields: { newcomers: -1, on_failure: 'wait', deadline: 99 } }
    expect((await admin.put(`${adminApi}/plugin/config`, wrong)).data).toMatchObject([
      { error_field: 'newcomers' },
      { error_field: 'deadline' },
    ])
    await settings({ newcomers: 1 })
    const nia = await site.member('nia')
    const { id } = (await post(nia)).data
    expect((await info(nia, id)).data.status).toBe(11)
    expect((await queuedFor(mona)).item).toMatchObject({ submitter_display_name: 'New members', reason: 'This member is new here.' })
    await decideQueued(mona, await held(), 'approve')
    expect((await info(ben, await posted(nia))).data.status).toBe(1)
    await settings()
  })

  it('are held by the word list, which deletes what the other list has', async () => {
    await site.switch('reviewer-basic', true)
    const lists = { review_post_keywords: '代开发票\ncasino', disallowed_keywords: '/wa+tches/' }
    const wrong = { plugin_slug_name: 'reviewer-basic', config_fields: { ...lists, disallowed_keywords: 'fine\n/(/' } }
    const refused = await admin.put(`${adminApi}/plugin/config`, wrong)
    expect(refused.data).toMatchObject([{ error_field: 'disallowed_keywords', error_msg: 'Line 2 is not a valid pattern.' }])
    await configure('reviewer-basic', lists)
    const held = (await post(ana, { content: '我们可以代开发票，很便宜。' })).data
    expect((await info(ana, held.id)).data.status).toBe(11)
    const { item } = await queuedFor(mona)
    expect(item).toMatchObject({ submitter_display_name: 'Word list', reason: 'It contains “代开发票”.' })
    await decideQueued(mona, item?.review_id ?? 0, 'reject')
    const gone = (await post(ana, { content: 'Cheap waaatches here' })).data
    expect((await info(ana, gone.id)).data.status).toBe(10)
    expect((await info(ben, await posted(ana, { content: 'Casinos are elsewhere.' }))).data.status).toBe(1)
    await site.switch('reviewer-basic', false)
    expect((await info(ben, await posted(ana, { content: 'A casino by the sea' }))).data.status).toBe(1)
  })

  it('are decided about by staff, by either body of the protocol', async () => {
    const { id } = (await post(ana, { content: 'HOLD for the other body' })).data
    const reviewId = await held()
    for (const person of [ana, ben]) {
      expect((await person.get(`${api}/review/pending/post/page`, { page: 1 })).data).toEqual({ count: 0, list: [] })
      expect((await decideQueued(person, reviewId, 'approve')).reason).toBe('base.forbidden_error')
    }
    const put = (body: object) => mona.put(`${api}/review/pending/post`, body)
    expect((await put({})).data).toMatchObject([{ error_field: 'review_id' }, { error_field: 'status' }])
    expect((await put({ review_id: reviewId, status: 'burn' })).data).toMatchObject([{ error_field: 'status' }])
    for (const wrong of [0, -1, 999_999]) expect((await decideQueued(mona, wrong, 'approve')).reason).toBe('error.object.not_found')
    expect((await put({ flag_id: `${reviewId}`, operation_type: 'delete_post' })).data).toMatchObject([{ error_field: 'operation_type' }])
    expect((await put({ flag_id: 'nonsense', operation_type: 'close_post', close_type: 63 })).reason).toBe('error.object.not_found')
    expect((await mona.get(`${api}/review/pending/post/page`, { page: 7, object_id: id })).data).toMatchObject({
      count: 1,
      list: [{ object_id: id }],
    })
    expect((await mona.get(`${api}/review/pending/post/page`, { object_id: 'nonsense' })).data).toEqual({ count: 0, list: [] })
    expect((await put({ flag_id: `${reviewId}`, operation_type: 'close_post', close_type: 63, close_msg: '' })).status).toBe(200)
    expect((await info(ben, id)).data.status).toBe(2)
  })

  it('that somebody deletes elsewhere wait no longer, and what waits stays while this plugin is off', async () => {
    const { id } = (await post(ana, { content: 'HOLD and regret' })).data
    await ana.del(`${api}/experience`, { id })
    await site.idle()
    expect((await queuedFor(mona)).count).toBe(0)
    const other = (await post(ana, { content: 'HOLD over night' })).data
    await site.switch('review', false)
    expect((await info(ana, other.id)).data.status).toBe(11)
    expect((await info(ben, await posted(ana, { content: 'HOLD, but nobody asks' }))).data.status).toBe(1)
    await site.switch('review', true)
    expect((await queuedFor(mona)).item?.object_id).toBe(other.id)
    expect(site.errors).toEqual([])
  })
})
