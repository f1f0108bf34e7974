import type { Reply, Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredExperience, detailOf } from '../../answers/testing/index.ts'
import { commented } from '../../comments/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import type { Reaction } from '../shared/api.ts'

const path = '/answer/api/v1/meta/reaction'

describe('reactions', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'comments', 'reactions'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
  })
  afterAll(() => site.close())

  const give = (person: TestPerson, object_id: string, emoji = 'heart', reaction = 'activate') =>
    person.put<{ reaction_summary: Reaction[] }>(path, { object_id, emoji, reaction })
  const seen = async (person: TestPerson, object_id: string) =>
    ((await person.get(path, { object_id })) as Reply<{ reaction_summary: Reaction[] } | null>).data?.reaction_summary
  const answersOf = async (person: TestPerson, experience_id: string) =>
    (await person.get('/answer/api/v1/answer/page', { experience_id })).data.list as { id: string; beside?: { reactions: Reaction[] } }[]

  it('count one person once per emoji, however often they press', async () => {
    const post = await posted(ana)
    const once = [{ emoji: 'heart', count: 1, tooltip: 'ben', is_active: true }]
    expect((await give(ben, post)).data.reaction_summary).toEqual(once)
    await Promise.all([give(ben, post), give(ben, post), give(ben, post)])
    expect(await seen(ben, post)).toEqual(once)
  })

  it('count every person who reacts at the same moment', async () => {
    const post = await posted(ana)
    await Promise.all([give(ana, post), give(ben, post), give(cai, post)])
    expect(await seen(site.visitor(), post)).toMatchObject([{ emoji: 'heart', count: 3 }])
    await Promise.all([give(ana, post, 'heart', 'deactivate'), give(ben, post, 'heart', 'deactivate')])
    expect(await seen(cai, post)).toEqual([{ emoji: 'heart', count: 1, tooltip: 'cai', is_active: true }])
  })

  it('stand in one order, and several of one person side by side', async () => {
    const post = await posted(ana)
    for (const emoji of ['frown', 'smile', 'heart']) await give(ben, post, emoji)
    expect((await seen(ana, post))?.map(({ emoji, is_active }) => [emoji, is_active])).toEqual([
      ['heart', false],
      ['smile', false],
      ['frown', false],
    ])
  })

  it('are taken back, once, and nothing is left of the last one', async () => {
    const post = await posted(ana)
    await give(ben, post)
    expect((await give(ben, post, 'heart', 'deactivate')).data.reaction_summary).toEqual([])
    expect((await give(ben, post, 'heart', 'deactivate')).data.reaction_summary).toEqual([])
    expect((await site.visitor().get(path, { object_id: post })).data).toBeNull()
    expect((await give(ben, post)).data.reaction_summary).toMatchObject([{ count: 1 }])
  })

  it('name the first five people and count the others', async () => {
    const post = await posted(ana)
    const people = await Promise.all(['dan', 'eva', 'fay', 'gil', 'hua'].map((name) => site.member(name)))
    for (const person of [ben, cai, ...people]) await give(person, post)
    expect((await seen(cai, post))?.[0]).toEqual({ emoji: 'heart', count: 7, tooltip: 'ben, cai, dan, eva, fay +2', is_active: true })
    await give(ben, post, 'heart', 'deactivate')
    expect((await seen(ben, post))?.[0]?.tooltip).toBe('cai, dan, eva, fay, gil +1')
  })

  it('come with the post and with each answer of a page', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const page = async (person: TestPerson) => (await answersOf(person, experience)).find(({ id }) => id === answer)
    expect((await detailOf(cai, experience)).beside).not.toHaveProperty('reactions')
    expect((await page(cai))?.beside ?? {}).not.toHaveProperty('reactions')
    await give(cai, experience, 'smile')
    await give(cai, answer, 'heart')
    expect((await detailOf(ana, experience)).beside).toMatchObject({
      reactions: [{ emoji: 'smile', count: 1, tooltip: 'cai', is_active: false }],
    })
    expect((await page(cai))?.beside).toMatchObject({ reactions: [{ emoji: 'heart', count: 1, tooltip: 'cai', is_active: true }] })
  })

  it('are refused where nothing takes them', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    const remark = await commented(ben, experience)
    for (const object of ['nonsense', '10010000000009999', '10020000000009999', remark]) {
      const refused = await give(cai, object)
      expect([refused.status, refused.reason], object).toEqual([400, 'error.object.not_found'])
      expect((await site.visitor().get(path, { object_id: object })).status, object).toBe(400)
    }
    const mona = await site.moderator('mona')
    await mona.del('/answer/api/v1/answer', { id: answer })
    expect((await give(ben, answer)).status).toBe(400)
    expect((await cai.get(path, { object_id: answer })).status).toBe(400)
    await mona.del('/answer/api/v1/experience', { id: experience })
    expect((await give(ana, experience)).status).toBe(400)
    expect((await cai.get(path, { object_id: experience })).status).toBe(400)
  })

  it('name the field that is wrong, and want somebody logged in', async () => {
    const post = await posted(ana)
    expect((await give(site.visitor(), post)).status).toBe(401)
    expect((await give(ben, post, 'unicorn')).data).toMatchObject([{ error_field: 'emoji' }])
    expect((await give(ben, post, 'heart', 'toggle')).data).toMatchObject([{ error_field: 'reaction' }])
    expect((await site.visitor().get(path)).data).toMatchObject([{ error_field: 'object_id' }])
  })

  it('of somebody who is deleted with their content go with them', async () => {
    const post = await posted(ana)
    const del = await site.member('del')
    for (const person of [del, cai]) await give(person, post)
    await give(del, post, 'frown')
    const admin = await site.admin()
    const { list } = (await admin.get('/answer/admin/api/users/page', { query: 'del' })).data
    await admin.put('/answer/admin/api/user/status', { user_id: list[0].user_id, status: 'deleted', remove_all_content: true })
    expect(await seen(cai, post)).toEqual([{ emoji: 'heart', count: 1, tooltip: 'cai', is_active: true }])
  })

  it('stay while the plugin is off, and posts without them are complete', async () => {
    const post = await posted(ana)
    await give(ben, post)
    await site.switch('reactions', false)
    expect((await give(ben, post)).reason).toBe('base.route_not_found')
    expect((await detailOf(ben, post)).beside).not.toHaveProperty('reactions')
    await site.switch('reactions', true)
    expect(await seen(ben, post)).toMatchObject([{ count: 1, is_active: true }])
  })

  it('to posts work while answers are off', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    await site.switch('answers', false)
    expect((await give(cai, experience)).status).toBe(200)
    expect((await give(cai, answer)).status).toBe(400)
    await site.switch('answers', true)
    expect((await give(cai, answer)).status).toBe(200)
  })
})
