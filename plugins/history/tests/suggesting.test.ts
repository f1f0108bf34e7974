import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lowerThresholds } from '../../accounts/testing/index.ts'
import { answered, detailOf, rankOf } from '../../answers/testing/index.ts'
import { draft, posted } from '../../experiences/testing/index.ts'
import { createTag, tagOf } from '../../tags/testing/index.ts'
import { decide, happenings, revisionsOf, waitingFor } from '../testing/index.ts'

const api = '/answer/api/v1'
/** Reputation that each right needs here: to suggest none, to change at once more than anybody has. */
const privileges = ['edit_without_review', 'audit']

describe('edits of what others wrote', () => {
  let site: Site
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'comments', 'history', 'tags'] })
    await lowerThresholds(site)
    const admin = await site.admin()
    const { data } = await admin.get<{ options: { privileges: { key: string; value: number }[] }[] }>(
      '/answer/admin/api/setting/privileges',
    )
    const custom_privileges = (data.options[0]?.privileges ?? []).map(({ key, value }) => ({
      key,
      value: privileges.some((name) => key.endsWith(name)) ? 5000 : value,
    }))
    await admin.put('/answer/admin/api/setting/privileges', { level: 99, custom_privileges })
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
  })
  afterAll(() => site.close())

  const suggest = (person: TestPerson, id: string, content: string, title = 'A better title for it', edit_summary = 'why') =>
    person.put(`${api}/experience`, { ...draft({ title, content }), id, edit_summary })
  const onlyWaiting = async () => {
    const { item } = await waitingFor(mona)
    return item?.unreviewed_info.id as string
  }

  it('wait for review while the post stays as it is, and become its text when they are approved', async () => {
    const id = await posted(ana, { content: 'We slept on the night train.' })
    const before = await rankOf(site, ben)
    const reply = await suggest(ben, id, 'We slept well on the night train.')
    expect([reply.status, reply.data]).toEqual([200, { url_title: '', wait_for_review: true }])
    expect((await detailOf(ana, id)).content).toBe('We slept on the night train.')

    const { count, item } = await waitingFor(mona)
    expect(count).toBe(1)
    expect(item).toMatchObject({
      type: 'experience',
      info: { content: 'We slept on the night train.' },
      unreviewed_info: { title: 'A better title for it', reason: 'why', status: 1, user_info: { username: 'ben' } },
    })
    expect((await decide(mona, item?.unreviewed_info.id as string, 'approve')).status).toBe(200)
    expect(await detailOf(ana, id)).toMatchObject({
      title: 'A better title for it',
      content: 'We slept well on the night train.',
      user_info: { username: 'ana' },
      update_user_info: { username: 'ben' },
    })
    expect((await rankOf(site, ben)) - before).toBe(2)
    expect((await revisionsOf(ana, id)).map(({ status, user_info, reason }) => [status, user_info.username, reason])).toEqual([
      [2, 'ben', 'why'],
      [0, 'ana', ''],
    ])
    expect(await happenings(cai, id)).toEqual(['ben edited', 'ana asked'])
    expect((await waitingFor(mona)).count).toBe(0)
  })

  it('leave no trace for readers when they are rejected', async () => {
    const id = await posted(ana)
    await suggest(ben, id, 'Nonsense that nobody wants to read.')
    const revision = await onlyWaiting()
    expect((await decide(mona, revision, 'reject')).status).toBe(200)
    expect((await revisionsOf(ana, id)).length).toBe(1)
    expect(await happenings(ana, id)).toEqual(['ana asked'])
    expect((await decide(mona, revision, 'approve')).status, 'was decided on already').toBe(200)
    expect((await revisionsOf(ana, id)).length).toBe(1)
  })

  it('wait one at a time, while the author and staff may still change the text', async () => {
    const id = await posted(ana, { content: 'First line.\n\nSecond line.\n\nThird line.' })
    expect((await suggest(ben, id, 'First line.\n\nSecond line.\n\nThird line, better.', 'Title')).status).toBe(200)
    const refused = await suggest(cai, id, 'Something else altogether.')
    expect([refused.status, refused.reason, refused.data]).toEqual([400, 'error.revision.review_underway', { err_type: 'toast' }])
    expect((await cai.get(`${api}/revisions/edit/check`, { id })).reason).toBe('error.revision.review_underway')
    expect((await ana.get(`${api}/revisions/edit/check`, { id })).status).toBe(200)
    expect((await suggest(ana, id, 'First line, mine.\n\nSecond line.\n\nThird line.', 'Title')).status).toBe(200)
  })

  it('are put together with what the author changed meanwhile, where that fits', async () => {
    const id = (await site.visitor().get(`${api}/experience/page`, { page_size: 1 })).data.list[0].id
    expect((await decide(mona, await onlyWaiting(), 'approve')).status).toBe(200)
    expect((await detailOf(ana, id)).content).toBe('First line, mine.\n\nSecond line.\n\nThird line, better.')
    expect((await revisionsOf(ana, id)).map(({ user_info }) => user_info.username)).toEqual(['ben', 'ana', 'ana'])
  })

  it('go on waiting when they do not fit any more', async () => {
    const id = await posted(ana, { title: 'Something simple', content: 'One line and no more.' })
    await suggest(ben, id, 'One line and some more.', 'Something simple')
    await suggest(ana, id, 'One line, changed.', 'Something simple')
    const revision = await onlyWaiting()
    const reply = await decide(mona, revision, 'approve')
    expect([reply.status, reply.reason]).toEqual([409, 'error.revision.conflict'])
    expect((await detailOf(ana, id)).content).toBe('One line, changed.')
    expect((await waitingFor(mona)).count).toBe(1)
    await decide(mona, revision, 'reject')
  })

  it('are refused when they change nothing of worth, and are nothing when they change nothing', async () => {
    const id = await posted(ana, { title: 'Quite the same', content: 'The same as before.' })
    const same = await suggest(ben, id, 'The same as before.', 'Quite the same')
    expect([same.status, same.data.wait_for_review]).toEqual([200, false])
    const wrong = await suggest(ben, id, '', 'Quite the same')
    expect([wrong.status, wrong.data[0].error_field]).toEqual([400, 'content'])
    expect((await waitingFor(mona)).count).toBe(0)
  })

  it('are taken for answers and for tags as well', async () => {
    const experience = await posted(ana)
    const answer = await answered(ben, experience, 'It went well for me.')
    const body = { id: answer, experience_id: experience, content: 'It went very well for me.', edit_summary: 'very' }
    expect((await cai.put(`${api}/answer`, body)).data).toEqual({ wait_for_review: true })
    await decide(mona, await onlyWaiting(), 'approve')
    expect((await cai.get(`${api}/answer/info`, { id: answer })).data.info).toMatchObject({
      content: 'It went very well for me.',
      update_user_info: { username: 'cai' },
    })
    expect(await happenings(cai, answer)).toEqual(['cai edited', 'ben answered'])
    expect(await happenings(cai, experience)).toEqual(['cai edited', 'ben answered', 'ana asked'])

    await createTag(mona, 'rails')
    const { tag_id } = await tagOf(ana, 'rails')
    expect((await ana.put(`${api}/tag`, { tag_id, slug_name: 'rail', original_text: 'x' })).status).toBe(403)
    expect((await ana.put(`${api}/tag`, { tag_id, original_text: 'Everything that runs on rails' })).data).toEqual({
      wait_for_review: true,
    })
    await decide(mona, await onlyWaiting(), 'approve')
    expect(await tagOf(ana, 'rails')).toMatchObject({ original_text: 'Everything that runs on rails' })
    expect(await happenings(ana, tag_id)).toEqual(['ana edited', 'mona created'])
    expect((await revisionsOf(ana, tag_id)).map(({ content }) => content.original_text)).toEqual([
      'Everything that runs on rails',
      'About rails',
    ])
  })

  it('are decided by others than who made them, and only by those who may', async () => {
    const id = await posted(ana)
    await suggest(ben, id, 'Something that is worth a look.')
    const revision = await onlyWaiting()
    const refused = await decide(cai, revision, 'approve')
    expect([refused.status, refused.reason]).toEqual([400, 'error.revision.no_permission'])
    expect((await waitingFor(cai)).count).toBe(0)
    for (const wrong of ['0', '999999', 'nonsense', '1e3']) expect((await decide(mona, wrong, 'approve')).status, wrong).toBe(404)
    expect((await decide(mona, revision, 'burn')).status).toBe(400)
    expect((await site.visitor().put(`${api}/revisions/audit`, { id: revision, operation: 'approve' })).status).toBe(401)
    await decide(mona, revision, 'reject')
  })

  it('go with a post that is deleted', async () => {
    const id = await posted(ana)
    await suggest(ben, id, 'Too late for this, it seems.')
    await ana.del(`${api}/experience`, { id })
    expect((await waitingFor(mona)).count).toBe(0)
    await mona.post(`${api}/experience/recover`, { experience_id: id })
    expect(await happenings(mona, id)).toEqual(['mona undeleted', 'ana deleted', 'ana asked'])
  })

  it('need the right to change at once while this plugin is off', async () => {
    const id = await posted(ana)
    await site.switch('history', false)
    try {
      expect((await suggest(ben, id, 'Something that is worth a look.')).reason).toBe('error.rank.fail_to_meet_the_condition')
      const actions = (await detailOf(ben, id)).member_actions as { action: string }[]
      expect(actions.map(({ action }) => action)).not.toContain('edit')
      expect((await suggest(ana, id, 'Changed while nobody kept it.')).status).toBe(200)
    } finally {
      await site.switch('history', true)
    }
    const actions = (await detailOf(ben, id)).member_actions as { action: string }[]
    expect(actions.map(({ action }) => action)).toContain('edit')
    await suggest(ana, id, 'Changed while it is kept again.')
    expect((await revisionsOf(ana, id)).map(({ content, reason }) => [content.content, reason])).toEqual([
      ['Changed while it is kept again.', 'why'],
      ['Changed while nobody kept it.', 'Changed while history was switched off'],
      [expect.stringMatching(/^We took train/), ''],
    ])
  })
})
