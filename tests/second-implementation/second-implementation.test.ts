import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPlugins } from '@stoa/sdk/build'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered, answersOf, detailOf } from '../../plugins/answers/testing/index.ts'
import { commented, commentsOf } from '../../plugins/comments/testing/index.ts'
import { posted } from '../../plugins/experiences/testing/index.ts'
import { foundIds, search } from '../../plugins/search/testing/index.ts'
import { openVotes, vote } from '../../plugins/votes/testing/index.ts'

const api = '/answer/api/v1'

const textOf = async (person: TestPerson, answer: string) =>
  (await person.get<{ info: { html: string } }>(`${api}/answer/info`, { id: answer })).data.info.html.trim()

/** Everything is told to the contract of experiences, and nothing knows who offers it: `questions/` does here, with one small table. */
describe('another plugin that offers the contract of experiences', () => {
  let built: string
  let site: Site
  let [ana, ben, reader]: TestPerson[] = []
  const who = () => ({ ana: ana as TestPerson, ben: ben as TestPerson, reader: reader as TestPerson })

  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'stoa-questions-'))
    const { failed } = await buildPlugins({ folders: [join(import.meta.dirname, 'questions')], out: built, mode: 'production' })
    expect(failed).toEqual([])
    // Questions have no lists by what people follow, and no texts for programs.
    site = await startSite({ leaveOut: ['experiences', 'recommendations', 'feeds', 'plain-text'], pluginDirs: [built] })
    await openVotes(site)
    ana = await site.moderator('ana')
    ben = await site.member('ben')
    reader = site.visitor()
  })
  afterAll(async () => {
    await site?.close()
    rmSync(built, { recursive: true, force: true })
  })

  it('takes questions with tags, and lists them by a tag or by likeness', async () => {
    const { ana, reader } = who()
    const first = await posted(ana, { tags: ['sailing', 'knots'] })
    const second = await posted(ana, { tags: ['sailing'] })
    await posted(ana, { tags: ['baking'] })
    const ids = async (query: Record<string, string>) =>
      (await reader.get<{ list: { id: string }[] }>(`${api}/experience/page`, query)).data.list.map(({ id }) => id)
    expect(await ids({ tag: 'sailing' })).toEqual([second, first])
    expect(await ids({ like: second })).toEqual([second, first])
    expect(await detailOf(reader, first)).toMatchObject({ tags: [{ slug_name: 'sailing' }, { slug_name: 'knots' }] })
  })

  it('is answered: counted, named to who answered, accepted', async () => {
    const { ana, ben, reader } = who()
    const question = await posted(ana)
    const answer = await answered(ben, question)
    expect(await answersOf(reader, question)).toEqual([answer])
    expect(await detailOf(ben, question)).toMatchObject({ answer_count: 1, answered: true, first_answer_id: answer })
    expect((await accept(ana, question, answer)).status).toBe(200)
    const { data } = await reader.get<{ answer: { answer_id: string; accepted: number }[] }>(`${api}/personal/qa/top`, { username: 'ben' })
    expect(data.answer[0]).toMatchObject({ answer_id: answer, accepted: 2 })
    expect((await ben.get(`${api}/revisions/edit/check`, { id: answer })).status).toBe(200)
    const page = await fetch(`${site.url}/experiences/${question}`)
    expect(await page.text()).toContain(await textOf(reader, answer))
  })

  it('is stored together with an answer, or not at all', async () => {
    const { ana, reader } = who()
    const both = { title: 'Which lamp for a small boat?', content: 'It has no engine.', tags: [{ slug_name: 'sailing' }] }
    const refused = await ana.post(`${api}/experience/answer`, { ...both, title: '', answer_content: 'An oil lamp does well.' })
    expect(refused.status).toBe(400)
    const { data } = await ana.post<{ info: { experience_id: string } }>(`${api}/experience/answer`, {
      ...both,
      answer_content: 'An oil lamp does well.',
    })
    expect(await detailOf(reader, data.info.experience_id)).toMatchObject({ title: both.title, answer_count: 1 })
  })

  it('is voted on, with its answers, and both stand among the votes of who voted', async () => {
    const { ana, ben } = who()
    const question = await posted(ana)
    const answer = await answered(ana, question)
    expect((await vote(ben, 'up', question)).data).toMatchObject({ votes: 1, vote_status: 'vote_up' })
    await vote(ben, 'down', answer)
    expect(await detailOf(ben, question)).toMatchObject({ vote_status: 'vote_up', vote_count: 1 })
    const page = await ben.get<{ list: { vote_status: string }[] }>(`${api}/answer/page`, {
      experience_id: question,
      page: 1,
      page_size: 9,
    })
    expect(page.data.list).toMatchObject([{ id: answer, vote_status: 'vote_down', vote_count: -1 }])
    const { data } = await ben.get<{ count: number; list: { object_id: string }[] }>(`${api}/personal/vote/page`)
    expect(data).toMatchObject({
      count: 2,
      list: [
        { object_type: 'answer', object_id: answer, answer_id: answer, experience_id: question },
        { object_type: 'experience', object_id: question, answer_id: '' },
      ],
    })
  })

  it('is commented on, with its answers; profiles show the comments while everybody can see it', async () => {
    const { ana, ben, reader } = who()
    const carl = await site.member('carl')
    const question = await posted(ana, { title: 'Which knot holds when wet?' })
    const answer = await answered(ben, question)
    const below = await commented(carl, question)
    const belowAnswer = await commented(carl, answer)
    expect(await commentsOf(reader, question)).toEqual({ count: 1, ids: [below] })
    await vote(ben, 'up', below)
    const { data } = await ben.get(`${api}/comment/page`, { object_id: question, page: 1, page_size: 9 })
    expect(data).toMatchObject({ list: [{ comment_id: below, is_vote: true, vote_count: 1 }] })
    const profile = async () =>
      (await reader.get<{ count: number; list: object[] }>(`${api}/personal/comment/page`, { username: 'carl', page: 1, page_size: 9 }))
        .data
    const shown = [
      { comment_id: belowAnswer, object_type: 'answer', answer_id: answer, experience_id: question },
      { comment_id: below, object_type: 'experience', answer_id: '', title: 'Which knot holds when wet?' },
    ]
    expect(await profile()).toMatchObject({ count: 2, list: shown })
    const admin = await site.admin()
    await admin.put(`${api}/experience/operation`, { id: question, operation: 'hide' })
    expect(await profile()).toMatchObject({ count: 0, list: [] })
    await admin.put(`${api}/experience/operation`, { id: question, operation: 'show' })
    expect(await profile()).toMatchObject({ count: 2, list: shown })
  })

  it('is found, with its answers and by its tags, and leaves the index when it is hidden', async () => {
    const { ana, ben, reader } = who()
    const question = await posted(ana, { title: 'A kettle for the galley', content: 'It must not tip over.', tags: ['cooking'] })
    const answer = await answered(ben, question, 'Ours is copper, with a broad base.')
    await vote(ben, 'up', question)
    await site.idle()
    expect(await foundIds(reader, 'kettle')).toEqual([question])
    expect((await foundIds(reader, '[cooking]')).sort()).toEqual([question, answer].sort())
    expect(await foundIds(reader, `inexperience:${question} copper`)).toEqual([answer])
    expect(await foundIds(reader, 'score:1 kettle')).toEqual([question])
    expect((await search(reader, 'copper')).list).toMatchObject([
      { object_type: 'answer', object: { id: answer, tags: [{ slug_name: 'cooking' }] } },
    ])
    await (await site.admin()).put(`${api}/experience/operation`, { id: question, operation: 'hide' })
    await site.idle()
    expect(await search(reader, 'kettle')).toMatchObject({ list: [] })
    expect(await search(reader, 'copper')).toMatchObject({ list: [] })
  })

  it('goes off with what needs it, and everything is there when it returns', async () => {
    const { ana, ben, reader } = who()
    const question = await posted(ana, { title: 'Where to moor in a storm?' })
    const answer = await answered(ben, question)
    const comment = await commented(ben, answer)
    await site.switch('questions', false)
    expect((await reader.get(`${api}/answer/page`, { experience_id: question })).status).toBe(404)
    expect((await vote(ben, 'up', question)).status).toBe(404)
    await site.switch('answers', true)
    await site.idle()
    expect(await answersOf(reader, question)).toEqual([answer])
    expect((await commentsOf(reader, answer)).ids).toEqual([comment])
    await expect.poll(() => foundIds(reader, 'moor'), { timeout: 10_000 }).toEqual([question])
  })

  it('logs no error over all of this', () => {
    expect(site.errors).toEqual([])
  })
})
