import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { openVotes, vote } from '../../votes/testing/index.ts'
import { listed, posted } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('the public lists', () => {
  let site: Site
  let admin: TestPerson
  let visitor: TestPerson
  let ids: string[]

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags'] })
    admin = await site.admin()
    visitor = site.visitor()
    ids = []
    for (let at = 0; at < 5; at += 1) {
      ids.push(await posted(admin))
      site.advance(60)
    }
  })
  afterAll(() => site.close())

  const operate = (id: string | undefined, operation: string) => admin.put(`${api}/experience/operation`, { id, operation })

  it('show the newest first, page by page, with the number of all', async () => {
    expect(await listed(visitor, { page_size: 2 })).toEqual({ count: 5, ids: [ids[4], ids[3]] })
    expect(await listed(visitor, { page: 3, page_size: 2 })).toEqual({ count: 5, ids: [ids[0]] })
  })

  it('answer in every order of the protocol, and refuse others', async () => {
    for (const order of ['newest', 'active', 'hot', 'score', 'unanswered', 'frequent', 'recommend']) {
      expect((await listed(visitor, { order })).count, order).toBe(5)
    }
    const reply = await visitor.get(`${api}/experience/page`, { order: 'loudest' })
    expect([reply.status, reply.data[0].error_field]).toEqual([400, 'order'])
  })

  it('put pinned posts first in every order', async () => {
    await operate(ids[1], 'pin')
    for (const order of ['newest', 'active', 'hot', 'score', 'unanswered', 'frequent']) {
      expect((await listed(visitor, { order, page_size: 2 })).ids[0], order).toBe(ids[1])
    }
    await operate(ids[1], 'unpin')
    expect((await listed(visitor)).ids[0]).toBe(ids[4])
  })

  it('leave unlisted posts out, though their address opens', async () => {
    await operate(ids[2], 'hide')
    const { count, ids: shown } = await listed(visitor)
    expect([count, shown.includes(ids[2] as string)]).toEqual([4, false])
    expect((await visitor.get(`${api}/experience/info`, { id: ids[2] })).status).toBe(200)
    await operate(ids[2], 'show')
    expect((await listed(visitor)).count).toBe(5)
  })

  it('count a window as it is, also after a write', async () => {
    expect((await listed(visitor, { order: 'hot', in_days: 7 })).count).toBe(5)
    const another = await posted(admin)
    expect((await listed(visitor, { order: 'hot', in_days: 7 })).count).toBe(6)
    await admin.del(`${api}/experience`, { id: another })
    expect((await listed(visitor, { order: 'hot', in_days: 7 })).count).toBe(5)
  })

  it('cap the size of a page and end with a 404', async () => {
    expect((await visitor.get(`${api}/experience/page`, { page_size: 1_000_000 })).status).toBe(200)
    const reply = await visitor.get(`${api}/experience/page`, { page: 99 })
    expect([reply.status, reply.reason]).toEqual([404, 'base.request_format_error'])
  })

  it('narrow by tag and by person', async () => {
    const other = await posted(admin, { tags: ['cooking'] })
    expect(await listed(visitor, { tag: 'cooking' })).toEqual({ count: 1, ids: [other] })
    expect(await listed(visitor, { tag: 'nobody-uses-this' })).toEqual({ count: 0, ids: [] })
    expect(await listed(visitor, { username: 'nobody' })).toEqual({ count: 0, ids: [] })
  })

  it('have nothing hot once a week went by without posts', async () => {
    site.advance(8 * 86_400)
    expect(await listed(visitor, { order: 'hot', in_days: 7 })).toEqual({ count: 0, ids: [] })
    expect((await listed(visitor)).count).toBeGreaterThan(0)
  })
})

describe('the hottest posts', () => {
  let site: Site
  afterAll(() => site?.close())

  it('cool down: what was worth twice as much two days ago stands behind, in lists of a tag too', async () => {
    site = await startSite({ plugins: ['experiences', 'answers', 'votes', 'tags'] })
    const visitor = site.visitor()
    const [ana, ben, cai, dan] = [await site.member('ana'), await site.member('ben'), await site.member('cai'), await site.member('dan')]
    await openVotes(site)
    const worth = async (voters: TestPerson[]) => {
      const id = await posted(ana, { tags: ['trains'] })
      await answered(ben, id)
      for (const voter of voters) expect((await vote(voter, 'up', id)).data.votes).toBeGreaterThan(0)
      return id
    }
    const cold = await worth([])
    const old = await worth([cai, dan])
    site.advance(60)
    const hottest = async () => [
      (await listed(visitor, { order: 'hot' })).ids,
      (await listed(visitor, { order: 'hot', tag: 'trains' })).ids,
    ]
    expect(await hottest()).toEqual([
      [old, cold],
      [old, cold],
    ])
    site.advance(2 * 86_400)
    const fresh = await worth([cai])
    await expect.poll(hottest).toEqual([
      [fresh, old, cold],
      [fresh, old, cold],
    ])
  })
})
