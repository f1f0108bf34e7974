import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answeredExperience, rankOf } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'

const path = '/answer/api/v1'

describe('reputation that people earn', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson
  let ben: TestPerson

  beforeAll(async () => {
    site = await startSite()
    admin = await site.admin()
    ana = await site.member('ana')
    ben = await site.member('ben')
  })
  afterAll(async () => {
    expect(site?.errors ?? []).toEqual([])
    await site?.close()
  })

  const level = (n: number) => admin.put('/answer/admin/api/setting/privileges', { level: n })
  const gains = async (of: TestPerson, by = site.visitor()) =>
    (await by.get<{ count: number; list: Record<string, unknown>[] }>(`${path}/personal/rank/page`, { username: of.name })).data

  it('is listed with what brought it, to everybody; of what is unlisted to its author alone', async () => {
    await level(1)
    const { experience, answer } = await answeredExperience(ana, ben)
    await ben.post(`${path}/vote/up`, { object_id: experience })
    await accept(ana, experience, answer)
    expect(await gains(ana)).toMatchObject({
      count: 2,
      list: [
        { object_id: answer, answer_id: answer, experience_id: experience, object_type: 'answer', reputation: 2 },
        { object_id: experience, answer_id: '', object_type: 'experience', reputation: 10, rank_type: 'Experience voted up' },
      ],
    })
    await admin.put(`${path}/experience/operation`, { id: experience, operation: 'hide' })
    expect(await gains(ana)).toEqual({ count: 0, list: [] })
    expect((await gains(ana, ana)).list).toHaveLength(2)
    expect((await ana.get<{ count: number }>(`${path}/personal/rank/page`)).data.count).toBe(2)
    expect((await site.visitor().get(`${path}/personal/rank/page`, { username: 'nobody' })).reason).toBe('error.user.not_found')
  })

  it('is counted as it is listed: pages are full, and what is unlisted is counted for its author and staff alone', async () => {
    await level(1)
    const gil = await site.member('gil')
    const posts: string[] = []
    for (let i = 0; i < 5; i++) {
      posts.push(await posted(gil))
      await ben.post(`${path}/vote/up`, { object_id: posts[i] })
      site.advance(1)
    }
    for (const id of [posts[4], posts[2]]) await admin.put(`${path}/experience/operation`, { id, operation: 'hide' })
    const pagesFor = async (reader: TestPerson) => {
      const pages = []
      for (const page of [1, 2, 3]) {
        const { count, list } = (await reader.get(`${path}/personal/rank/page`, { username: 'gil', page, page_size: 2 })).data
        pages.push({ count, ids: list.map((item: { object_id: string }) => item.object_id) })
      }
      return pages
    }
    expect(await pagesFor(site.visitor())).toEqual([
      { count: 3, ids: [posts[3], posts[1]] },
      { count: 3, ids: [posts[0]] },
      { count: 3, ids: [] },
    ])
    for (const reader of [gil, admin]) {
      expect(await pagesFor(reader)).toEqual([
        { count: 5, ids: [posts[4], posts[3]] },
        { count: 5, ids: [posts[2], posts[1]] },
        { count: 5, ids: [posts[0]] },
      ])
    }
  })

  it('goes with a deleted post and comes back with it, also in the list', async () => {
    const dan = await site.member('dan')
    const post = await posted(dan)
    await ben.post(`${path}/vote/up`, { object_id: post })
    expect([await rankOf(site, dan), (await gains(dan)).count]).toEqual([11, 1])
    await dan.del(`${path}/experience`, { id: post })
    expect([await rankOf(site, dan), (await gains(dan)).count]).toEqual([1, 0])
    await dan.post(`${path}/experience/recover`, { experience_id: post })
    expect([await rankOf(site, dan), (await gains(dan)).count]).toEqual([11, 1])
    await ben.post(`${path}/vote/up`, { object_id: post, is_cancel: true })
    expect([await rankOf(site, dan), (await gains(dan)).count]).toEqual([1, 0])
  })

  it('is named where there is too little of it, with what is needed and what there is', async () => {
    await level(2)
    const eva = await site.member('eva')
    const post = await posted(ana)
    const refused = await eva.post(`${path}/vote/up`, { object_id: post })
    expect([refused.status, refused.msg]).toEqual([403, 'Voting like this needs a reputation of 8; you have 1.'])
    const { data } = await eva.get(`${path}/permission`, { action: 'tag.edit,experience.delete' })
    expect(data).toEqual({
      'tag.edit': { has_permission: false, no_permission_tip: 'This needs a reputation of 50; you have 1.' },
      'experience.delete': { has_permission: false, no_permission_tip: 'Only moderators and admins may do this.' },
    })
  })

  it('says what comes next, by what is needed', async () => {
    await level(2)
    const eva = await site.member('eva')
    const { data } = await eva.get<{ rank: number; list: { key: string; label: string; needed: number; allowed: boolean }[] }>(
      `${path}/permission/own`,
    )
    expect(data.rank).toBe(1)
    expect(data.list.map(({ needed }) => needed)).toEqual(data.list.map(({ needed }) => needed).sort((one, other) => one - other))
    expect(data.list.find(({ key }) => key === 'experience.vote_up')).toMatchObject({ needed: 8, allowed: false })
    expect(data.list.find(({ key }) => key === 'comment.add')).toMatchObject({ needed: 1, allowed: true })
    for (const { label } of data.list) expect(label).not.toMatch(/^permission\./)
    expect((await site.visitor().get(`${path}/permission/own`)).status).toBe(401)
  })

  it('adds up, and only admins are shown whose does not', async () => {
    expect((await admin.post('/answer/admin/api/reputation/correct')).status).toBe(200)
    expect((await admin.get('/answer/admin/api/reputation/check')).data).toEqual({ count: 0, list: [] })
    for (const person of [ana, await site.moderator('mona')]) {
      expect((await person.get('/answer/admin/api/reputation/check')).status).toBe(403)
      expect((await person.post('/answer/admin/api/reputation/correct')).status).toBe(403)
    }
  })
})
