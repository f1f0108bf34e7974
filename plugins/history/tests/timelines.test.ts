import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered, answeredExperience } from '../../answers/testing/index.ts'
import { commented } from '../../comments/testing/index.ts'
import { draft, posted } from '../../experiences/testing/index.ts'
import { createTag, tagOf } from '../../tags/testing/index.ts'
import { openVotes, vote } from '../../votes/testing/index.ts'
import { happenings, revisionsOf, timelineOf } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('a timeline', () => {
  let site: Site
  let admin: TestPerson
  let mona: TestPerson
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'comments', 'history', 'tags', 'votes'] })
    await openVotes(site)
    admin = await site.admin()
    await posted(admin)
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
  })
  afterAll(() => site.close())

  const edit = (person: TestPerson, id: string, content: string, edit_summary = '', more: object = {}) =>
    person.put(`${api}/experience`, { ...draft({ title: 'A title that stays', content }), id, edit_summary, ...more })
  const inOrder = async (...acts: (() => Promise<unknown>)[]) => {
    for (const act of acts) {
      site.advance(1)
      await act()
    }
  }

  it('says who did what to a post and below it, newest first', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    await inOrder(
      () => edit(ana, experience, 'Clearer words for the same.', 'clearer'),
      () => commented(cai, experience),
      () => accept(ana, experience, answer),
      () => mona.put(`${api}/experience/status`, { id: experience, close_type: 63, close_msg: 'Not <b>here</b>' }),
      () => mona.put(`${api}/experience/reopen`, { experience_id: experience }),
      () => mona.put(`${api}/experience/operation`, { id: experience, operation: 'pin' }),
      () => mona.put(`${api}/experience/operation`, { id: experience, operation: 'unpin' }),
      () => mona.put(`${api}/experience/operation`, { id: experience, operation: 'hide' }),
      () => mona.put(`${api}/experience/operation`, { id: experience, operation: 'show' }),
    )
    expect(await happenings(cai, experience)).toEqual([
      'mona show',
      'mona hide',
      'mona unpin',
      'mona pin',
      'mona reopened',
      'mona closed',
      'ana accept',
      'cai commented',
      'ana edited',
      'ben answered',
      'ana asked',
    ])
    const lines = await timelineOf(cai, experience)
    const comments = Object.fromEntries(lines.map((line) => [line.activity_type, line.comment]))
    expect(comments).toMatchObject({ edited: 'clearer', commented: expect.stringContaining('<p>') })
    expect(comments.closed).toContain('Not &lt;b&gt;here&lt;/b&gt;')
    expect(new Set(lines.map((line) => line.activity_id)).size).toBe(lines.length)
  })

  it('leads from a closed duplicate to the original', async () => {
    const [original, copy] = [await posted(ana), await posted(ben)]
    const address = `${site.url}/experiences/${original}`
    expect((await mona.put(`${api}/experience/status`, { id: copy, close_type: 60, close_msg: address })).status).toBe(200)
    const [line] = await timelineOf(cai, copy)
    expect(line).toMatchObject({ activity_type: 'closed', comment: expect.stringContaining(`<a href="${address}"`) })
  })

  it('keeps an acceptance that was taken back, as taken back', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    await accept(ana, experience, answer)
    await accept(ana, experience, '0')
    const [line] = (await timelineOf(cai, answer)).filter(({ activity_type }) => activity_type === 'accept')
    expect(line).toMatchObject({ cancelled: true, object_type: 'answer' })
  })

  it('has votes where they are asked for, and names who voted down to admins only', async () => {
    const experience = await posted(ana)
    await vote(ben, 'up', experience)
    await vote(cai, 'down', experience)
    expect(await happenings(ben, experience)).toEqual(['ana asked'])
    expect(new Set(await happenings(ben, experience, true))).toEqual(new Set(['N/A downvote', 'ben upvote', 'ana asked']))
    expect(new Set(await happenings(admin, experience, true))).toEqual(new Set(['cai downvote', 'ben upvote', 'ana asked']))
    const hidden = (await timelineOf(mona, experience, true)).find(({ activity_type }) => activity_type === 'downvote')
    expect(JSON.stringify(hidden)).not.toContain('cai')
  })

  it('shows nobody what they may not see', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const [first] = await revisionsOf(ana, answer)
    await ben.del(`${api}/answer`, { id: answer })
    expect(await happenings(cai, experience)).toEqual(['ana asked'])
    expect(await happenings(ben, experience)).toEqual(['ben deleted', 'ben answered', 'ana asked'])
    for (const [path, query] of [
      ['activity/timeline', { object_id: answer }],
      ['revisions', { object_id: answer }],
      ['activity/timeline/detail', { new_revision_id: first?.id ?? '', old_revision_id: '0' }],
    ] as const) {
      expect((await cai.get(`${api}/${path}`, query)).status, path).toBe(404)
      expect((await ben.get(`${api}/${path}`, query)).status, path).toBe(200)
    }
    await ana.del(`${api}/experience`, { id: experience })
    expect((await cai.get(`${api}/activity/timeline`, { object_id: experience })).status).toBe(404)
    expect((await site.visitor().get(`${api}/revisions`, { object_id: experience })).status).toBe(404)
  })

  it('is for members', async () => {
    const experience = await posted(ana)
    expect((await site.visitor().get(`${api}/activity/timeline`, { object_id: experience })).status).toBe(401)
    expect((await site.visitor().get(`${api}/activity/timeline/detail`, { new_revision_id: '1', old_revision_id: '0' })).status).toBe(401)
    for (const wrong of ['', 'nonsense', '0', '10010000000099999'])
      expect((await ana.get(`${api}/activity/timeline`, { object_id: wrong })).status, wrong).toBe(404)
  })

  it('leads to the two texts of each edit', async () => {
    const id = await posted(ana, { title: 'A title that stays', content: 'Words as they were.' })
    await edit(ana, id, 'Words as they are.')
    const [newer, older] = (await timelineOf(cai, id)).map((line) => line.revision_id) as [string, string]
    const detail = async (new_revision_id: string, old_revision_id: string) =>
      cai.get(`${api}/activity/timeline/detail`, { new_revision_id, old_revision_id })
    const text = (original_text: string) => ({ title: 'A title that stays', original_text, tags: [{ slug_name: 'travel' }] })
    expect((await detail(newer, older)).data).toMatchObject({
      new_revision: text('Words as they are.'),
      old_revision: text('Words as they were.'),
    })
    expect((await detail(older, '0')).data).toMatchObject({ new_revision: text('Words as they were.'), old_revision: null })
    const foreign = (await revisionsOf(ana, await posted(ana)))[0]?.id as string
    expect((await detail(newer, foreign)).status).toBe(404)
  })

  it('tells of a tag who made, changed, deleted and restored it', async () => {
    await createTag(mona, 'steam')
    const { tag_id } = await tagOf(ana, 'steam')
    await inOrder(
      () => mona.put(`${api}/tag`, { tag_id, display_name: 'Steam', original_text: 'Coal and water', edit_summary: 'coal' }),
      () => mona.del(`${api}/tag`, { tag_id }),
      () => mona.post(`${api}/tag/recover`, { tag_id }),
    )
    expect(await happenings(ana, tag_id)).toEqual(['mona undeleted', 'mona deleted', 'mona edited', 'mona created'])
  })

  it('keeps no revision of an edit that changes nothing, and one of an edit of tags alone', async () => {
    const id = await posted(ana, { title: 'A title that stays', content: 'The very same words.' })
    await edit(ana, id, 'The very same words.')
    expect((await revisionsOf(ana, id)).length).toBe(1)
    await edit(mona, id, 'The very same words.', 'tags', { tags: [{ slug_name: 'trains', display_name: 'trains' }] })
    expect((await revisionsOf(ana, id)).map(({ content }) => content.tags?.map((tag) => tag.slug_name))).toEqual([['trains'], ['travel']])
  })

  it('goes on without each of the plugins that contribute to it', async () => {
    const { experience } = await answeredExperience(ana, ben)
    await commented(cai, experience)
    for (const [slug, left] of [
      ['comments', ['ben answered', 'ana asked']],
      ['answers', ['cai commented', 'ana asked']],
    ] as const) {
      await site.switch(slug, false)
      expect(new Set(await happenings(ana, experience, true)), slug).toEqual(new Set(left))
      await site.switch(slug, true)
    }
  })

  it('leaves posts, answers and tags as they are while it is off', async () => {
    await site.switch('history', false)
    const { experience, answer } = await answeredExperience(ana, ben)
    expect((await edit(ana, experience, 'Changed while nobody keeps it.')).status).toBe(200)
    expect((await accept(ana, experience, answer)).status).toBe(200)
    expect((await ana.get(`${api}/activity/timeline`, { object_id: experience })).reason).toBe('base.route_not_found')
    await site.switch('history', true)
    expect(await happenings(ana, experience)).toEqual(['ben answered', 'ana asked'])
  })
})

