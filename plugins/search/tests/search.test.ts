import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'
import { foundIds, search } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('searching', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let reader: TestPerson
  let train: string
  let bread: string
  let coffee: string
  let answer: string

  beforeAll(async () => {
    site = await startSite({
      plugins: ['search', 'experiences', 'answers', 'tags', 'accounts', 'site', 'votes', 'locale-en-us', 'locale-zh-cn'],
    })
    ana = await site.moderator('ana')
    ben = await site.member('ben')
    reader = site.visitor()
    train = await posted(ana, {
      title: 'Night train to the coast',
      content: 'We took the slow train and woke up by the sea.',
      tags: ['travel'],
    })
    bread = await posted(ana, {
      title: 'Bread from an old starter',
      content: 'Flour, water, salt and three days to wait for it.',
      tags: ['cooking', 'starter'],
    })
    coffee = await posted(ana, {
      title: '手冲咖啡的水温经验',
      content: '我在家里做手冲咖啡，数据库工程师也需要休息。',
      tags: ['咖啡', 'cooking'],
    })
    const reply = await ben.post<{ info: { id: string } }>(`${api}/answer`, {
      experience_id: train,
      content: 'I took it as well, and slept well in the dining car.',
    })
    answer = reply.data.info.id
    await site.idle()
  })
  afterAll(() => site.close())

  it('finds words in titles, texts and answers, case aside', async () => {
    expect(await foundIds(reader, 'COAST')).toEqual([train])
    expect(await foundIds(reader, 'flour')).toEqual([bread])
    expect(await foundIds(reader, 'dining')).toEqual([answer])
  })

  it('finds Chinese words of any length inside of sentences', async () => {
    for (const word of ['咖啡', '手冲咖啡', '数据库', '库', '水温经验']) expect(await foundIds(reader, word), word).toEqual([coffee])
    expect(await foundIds(reader, '啡咖')).toEqual([])
  })

  it('puts what has the word in its title before what only mentions it', async () => {
    const mention = await posted(ana, {
      title: 'Things to do on a Sunday',
      content: 'Bake some bread, call a friend, read the long novel.',
      tags: ['cooking'],
    })
    await site.idle()
    expect(await foundIds(reader, 'bread')).toEqual([bread, mention])
  })

  it('finds any of several words, those with all of them first', async () => {
    expect(await foundIds(reader, 'flour coast')).toHaveLength(2)
    expect((await foundIds(reader, 'flour salt train'))[0]).toBe(bread)
  })

  it('finds phrases, also of two common words', async () => {
    expect(await foundIds(reader, '"slow train"')).toEqual([train])
    expect(await foundIds(reader, '"night train"')).toEqual([train])
    expect(await foundIds(reader, '"train night"')).toEqual([])
    expect(await foundIds(reader, '"做手冲咖啡"')).toEqual([coffee])
  })

  it('narrows by tags, all of which must be there', async () => {
    expect((await foundIds(reader, '[cooking]')).sort()).toContain(bread)
    expect(await foundIds(reader, '[cooking][starter]')).toEqual([bread])
    expect(await foundIds(reader, '[咖啡]')).toEqual([coffee])
    expect(await search(reader, '[no-such-tag]')).toEqual({ count: 0, list: [] })
    expect((await foundIds(reader, '[travel]')).sort()).toEqual([answer, train].sort())
  })

  it('narrows by author', async () => {
    expect(await foundIds(reader, 'user:BEN')).toEqual([answer])
    expect(await foundIds(ben, 'user:me')).toEqual([answer])
    expect(await search(reader, 'user:me')).toEqual({ count: 0, list: [] })
    expect(await search(reader, 'user:nobody')).toEqual({ count: 0, list: [] })
  })

  it('narrows by kind, by number of answers and by the experience', async () => {
    expect(await foundIds(reader, 'is:experience train')).toEqual([train])
    for (const word of ['is:comment', 'is:answer']) expect(await foundIds(reader, `${word} slept`)).toEqual([answer])
    expect(await foundIds(reader, 'answers:1')).toEqual([train])
    expect(await foundIds(reader, 'answers:0')).not.toContain(train)
    expect(await foundIds(reader, `inexperience:${train} car`)).toEqual([answer])
    expect(await search(reader, 'inexperience:10010000000099999')).toEqual({ count: 0, list: [] })
  })

  it('narrows by acceptance', async () => {
    expect(await foundIds(reader, 'hasaccepted:no')).toContain(train)
    expect(await search(reader, 'isaccepted:yes')).toEqual({ count: 0, list: [] })
    await ana.post(`${api}/answer/acceptance`, { experience_id: train, answer_id: answer })
    await site.idle()
    expect(await foundIds(reader, 'isaccepted:yes')).toEqual([answer])
    expect(await foundIds(reader, 'hasaccepted:no')).not.toContain(train)
  })

  it('narrows by votes and keeps the author beside it', async () => {
    expect((await search(reader, 'score:1 user:ana')).count).toBe(0)
    await (await site.admin()).post(`${api}/vote/up`, { object_id: bread })
    await site.idle()
    expect(await foundIds(reader, 'score:1 is:experience user:ana')).toEqual([bread])
    expect(await foundIds(reader, 'score:0 is:experience')).not.toContain(bread)
  })

  it('remembers no result that a vote has changed', async () => {
    expect(await foundIds(reader, 'score:2')).toEqual([])
    await (await site.moderator('mona')).post(`${api}/vote/up`, { object_id: bread })
    await site.idle()
    expect(await foundIds(reader, 'score:2')).toEqual([bread])
  })

  it('orders by age, activity and votes', async () => {
    const newest = await foundIds(reader, 'is:experience user:ana', { order: 'newest' })
    expect(newest.indexOf(train)).toBe(newest.length - 1)
    expect((await foundIds(reader, 'is:experience user:ana', { order: 'score' }))[0]).toBe(bread)
    expect(await foundIds(reader, 'is:experience user:ana', { order: 'active' })).toHaveLength(newest.length)
  })

  it('answers as the protocol has it', async () => {
    const { count, list } = await search(reader, 'coast')
    expect(count).toBe(1)
    expect(list[0]).toMatchObject({
      object_type: 'experience',
      object: {
        id: train,
        experience_id: train,
        url_title: 'night-train-to-the-coast',
        answer_count: 1,
        user_info: { username: 'ana' },
        tags: [{ slug_name: 'travel' }],
        status: 'available',
      },
    })
    expect((await search(reader, 'dining')).list[0]).toMatchObject({
      object_type: 'answer',
      object: { id: answer, experience_id: train, title: 'Night train to the coast' },
    })
    expect((await reader.get(`${api}/search/desc`)).data).toEqual({ name: '', icon: '', link: '' })
  })

  it('gives pages with the whole count, and no more than fifty at once', async () => {
    expect(await search(reader, 'coast', { page: 2 })).toEqual({ count: 1, list: [] })
    expect((await search(reader, 'coast', { size: 1_000_000 })).count).toBe(1)
    const first = await foundIds(reader, '[cooking]', { size: 1, page: 1 })
    const second = await foundIds(reader, '[cooking]', { size: 1, page: 2 })
    expect(first).not.toEqual(second)
  })

  it('names the field of a query that is empty, too long or has an unknown order', async () => {
    const fields = async (query: Record<string, string>) => {
      const reply = await reader.get<{ error_field: string }[]>(`${api}/search`, query)
      return [reply.status, reply.data.map(({ error_field }) => error_field)]
    }
    for (const q of ['', '   ', 'q'.repeat(61)]) expect(await fields({ q })).toEqual([400, ['q']])
    expect(await fields({})).toEqual([400, ['q']])
    expect(await fields({ q: 'train', order: 'loudest' })).toEqual([400, ['order']])
  })

  it('bears every kind of punctuation', async () => {
    for (const q of ['"', '*', 'a*', '()', 'NEAR(a b)', "'; drop table x", '-- %_', '{title}: x', '😀', ':', '[]', '"" []']) {
      expect((await reader.get(`${api}/search`, { q })).status, q).toBe(200)
    }
  })

  it('never shows deleted posts, nor answers of them', async () => {
    const lost = await posted(ana, {
      title: 'A lighthouse to forget',
      content: 'The lighthouse was closed when we came.',
      tags: ['travel'],
    })
    const under = await ben.post<{ info: { id: string } }>(`${api}/answer`, {
      experience_id: lost,
      content: 'That lighthouse opens at noon.',
    })
    await site.idle()
    expect((await foundIds(reader, 'lighthouse')).sort()).toEqual([lost, under.data.info.id].sort())
    const admin = await site.admin()
    await admin.put('/answer/admin/api/experience/status', { experience_id: lost, status: 'deleted' })
    await site.idle()
    for (const person of [reader, admin]) expect(await search(person, 'lighthouse')).toEqual({ count: 0, list: [] })
  })

  it('finds a post again under its new words after an edit', async () => {
    const id = await posted(ana, { title: 'Cheese of the valley', content: 'A cheese that ripens for a year.', tags: ['cooking'] })
    await ana.put(`${api}/experience`, {
      id,
      title: 'Butter of the valley',
      content: 'A butter that melts in the sun.',
      tags: [{ slug_name: 'cooking', display_name: 'cooking', original_text: '' }],
      edit_summary: '',
    })
    await site.idle()
    expect(await foundIds(reader, 'cheese')).toEqual([])
    expect(await foundIds(reader, 'butter')).toEqual([id])
  })

  it('logs no error over all of this', () => {
    expect(site.errors).toEqual([])
  })
})
