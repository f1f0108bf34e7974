import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answeredExperience, detailOf } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { createTag, tagOf } from '../../tags/testing/index.ts'
import { follow, followedTags, followTags } from '../testing/index.ts'

describe('following', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'tags', 'follows'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    for (const slug of ['travel', 'cooking', 'gardens', 'trips']) await createTag(mona, slug)
  })
  afterAll(() => site.close())

  it('counts a person once, however often they press', async () => {
    const post = await posted(ana)
    expect((await follow(ben, post)).data).toEqual({ follows: 1, is_followed: true })
    expect((await follow(ben, post)).data).toEqual({ follows: 1, is_followed: true })
    await Promise.all([follow(cai, post), follow(cai, post), follow(cai, post)])
    expect(await detailOf(cai, post)).toMatchObject({ follow_count: 2, is_followed: true })
    expect(await detailOf(ana, post)).toMatchObject({ follow_count: 2, is_followed: false })
    expect(await detailOf(site.visitor(), post)).toMatchObject({ follow_count: 2, is_followed: false })
  })

  it('ends when it is taken back, and taking it back twice changes nothing', async () => {
    const post = await posted(ana)
    await follow(ben, post)
    expect((await follow(ben, post, true)).data).toEqual({ follows: 0, is_followed: false })
    expect((await follow(ben, post, true)).data).toEqual({ follows: 0, is_followed: false })
    expect(await detailOf(ben, post)).toMatchObject({ follow_count: 0, is_followed: false })
  })

  it('does not begin by writing or answering', async () => {
    const { experience } = await answeredExperience(ana, ben)
    expect(await detailOf(ana, experience)).toMatchObject({ follow_count: 0, is_followed: false })
    expect(await detailOf(ben, experience)).toMatchObject({ follow_count: 0, is_followed: false })
  })

  it('needs a member, and an object that can be followed', async () => {
    const { experience, answer } = await answeredExperience(ana, ben)
    expect((await follow(site.visitor(), experience)).status).toBe(401)
    expect((await follow(ben, answer)).reason).toBe('error.object.not_found')
    for (const id of ['10010000000009999', '10030000000009999', 'nonsense', '-1']) {
      expect((await follow(ben, id)).reason).toBe('error.object.not_found')
      expect((await follow(ben, id, true)).reason).toBe('error.object.not_found')
    }
  })

  it('is refused for a deleted post, which its followers can still let go', async () => {
    const post = await posted(ana)
    await follow(ben, post)
    await ana.del('/answer/api/v1/experience', { id: post })
    expect((await follow(cai, post)).reason).toBe('error.object.not_found')
    expect((await follow(ben, post, true)).data).toEqual({ follows: 0, is_followed: false })
    expect((await follow(ben, post, true)).reason).toBe('error.object.not_found')
  })

  it('of a tag is shown at the tag and in the list of followed tags, by name', async () => {
    await follow(ben, (await tagOf(ben, 'travel')).tag_id)
    await follow(ben, (await tagOf(ben, 'cooking')).tag_id)
    expect(await tagOf(ben, 'travel')).toMatchObject({ follow_count: 1, is_follower: true })
    expect(await tagOf(ana, 'travel')).toMatchObject({ follow_count: 1, is_follower: false })
    expect(await followedTags(ben)).toEqual(['cooking', 'travel'])
    expect(await followedTags(site.visitor())).toEqual([])
    const { data } = await ben.get('/answer/api/v1/tags/page', { page: 1, page_size: 20 })
    const following = data.list.filter((tag: { is_follower: boolean }) => tag.is_follower)
    expect(following.map((tag: { slug_name: string }) => tag.slug_name).sort()).toEqual(['cooking', 'travel'])
  })

  it('of tags by name replaces the whole set, or nothing when a name is unknown', async () => {
    expect((await followTags(cai, 'travel', 'gardens', 'travel')).status).toBe(200)
    expect(await followedTags(cai)).toEqual(['gardens', 'travel'])
    const refused = await followTags(cai, 'cooking', 'no-such-tag')
    expect(refused.status).toBe(400)
    expect(refused.data).toMatchObject([{ error_field: 'slug_name_list' }])
    expect(await followedTags(cai)).toEqual(['gardens', 'travel'])
    await followTags(cai, 'cooking')
    expect(await followedTags(cai)).toEqual(['cooking'])
    expect(await tagOf(cai, 'gardens')).toMatchObject({ follow_count: 0, is_follower: false })
    await followTags(cai)
    expect(await followedTags(cai)).toEqual([])
    expect((await followTags(site.visitor(), 'travel')).status).toBe(401)
    expect((await followTags(cai, ...Array.from({ length: 201 }, (_, n) => `tag-${n}`))).status).toBe(400)
  })

  it('of a tag that becomes a synonym goes on at its main tag, each person once', async () => {
    await followTags(ana, 'trips', 'travel')
    await followTags(cai, 'trips')
    const before = (await tagOf(ana, 'travel')) as unknown as { follow_count: number; tag_id: string }
    await mona.put('/answer/api/v1/tag/synonym', { tag_id: before.tag_id, synonym_tag_list: [{ slug_name: 'trips' }] })
    expect(await followedTags(cai)).toEqual(['travel'])
    expect(await followedTags(ana)).toEqual(['travel'])
    expect(await tagOf(ana, 'travel')).toMatchObject({ follow_count: before.follow_count + 1, is_follower: true })
    await followTags(cai, 'trips')
    expect(await followedTags(cai)).toEqual(['travel'])
  })

  it('is counted in the profile', async () => {
    const dan = await site.member('dan')
    const post = await posted(ana)
    await follow(dan, post)
    await followTags(dan, 'travel', 'cooking')
    const own = async () => (await dan.get('/answer/api/v1/user/info')).data.follow_count
    expect(await own()).toBe(3)
    await follow(dan, post, true)
    expect(await own()).toBe(2)
  })

  it('ends with an account whose content is removed', async () => {
    const eve = await site.member('eve')
    const post = await posted(ana)
    await follow(eve, post)
    await followTags(eve, 'gardens')
    const admin = await site.admin()
    await admin.put('/answer/admin/api/user/status', { user_id: String(eve.id), status: 'deleted', remove_all_content: true })
    expect((await detailOf(ana, post)).follow_count).toBe(0)
    expect(await tagOf(ana, 'gardens')).toMatchObject({ follow_count: 0 })
  })

  it('leaves its numbers where they are while it is off, and goes on afterwards', async () => {
    const post = await posted(ana)
    await follow(ben, post)
    await site.switch('follows', false)
    try {
      expect(await detailOf(ben, post)).toMatchObject({ follow_count: 1, is_followed: false })
      expect(await followedTags(ben)).toEqual([])
      expect((await follow(ben, post)).reason).toBe('base.route_not_found')
      expect((await followTags(ben, 'travel')).reason).toBe('base.route_not_found')
    } finally {
      await site.switch('follows', true)
    }
    expect(await detailOf(ben, post)).toMatchObject({ follow_count: 1, is_followed: true })
  })

  it('stays while tags are off', async () => {
    await followTags(ben, 'travel')
    await site.switch('tags', false)
    try {
      expect((await followTags(ben, 'cooking')).status).toBe(400)
    } finally {
      await site.switch('tags', true)
    }
    expect(await followedTags(ben)).toEqual(['travel'])
  })
})