describe('two people who edit one text', () => {
  let site: Site
  let mona: TestPerson
  let ana: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'history', 'tags'] })
    await posted(await site.admin())
    mona = await site.moderator('mona')
    ana = await site.member('ana')
  })
  afterAll(() => site.close())

  for (const isOn of [true, false])
    it(`overwrite nothing: the second is told what stands there now, with history ${isOn ? 'on' : 'off'}`, async () => {
      await site.switch('history', isOn)
      const id = await posted(ana, { content: 'As it was at first.' })
      const { version } = (await ana.get(`${api}/experience/info`, { id })).data
      const edit = (person: TestPerson, content: string, base?: number) =>
        person.put(`${api}/experience`, { ...draft({ title: 'A title that stays', content }), id, ...(base && { base }) })
      expect((await edit(mona, 'As mona wrote it.', version)).status).toBe(200)
      const refused = await edit(ana, 'As ana wrote it.', version)
      expect([refused.status, refused.reason]).toEqual([409, 'error.experience.changed_meanwhile'])
      expect(refused.data).toMatchObject({
        version: version + 1,
        title: 'A title that stays',
        content: 'As mona wrote it.',
        editor: 'mona',
        tags: [{ slug_name: 'travel' }],
      })
      expect((await ana.get(`${api}/experience/info`, { id })).data.content).toBe('As mona wrote it.')
      expect((await edit(ana, 'As both wrote it.', refused.data.version)).status).toBe(200)
      expect((await edit(mona, 'By a client that names none.')).status).toBe(200)
      expect((await ana.get(`${api}/experience/info`, { id })).data).toMatchObject({ content: 'By a client that names none.', version: 4 })
    })

  it('is the same for answers and for tags', async () => {
    await site.switch('history', true)
    const experience = await posted(ana)
    const answer = await answered(ana, experience, 'It went as it went.')
    const body = { id: answer, experience_id: experience, base: 1 }
    expect((await mona.put(`${api}/answer`, { ...body, content: 'As mona wrote it.' })).status).toBe(200)
    const refused = await ana.put(`${api}/answer`, { ...body, content: 'As ana wrote it.' })
    expect([refused.status, refused.data]).toEqual([409, { version: 2, content: 'As mona wrote it.', editor: 'mona' }])

    await createTag(mona, 'ferries')
    const { tag_id } = await tagOf(ana, 'ferries')
    const tag = { tag_id, base: 1 }
    expect((await mona.put(`${api}/tag`, { ...tag, original_text: 'Boats that carry trains' })).status).toBe(200)
    const late = await mona.put(`${api}/tag`, { ...tag, original_text: 'Boats' })
    expect([late.status, late.data]).toMatchObject([409, { version: 2, original_text: 'Boats that carry trains' }])
  })

  it('at once: each text is kept, and no version is given twice', async () => {
    const id = await posted(ana, { content: 'As it was at first.' })
    const texts = ['one', 'two', 'three', 'four'].map((word) => `Words of writer ${word}.`)
    const replies = await Promise.all(
      texts.map((content) => mona.put(`${api}/experience`, { ...draft({ title: 'A title that stays', content }), id })),
    )
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const { data } = await ana.get(`${api}/revisions`, { object_id: id })
    const kept = data.map((revision: { content: { content: string } }) => revision.content.content)
    expect(new Set(kept)).toEqual(new Set([...texts, 'As it was at first.']))
    expect((await ana.get(`${api}/experience/info`, { id })).data).toMatchObject({ version: 5, content: kept[0] })
  })
})
