import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered, answeredExperience } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { comment, commented, commentsOf } from '../testing/index.ts'

const path = '/answer/api/v1/comment'

describe('commenting', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['comments', 'reports', 'answers'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
  })
  afterAll(() => site.close())

  const fields = (reply: { data: unknown }) => (reply.data as { error_field: string }[]).map((entry) => entry.error_field)
  const edit = (person: TestPerson, comment_id: string, original_text = 'Said in other words') =>
    person.put(path, { comment_id, original_text })

  it('asks who somebody is before it looks at what they sent', async () => {
    expect((await site.visitor().post(path, {})).status).toBe(401)
    expect((await site.visitor().put(path, {})).status).toBe(401)
    expect((await site.visitor().del(path, {})).status).toBe(401)
  })

  it('takes 2 to 600 characters and names what is wrong', async () => {
    const experience = await posted(ana)
    expect(fields(await ben.post(path, {}))).toEqual(['object_id', 'original_text'])
    for (const text of ['x', ' x ', 'x'.repeat(601)]) {
      expect(fields(await comment(ben, experience, text)), text.slice(0, 5)).toEqual(['original_text'])
    }
    expect((await comment(ben, experience, '对'.repeat(600))).status).toBe(200)
  })

  it('renders what was written, with mentions as links and no scripts', async () => {
    const { data } = await comment(ben, await posted(ana), 'Which **line** was it, @ana? <script>alert(1)</script>')
    expect(data.parsed_text).toContain('<strong>line</strong>')
    expect(data.parsed_text).toContain('href="/users/ana"')
    expect(data.parsed_text).not.toContain('<script')
    expect(data).toMatchObject({ username: 'ben', vote_count: 0, is_vote: false, reply_user_id: '', reply_comment_id: '' })
  })

  it('names whom a reply answers', async () => {
    const experience = await posted(ana)
    const first = await commented(ben, experience)
    const { data } = await comment(ana, experience, 'The old one', first)
    expect(data).toMatchObject({
      reply_comment_id: first,
      reply_username: 'ben',
      reply_user_display_name: 'ben',
      reply_user_status: 'normal',
    })
  })

  it('come along with a post and its answers for who asks for them, each reader’s own', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const silent = await posted(ana)
    for (let n = 0; n < 6; n++) await commented(cai, experience)
    const other = await answered(mona, experience)
    for (let n = 0; n < 21; n++) await commented(cai, answer)
    await commented(cai, other)
    const page = async (person: TestPerson, object_id: string) =>
      (await person.get(`${path}/page`, { object_id, page: 1, page_size: 5 })).data
    type Beside = { beside?: { comments?: unknown } }
    const beside = async (person: TestPerson, id: string, more = {}) =>
      (await person.get<Beside>('/answer/api/v1/experience/info', { id, ...more })).data.beside?.comments
    const besideAnswers = async (person: TestPerson, more = {}) =>
      (await person.get<{ list: Beside[] }>('/answer/api/v1/answer/page', { experience_id: experience, ...more })).data.list.map(
        (view) => view.beside?.comments,
      )
    const along = { with_comments: 'true' }
    for (const person of [site.visitor(), cai, mona]) {
      expect(await beside(person, experience)).toBe(true)
      expect(await beside(person, experience, along)).toEqual(await page(person, experience))
      expect(await beside(person, experience, along)).toMatchObject({ count: 6, list: { length: 5 } })
      expect(await beside(person, silent, along)).toBe(false)
      expect(await besideAnswers(person)).toEqual([undefined, undefined])
      expect(await besideAnswers(person, along)).toEqual([await page(person, answer), await page(person, other)])
      expect(await besideAnswers(person, along)).toMatchObject([{ count: 21, list: { length: 5 } }, { count: 1 }])
    }
    expect(JSON.stringify(await beside(cai, experience, along))).toContain('"action":"delete"')
    expect(JSON.stringify(await beside(site.visitor(), experience, along))).not.toContain('"action"')
  })

  it('refuses replies to comments that are gone or stand elsewhere', async () => {
    const [experience, other] = [await posted(ana), await posted(ana)]
    const elsewhere = await commented(ben, other)
    const gone = await commented(ben, experience)
    await ben.del(path, { comment_id: gone })
    for (const target of [elsewhere, gone]) {
      const reply = await comment(ana, experience, undefined, target)
      expect([reply.status, reply.reason]).toEqual([400, 'error.comment.not_found'])
    }
  })

  it('shows them oldest first, newest first or best first, and page 0 is the best', async () => {
    const experience = await posted(ana)
    const [first, second, third] = [await commented(ben, experience), await commented(cai, experience), await commented(ana, experience)]
    expect(await commentsOf(site.visitor(), experience)).toEqual({ count: 3, ids: [first, second, third] })
    expect((await commentsOf(site.visitor(), experience, { query_cond: 'created_at', page_size: 2 })).ids).toEqual([third, second])
    expect((await commentsOf(site.visitor(), experience, { page: 0 })).ids).toEqual([first, second, third])
    expect(fields(await ana.get(`${path}/page`, { object_id: experience, query_cond: 'loudest' }))).toEqual(['query_cond'])
    expect(fields(await ana.get(`${path}/page`))).toEqual(['object_id'])
  })

  it('appends a comment that is asked for and stands on another page', async () => {
    const experience = await posted(ana)
    const [first, , third] = [await commented(ben, experience), await commented(cai, experience), await commented(ana, experience)]
    expect((await commentsOf(site.visitor(), experience, { page_size: 1, comment_id: third as string })).ids).toEqual([first, third])
    const elsewhere = await commented(ben, await posted(ana))
    expect((await commentsOf(site.visitor(), experience, { page_size: 1, comment_id: elsewhere })).ids).toEqual([first])
  })

  it('lets authors edit for five minutes, staff at any time, others never', async () => {
    const id = await commented(ben, await posted(ana))
    expect((await edit(ben, id, 'Which railway line was it?')).data).toMatchObject({
      comment_id: id,
      original_text: 'Which railway line was it?',
    })
    expect((await edit(cai, id)).reason).toBe('error.rank.fail_to_meet_the_condition')
    site.advance(301)
    const late = await edit(ben, id)
    expect([late.status, late.reason]).toEqual([400, 'error.comment.cannot_edit_after_deadline'])
    expect((await edit(mona, id)).status).toBe(200)
  })

  it('offers exactly what is allowed', async () => {
    const experience = await posted(ana)
    await commented(ben, experience)
    const actions = async (person: TestPerson) =>
      (await person.get(`${path}/page`, { object_id: experience })).data.list[0].member_actions.map(
        (entry: { action: string }) => entry.action,
      )
    expect(await actions(site.visitor())).toEqual([])
    expect(await actions(ben)).toEqual(['edit', 'delete'])
    expect(await actions(cai)).toEqual(['report'])
    expect(await actions(mona)).toEqual(['report', 'edit', 'delete'])
  })

  it('is deleted by author and staff', async () => {
    const experience = await posted(ana)
    const [first, second] = [await commented(ben, experience), await commented(ben, experience)]
    expect((await cai.del(path, { comment_id: first })).status).toBe(403)
    expect((await ben.del(path, { comment_id: first })).status).toBe(200)
    expect((await mona.del(path, { comment_id: second })).status).toBe(200)
    expect(await commentsOf(site.visitor(), experience)).toEqual({ count: 0, ids: [] })
    expect((await mona.del(path, { comment_id: second })).reason).toBe('error.comment.not_found')
  })

  it('is as visible as what it stands below', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const below = await commented(cai, answer)
    await commented(cai, experience)
    const profile = async () =>
      (await site.visitor().get('/answer/api/v1/personal/comment/page', { username: 'cai' })).data.list as { comment_id: string }[]
    const isListed = async () => (await profile()).some((item) => item.comment_id === below)
    expect(await isListed()).toBe(true)
    await ben.del('/answer/api/v1/answer', { id: answer })
    expect((await site.visitor().get(`${path}/page`, { object_id: answer })).reason).toBe('error.object.not_found')
    expect((await commentsOf(mona, answer)).ids).toEqual([below])
    expect((await comment(mona, answer)).reason).toBe('error.comment.closed')
    expect(await isListed()).toBe(false)
    await mona.post('/answer/api/v1/answer/recover', { answer_id: answer })
    expect(await isListed()).toBe(true)
    await mona.del('/answer/api/v1/experience', { id: experience })
    expect((await site.visitor().get(`${path}/page`, { object_id: experience })).status).toBe(404)
    expect(await isListed()).toBe(false)
  })

  it('stands in profiles only while its post is listed and its answer stands, whatever comes first', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const operate = (operation: string) => mona.put('/answer/api/v1/experience/operation', { id: experience, operation })
    const profile = async () =>
      (await site.visitor().get('/answer/api/v1/personal/comment/page', { username: 'cai' })).data.list as { comment_id: string }[]
    await operate('hide')
    const ids = [await commented(cai, experience), await commented(cai, answer)]
    const shown = async () => (await profile()).map((item) => item.comment_id).filter((id) => ids.includes(id))
    expect(await shown()).toEqual([])
    await ben.del('/answer/api/v1/answer', { id: answer })
    await operate('show')
    expect(await shown()).toEqual([ids[0]])
    await operate('hide')
    await mona.post('/answer/api/v1/answer/recover', { answer_id: answer })
    expect(await shown()).toEqual([])
    await operate('show')
    expect(await shown()).toEqual([...ids].reverse())
  })

  it('stands in no profile when its post is unlisted or deleted while it is rendered', async () => {
    const dov = await site.member('dov')
    const experiences = '/answer/api/v1/experience'
    // Long enough to take a while.
    const text = '**so** '.repeat(80)
    const pairs = await Promise.all(Array.from({ length: 24 }, () => answeredExperience(ana, ben)))
    const outcomes = await Promise.all(
      pairs.map(async ({ experience, answer }, index) => {
        /** Some requests later, so that it comes before the comment, in the middle of it and after it. */
        const act = async () => {
          for (let asked = 0; asked < index % 8; asked++) await commentsOf(mona, experience)
          return index % 2 === 0
            ? mona.put(`${experiences}/operation`, { id: experience, operation: 'hide' })
            : mona.del(experiences, { id: experience })
        }
        const replies = await Promise.all([comment(dov, index % 3 === 0 ? answer : experience, text), act()])
        return replies.map(({ status }) => status)
      }),
    )
    expect(new Set(outcomes.map(([, acted]) => acted))).toEqual(new Set([200]))
    expect(outcomes.filter(([written]) => ![200, 400, 404].includes(written as number))).toEqual([])
    expect((await site.visitor().get('/answer/api/v1/personal/comment/page', { username: 'dov' })).data).toMatchObject({ count: 0 })
    expect(site.errors).toEqual([])
  })

  it('is told to the answer, which counts', async () => {
    const { answer } = await answeredExperience(ana, ben)
    const count = async () => (await ana.get('/answer/api/v1/answer/info', { id: answer })).data.info.comment_count
    const id = await commented(cai, answer)
    expect(await count()).toBe(1)
    await cai.del(path, { comment_id: id })
    expect(await count()).toBe(0)
  })

  it('goes with its author when the admin wants their content gone, and so do their answers', async () => {
    const eve = await site.member('eve')
    const { experience, answer } = await answeredExperience(ana, eve)
    const remark = await commented(eve, experience)
    const admin = await site.admin()
    const gone = await admin.put('/answer/admin/api/user/status', { user_id: String(eve.id), status: 'deleted', remove_all_content: true })
    expect(gone.status).toBe(200)
    expect((await commentsOf(site.visitor(), experience)).ids).not.toContain(remark)
    expect((await site.visitor().get('/answer/api/v1/answer/info', { id: answer })).status).toBe(404)
    expect((await site.visitor().get('/answer/api/v1/experience/info', { id: experience })).data.answer_count).toBe(0)
  })

  it('names objects that are not there', async () => {
    for (const object of ['10010000000009999', 'nonsense', '10030000000000001']) {
      expect((await comment(ben, object)).reason, object).toBe('error.object.not_found')
      expect((await ben.get(`${path}/page`, { object_id: object })).status, object).toBe(404)
    }
  })
})
