import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered } from '../../answers/testing/index.ts'
import { commented } from '../../comments/testing/index.ts'
import { draft, posted } from '../../experiences/testing/index.ts'
import { follow } from '../../follows/testing/index.ts'
import { openVotes, vote } from '../../votes/testing/index.ts'
import type { TestNotice } from '../testing/index.ts'
import { dotsOf, noticesOf, toldOf } from '../testing/index.ts'

const api = '/answer/api/v1'
const path = `${api}/notification`

describe('notifications', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson

  beforeAll(async () => {
    site = await startSite({ leaveOut: ['badges'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    await openVotes(site)
  })
  afterAll(async () => {
    expect(site.errors).toEqual([])
    await site.close()
  })

  const of = (person: TestPerson, post: string, query = {}) => toldOf(site, person, post, query)
  const dots = (person: TestPerson) => dotsOf(site, person)
  const clear = (person: TestPerson, type = 'inbox') => person.put(`${path}/status`, { type })
  const readAll = (person: TestPerson, type = 'inbox') => person.put(`${path}/read/state/all`, { type })
  const about = async (person: TestPerson, post: string): Promise<TestNotice[]> =>
    (await noticesOf(site, person)).filter(({ object_info }) => object_info.object_map.experience === post)

  it('tell the author of a post, and who follows it, of answers; and nobody of what they did themselves', async () => {
    const post = await posted(ana)
    await follow(cai, post)
    const answer = await answered(ben, post)
    expect(await of(ana, post)).toEqual(['answer.created ben 1'])
    expect(await of(cai, post)).toEqual(['answer.created_followed ben 1'])
    expect(await of(ben, post)).toEqual([])
    await answered(ana, post)
    expect(await of(ana, post)).toEqual(['answer.created ben 1'])
    await accept(ana, post, answer)
    expect(await of(ben, post)).toEqual(['answer.accepted ana 1'])
    expect(await of(cai, post)).toEqual(['answer.accepted_followed ana 1', 'answer.created_followed ana 2'])
  })

  it('say how many people did the same as long as nobody has read it', async () => {
    const post = await posted(ana)
    await answered(ben, post)
    await answered(cai, post)
    const [notice] = await about(ana, post)
    expect(notice).toMatchObject({ people: 2, notification_action: 'and 1 other answered your post', user_info: { username: 'cai' } })
    await ana.put(`${path}/read/state`, { id: notice?.id })
    await answered(mona, post)
    expect(await of(ana, post)).toEqual(['answer.created mona 1', 'answer.created cai 2'])
    expect((await about(ana, post)).map(({ is_read }) => is_read)).toEqual([false, true])
  })

  it('name who votes up and not who votes down, each once, however often they change their mind', async () => {
    const post = await posted(ana)
    await vote(ben, 'up', post)
    await vote(ben, 'up', post, true)
    await vote(ben, 'up', post)
    await vote(cai, 'down', post)
    expect((await of(ana, post)).sort()).toEqual(['votes.down - 1', 'votes.up ben 1'])
    expect((await of(ana, post, { inbox_type: 'votes' })).length).toBe(2)
    expect(await of(ana, post, { inbox_type: 'posts' })).toEqual([])
    expect((await about(ana, post)).find(({ kind }) => kind === 'votes.down')?.notification_action).toBe('Someone downvoted what you wrote')
  })

  it('tell of a comment once: who is answered, else who is named, else whose post it is', async () => {
    const post = await posted(ana)
    const first = await commented(ben, post)
    expect(await of(ana, post)).toEqual(['comment.created ben 1'])
    await commented(cai, post, 'I agree with @ana and @mona here', first)
    expect(await of(ben, post)).toEqual(['comment.replied cai 1'])
    expect(await of(mona, post)).toEqual(['comment.mentioned cai 1'])
    expect(await of(ana, post)).toEqual(['comment.mentioned cai 1', 'comment.created ben 1'])
    const [notice] = await about(mona, post)
    expect(notice?.object_info).toMatchObject({ object_type: 'comment', object_map: { experience: post, answer: '0' } })
    expect((await site.visitor().get(notice?.object_info.path ?? '')).status).toBe(200)
  })

  it('tell who is named in a post or an answer, of an edit only who is named newly', async () => {
    const written = draft({ content: 'With @ben we took the night train to the sea.' })
    const { data } = await ana.post<{ id: string }>(`${api}/experience`, written)
    expect(await of(ben, data.id)).toEqual(['experience.mentioned ana 1'])
    await ana.put(`${api}/experience`, { ...written, id: data.id, content: 'With @ben and @cai we took the night train to the sea.' })
    expect(await of(ben, data.id)).toEqual(['experience.mentioned ana 1'])
    expect(await of(cai, data.id)).toEqual(['experience.mentioned ana 1'])
    await answered(ben, data.id, 'I was with @cai and @ana, on that train.')
    expect((await of(cai, data.id))[0]).toBe('answer.mentioned ben 1')
    // The author is told of the answer anyway.
    expect(await of(ana, data.id)).toEqual(['answer.created ben 1'])
  })

  it('tell authors of edits, closings and deletions by others', async () => {
    const written = draft()
    const { data } = await ana.post<{ id: string }>(`${api}/experience`, written)
    await mona.put(`${api}/experience`, { ...written, id: data.id, content: 'A better text about the night train and the sea.' })
    await mona.put(`${api}/experience/status`, { id: data.id, close_type: 1, close_msg: 'https://example.org' })
    const kinds = await of(ana, data.id)
    expect(kinds).toContain('experience.edited mona 1')
    const answer = await answered(ben, await posted(ana))
    await mona.del(`${api}/answer`, { id: answer })
    await site.idle()
    const [last] = await noticesOf(site, ben)
    expect(last).toMatchObject({ kind: 'answer.deleted', user_info: { username: 'mona' }, object_info: { object_id: answer } })
  })

  it('tell who is invited, once', async () => {
    const post = await posted(ana)
    const invite = (invite_user: string[]) => ana.put(`${api}/experience/invite`, { id: post, invite_user })
    for (const names of [['ben'], [], ['ben']]) expect((await invite(names)).status).toBe(200)
    expect(await of(ben, post, { inbox_type: 'invites' })).toEqual(['invitations.invited ana 1'])
  })

  it('sum up reputation for each thing, without another dot, and forget what was taken back', async () => {
    const post = await posted(ana)
    await clear(ana, 'achievement')
    const reputation = async () =>
      (await noticesOf(site, ana, { type: 'achievement' })).filter(({ object_info }) => object_info.object_map.experience === post)
    await vote(ben, 'up', post)
    expect((await reputation()).map(({ rank }) => rank)).toEqual([10])
    expect((await dots(ana))[1]).toBe(1)
    await vote(cai, 'up', post)
    expect((await reputation()).map(({ rank }) => rank)).toEqual([20])
    expect((await dots(ana))[1]).toBe(1)
    for (const person of [ben, cai]) await vote(person, 'up', post, true)
    expect(await reputation()).toEqual([])
    expect((await dots(ana))[1]).toBe(0)
  })

  it('count until the dot is cleared, which reads nothing; reading takes one off', async () => {
    await readAll(ana)
    await clear(ana)
    const [one, other] = [await posted(ana), await posted(ana)]
    await answered(ben, one)
    await answered(ben, other)
    await answered(cai, other)
    expect((await dots(ana))[0]).toBe(2)
    const [notice] = await about(ana, one)
    expect((await ana.put(`${path}/read/state`, { id: notice?.id })).status).toBe(200)
    expect((await dots(ana))[0]).toBe(1)
    expect((await clear(ana)).data).toMatchObject({ inbox: 0 })
    expect((await about(ana, other))[0]?.is_read).toBe(false)
    // What joins a row that has been seen is new again.
    await answered(mona, other)
    expect((await dots(ana))[0]).toBe(1)
    expect((await readAll(ana)).status).toBe(200)
    expect((await dots(ana))[0]).toBe(0)
    expect((await noticesOf(site, ana)).every(({ is_read }) => is_read)).toBe(true)
  })

  it('belong to one person: nobody reads those of others', async () => {
    const post = await posted(ana)
    await answered(ben, post)
    const [notice] = await about(ana, post)
    expect((await ben.put(`${path}/read/state`, { id: notice?.id })).status).toBe(404)
    expect((await ben.put(`${path}/read/state`, { id: '999999' })).status).toBe(404)
    expect((await about(ana, post))[0]?.is_read).toBe(false)
  })

  it('name what is deleted to its author alone, and are there again when it is', async () => {
    const post = await posted(ana, { title: 'A secret that was deleted' })
    await follow(cai, post)
    const answer = await answered(ben, post)
    expect((await about(ana, post))[0]?.object_info.title).toBe('A secret that was deleted')
    await mona.del(`${api}/experience`, { id: post })
    await site.idle()
    const [neutral] = (await noticesOf(site, cai)).filter(({ kind }) => kind === 'answer.created_followed')
    expect(neutral?.object_info).toMatchObject({ title: 'Content that is no longer available', object_id: '0', path: '' })
    expect((await cai.get(`${path}/page`, { type: 'inbox', page_size: 100 })).text).not.toContain('A secret that was deleted')
    // Its author may see it, and is told.
    expect(await of(ana, post)).toEqual(['experience.deleted mona 1'])
    await mona.post(`${api}/experience/recover`, { experience_id: post })
    expect((await of(cai, post))[0]).toBe('answer.created_followed ben 1')
    expect(answer).not.toBe('')
  })

  it('tell nobody of what they may not see, nor who is suspended', async () => {
    const post = await posted(ana)
    const dora = await site.member('dora')
    for (const person of [cai, dora]) await follow(person, post)
    await mona.put(`${api}/experience/operation`, { id: post, operation: 'hide' })
    await answered(ben, post)
    for (const person of [ana, cai]) expect(await of(person, post)).toEqual([])
    await mona.put(`${api}/experience/operation`, { id: post, operation: 'show' })
    const admin = await site.admin()
    const setState = (status: string) => admin.put('/answer/admin/api/user/status', { user_id: String(dora.id), status })
    expect((await setState('suspended')).status).toBe(200)
    await answered(mona, post)
    await site.idle()
    await setState('normal')
    expect(await of(cai, post)).not.toEqual([])
    expect(await of(dora, post)).toEqual([])
  })

  it('stay readable when the plugin that sent them goes, and are as before when it is back', async () => {
    const post = await posted(ana)
    await vote(ben, 'up', post)
    await site.idle()
    await site.switch('votes', false)
    expect((await about(ana, post))[0]).toMatchObject({ notification_action: 'upvoted what you wrote', user_info: { username: 'ben' } })
    await site.switch('votes', true)
    expect((await about(ana, post))[0]).toMatchObject({ notification_action: 'upvoted what you wrote' })
  })

  it('speak the language of who reads them', async () => {
    const post = await posted(ana)
    await answered(ben, post)
    await answered(cai, post)
    await site.idle()
    const { data } = await ana.speaking('zh_CN').get<{ list: TestNotice[] }>(`${path}/page`, { type: 'inbox' })
    expect(data.list[0]?.notification_action).toBe('等 2 人回答了你的经验')
  })

  it('refuse lists that are none', async () => {
    for (const query of [{ type: 'gossip' }, {}, { type: 'inbox', inbox_type: 'gossip' }])
      expect((await ana.get(`${path}/page`, query)).status).toBe(400)
    expect((await clear(ana, 'gossip')).status).toBe(400)
  })
})
