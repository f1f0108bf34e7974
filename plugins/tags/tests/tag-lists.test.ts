import { join } from 'node:path'
import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import SQLite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answered } from '../../answers/testing/index.ts'
import { draft, listed, posted } from '../../experiences/testing/index.ts'
import { openVotes, vote } from '../../votes/testing/index.ts'
import { createTag, tagOf } from '../testing/index.ts'

const api = '/answer/api/v1'
const orders = ['newest', 'active', 'hot', 'score', 'unanswered', 'frequent']

/** Lists keep the order of each tag beside that of all posts: the two must never differ. */
describe('the list of a tag', () => {
  let site: Site
  let admin: TestPerson
  let ana: TestPerson
  let ben: TestPerson
  let ids: string[]
  let last: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags', 'answers', 'votes'] })
    await openVotes(site)
    admin = await site.admin()
    ana = await site.member('ana')
    ben = await site.member('ben')
    for (const name of ['alps', 'trips']) await createTag(admin, name)
    ids = []
    for (let at = 0; at < 8; at += 1) {
      ids.push(await posted(at % 2 === 0 ? ana : ben, { tags: at % 3 === 0 ? ['trips'] : ['alps', 'travel'] }))
      site.advance(60)
    }
  })
  afterAll(() => site.close())

  const at = (index: number) => ids[index] as string
  const operate = (id: string, operation: string) => admin.put(`${api}/experience/operation`, { id, operation })

  /** In every order, what the list of all shows of this tag. */
  async function isTheListOfAll(tag: string, query: Record<string, string | number> = {}): Promise<string[]> {
    let newest: string[] = []
    for (const order of orders) {
      const { data } = await admin.get(`${api}/experience/page`, { page: 1, page_size: 50, order, ...query })
      const tagged = (data.list as { id: string; tags: { slug_name: string }[] }[]).filter((item) =>
        item.tags.some(({ slug_name }) => slug_name === tag),
      )
      const wanted = tagged.map(({ id }) => id)
      expect(await listed(admin, { order, tag, page_size: 50, ...query }), `${tag} in the order ${order}`).toEqual({
        count: wanted.length,
        ids: wanted,
      })
      if (order === 'newest') newest = wanted
    }
    return newest
  }

  it('has what is related to a post: the hottest others with the same first tag', async () => {
    const related = async (experience_id: string) =>
      (await ana.get<{ count: number; list: { id: string }[] | null }>(`${api}/experience/similar/tag`, { experience_id })).data
    const { count, list } = await related(at(1))
    expect(count).toBe(4)
    expect(list?.map(({ id }) => id).sort()).toEqual([at(2), at(4), at(5), at(7)].sort())
    expect((await related(at(0))).list?.map(({ id }) => id).sort()).toEqual([at(3), at(6)].sort())
    const alone = await posted(ana, { tags: ['skiing'] })
    expect(await related(alone)).toEqual({ count: 0, list: null })
    await ana.del(`${api}/experience`, { id: alone })
  })

  it('has its posts in every order of the list of all, page by page', async () => {
    expect(await isTheListOfAll('alps')).toEqual([at(7), at(5), at(4), at(2), at(1)])
    expect(await isTheListOfAll('trips')).toEqual([at(6), at(3), at(0)])
    expect(await listed(admin, { tag: 'alps', page: 2, page_size: 2 })).toEqual({ count: 5, ids: [at(4), at(2)] })
    expect((await admin.get(`${api}/experience/page`, { tag: 'alps', page: 4, page_size: 2 })).status).toBe(404)
  })

  it('follows votes and answers', async () => {
    await vote(admin, 'up', at(2))
    await vote(ben, 'up', at(2))
    await vote(ben, 'up', at(4))
    await vote(ana, 'down', at(7))
    site.advance(60)
    await answered(admin, at(1))
    await isTheListOfAll('alps')
    expect((await listed(admin, { tag: 'alps', order: 'score' })).ids.slice(0, 2)).toEqual([at(2), at(4)])
    expect((await listed(admin, { tag: 'alps', order: 'active' })).ids[0]).toBe(at(1))
    expect((await listed(admin, { tag: 'alps', order: 'unanswered' })).ids).not.toContain(at(1))
  })

  it('follows links between posts', async () => {
    last = await posted(ana, { tags: ['trips'], content: `See ${site.url}/experiences/${at(5)} before you go.` })
    await isTheListOfAll('alps')
    expect((await listed(admin, { tag: 'alps', order: 'frequent' })).ids[0]).toBe(at(5))
  })

  it('follows what staff do with posts', async () => {
    await operate(at(4), 'pin')
    expect((await isTheListOfAll('alps'))[0]).toBe(at(4))
    await operate(at(5), 'hide')
    expect(await isTheListOfAll('alps')).not.toContain(at(5))
    await admin.del(`${api}/experience`, { id: at(7) })
    expect(await isTheListOfAll('alps')).not.toContain(at(7))
    await operate(at(5), 'show')
    await operate(at(4), 'unpin')
    expect(await isTheListOfAll('alps')).toEqual([at(5), at(4), at(2), at(1)])
  })

  it('follows an author who takes other tags', async () => {
    const reply = await ana.put(`${api}/experience`, { ...draft({ tags: ['trips'] }), id: at(2) })
    expect(reply.status).toBe(200)
    expect(await isTheListOfAll('alps')).not.toContain(at(2))
    expect(await isTheListOfAll('trips')).toContain(at(2))
  })

  it('takes the posts of a new synonym', async () => {
    const before = [...(await listed(admin, { tag: 'alps' })).ids, ...(await listed(admin, { tag: 'trips' })).ids]
    const { tag_id } = await tagOf(admin, 'alps')
    const names = { tag_id, synonym_tag_list: [{ slug_name: 'trips', display_name: 'trips' }] }
    expect((await admin.put(`${api}/tag/synonym`, names)).status).toBe(200)
    expect((await isTheListOfAll('alps')).toSorted()).toEqual(before.toSorted())
    expect((await listed(admin, { tag: 'trips' })).ids.toSorted()).toEqual(before.toSorted())
  })

  it('is right after the plugin was off while posts changed', async () => {
    await site.switch('tags', false)
    await vote(ben, 'up', at(1), true)
    await vote(admin, 'up', at(6))
    await operate(at(5), 'hide')
    await site.switch('tags', true)
    await site.idle()
    await isTheListOfAll('alps')
  })

  it('cools down by the hour', async () => {
    const hot = async (writer: TestPerson, voters: TestPerson[]) => {
      const id = await posted(writer, { tags: ['alps'] })
      await answered(admin, id)
      for (const voter of voters) await vote(voter, 'up', id)
      return id
    }
    const before = await hot(ana, [admin, ben])
    expect((await listed(admin, { tag: 'alps', order: 'hot' })).ids[0]).toBe(before)
    site.advance(30 * 3600)
    const after = await hot(ben, [ana])
    await expect.poll(async () => (await listed(admin, { tag: 'alps', order: 'hot' })).ids[0], { timeout: 30_000 }).toBe(after)
    await site.idle()
    await isTheListOfAll('alps')
  })

  it('can be narrowed to a person and to a window of days as well', async () => {
    expect((await listed(admin, { tag: 'alps', username: 'ana' })).ids).toEqual(expect.arrayContaining([last, at(6), at(4), at(2), at(0)]))
    await isTheListOfAll('alps', { in_days: 7 })
    site.advance(8 * 86_400)
    expect(await listed(admin, { tag: 'alps', in_days: 7 })).toEqual({ count: 0, ids: [] })
    await isTheListOfAll('alps')
  })

  it('is filled on a site that had tags before lists knew them', async ({ skip }) => {
    skip(
      process.env.STOA_TEST_DATABASE === 'postgres',
      'a site from before is made by writing past the site, which only a file lets a test do',
    )
    const file = new SQLite(join(site.dataDir, 'stoa.db'))
    file.exec('delete from experiences__group; insert into tags__ungrouped select distinct experience_id from tags__relation')
    file.close()
    await site.restart()
    await site.idle()
    admin = await site.admin()
    expect((await isTheListOfAll('alps')).length).toBeGreaterThan(3)
  })
})
