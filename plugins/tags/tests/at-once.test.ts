import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft, listed, post, posted } from '../../experiences/testing/index.ts'
import { createTag, tagOf } from '../testing/index.ts'

const fifty = Array.from({ length: 50 }, (_, index) => index)

describe('one new tag, made by many at once', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ plugins: ['tags', 'experiences', 'locale-en-us'] })
  })
  afterAll(() => site.close())

  it('is made once; the others are told that it is there', async () => {
    const admin = await site.admin()
    const tag = { slug_name: 'harbour', display_name: 'Harbour', original_text: 'Where boats rest.' }
    const replies = await Promise.all(fifty.map(() => admin.post('/answer/api/v1/tag', tag)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const refused = new Set(replies.filter(({ status }) => status !== 200).map(({ reason }) => reason))
    expect(refused).toEqual(new Set(['error.tag.already_exist']))
    expect(site.errors).toEqual([])
  })

  it('is the same tag at every post that brings it along', async () => {
    const admin = await site.admin()
    const replies = await Promise.all(
      fifty.slice(0, 10).map((index) =>
        admin.post('/answer/api/v1/experience', {
          title: `A walk along the quay, part ${index}`,
          content: 'Early in the morning, before the boats go out.',
          tags: [{ slug_name: 'quay' }],
        }),
      ),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await admin.get('/answer/api/v1/tag', { name: 'quay' })).data).toMatchObject({ experience_count: 10 })
    expect(site.errors).toEqual([])
  })
})

describe('a tag that two people change at once', () => {
  let site: Site
  beforeAll(async () => {
    site = await startSite({ plugins: ['tags', 'experiences', 'history', 'locale-en-us'] })
  })
  afterAll(() => site.close())

  /** Ids of new tags. */
  const made = async (names: string[]): Promise<string[]> => {
    const admin = await site.admin()
    const ids: string[] = []
    for (const name of names) {
      await createTag(admin, name)
      ids.push((await tagOf(admin, name)).tag_id)
    }
    return ids
  }
  const numbered = (name: string) => fifty.slice(0, 10).map((index) => `${name}-${index}`)

  it('becomes a synonym of the one that was to become its own, or the other way round', async () => {
    const [admin, mona] = [await site.admin(), await site.moderator('mona')]
    const pairs = numbered('left').map((left, index) => [left, `right-${index}`] as const)
    const ids = new Map<string, string>()
    for (const pair of pairs) for (const [index, id] of (await made([...pair])).entries()) ids.set(pair[index] as string, id)
    const lead = (person: typeof mona, synonym: string, main: string) =>
      person.put('/answer/api/v1/tag/synonym', { tag_id: ids.get(main), synonym_tag_list: [{ slug_name: synonym, display_name: synonym }] })
    await Promise.all(
      pairs.map(async ([left, right]) => {
        const replies = await Promise.all([lead(admin, left, right), lead(mona, right, left)])
        expect(replies.map(({ status }) => status).sort(), left).toEqual([200, 400])
        expect(replies.find(({ status }) => status === 400)?.reason).toBe('error.tag.cannot_update')
        const main = replies[0].status === 200 ? right : left
        for (const name of [left, right])
          expect(await tagOf(admin, name), name).toMatchObject({ slug_name: main, main_tag_slug_name: name === main ? '' : main })
      }),
    )
    expect(site.errors).toEqual([])
  })

  it('is deleted or on the post that somebody is writing, not both', async () => {
    const [mona, ana] = [await site.moderator('mona'), await site.member('ana')]
    const names = numbered('pier')
    const ids = await made(names)
    /** Some requests later, so that it comes before the post, in the middle of it and after it. */
    const remove = async (name: string, later: number) => {
      for (let asked = 0; asked < later; asked++) await tagOf(mona, name)
      return mona.del('/answer/api/v1/tag', { tag_id: ids[later] as string })
    }
    const outcomes = await Promise.all(
      names.map(async (name, index) => {
        const [written, removed] = await Promise.all([post(ana, { tags: [name] }), remove(name, index)])
        if (written.status === 200) {
          expect(removed.reason, name).toBe('error.tag.is_used_cannot_delete')
          expect(written.data.tags, name).toMatchObject([{ slug_name: name }])
        } else expect(written.data, name).toMatchObject([{ error_field: 'tags' }])
        return [written.status, removed.status].sort()
      }),
    )
    expect(new Set(outcomes.map(String))).toEqual(new Set(['200,400']))
    expect(site.errors).toEqual([])
  })

  it('counts the posts that are listed with it, whoever edits one that staff delete or unlist', async () => {
    const [mona, ana] = [await site.moderator('mira'), await site.member('ada')]
    await made(['buoy'])
    const path = '/answer/api/v1/experience'
    const outcomes = await Promise.all(
      numbered('post').map(async (name, index) => {
        const id = await posted(ana, { tags: ['buoy'] })
        const edit = ana.put(path, { ...draft({ content: `All there is to say of ${name}.`, tags: ['buoy'] }), id })
        const act = index % 2 === 0 ? mona.del(path, { id }) : mona.put(`${path}/operation`, { id, operation: 'hide' })
        return (await Promise.all([edit, act])).map(({ status }) => status)
      }),
    )
    expect(new Set(outcomes.map(([, acted]) => acted))).toEqual(new Set([200]))
    expect((await listed(site.visitor(), { tag: 'buoy' })).count).toBe(0)
    expect(await tagOf(site.visitor(), 'buoy')).toMatchObject({ experience_count: 0 })
    expect(site.errors).toEqual([])
  })

  it('is brought back once, or deleted once, as its history has it', async () => {
    const admin = await site.admin()
    const [tag_id] = await made(['jetty'])
    const said = (replies: { status: number }[]) => new Set(replies.map(({ status }) => status))
    expect(said(await Promise.all(numbered('x').map(() => admin.del('/answer/api/v1/tag', { tag_id: tag_id as string }))))).toEqual(
      new Set([200]),
    )
    expect(said(await Promise.all(numbered('x').map(() => admin.post('/answer/api/v1/tag/recover', { tag_id }))))).toEqual(new Set([200]))
    const { data } = await admin.get<{ timeline: { activity_type: string }[] }>('/answer/api/v1/activity/timeline', {
      object_id: tag_id as string,
      object_type: 'tag',
    })
    const acts = data.timeline.map(({ activity_type }) => activity_type)
    expect(acts.filter((act) => act.endsWith('deleted')).sort()).toEqual(['deleted', 'undeleted'])
  })
})
