import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listed, posted } from '../../experiences/testing/index.ts'
import { createTag, tagOf } from '../testing/index.ts'

const api = '/answer/api/v1'

describe('tags as things of their own', () => {
  let site: Site
  let mona: TestPerson
  let ana: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags'] })
    mona = await site.moderator('mona')
    ana = await site.member('ana')
    for (const name of ['travel', 'trips', 'unused']) await createTag(mona, name)
  })
  afterAll(() => site.close())

  it('are created by staff, and by members when their reputation allows', async () => {
    expect((await site.visitor().post(`${api}/tag`, {})).status).toBe(401)
    expect((await createTag(ana, 'early-tag')).reason).toBe('error.rank.fail_to_meet_the_condition')
    const empty = await mona.post(`${api}/tag`, {})
    expect(new Set(empty.data.map((entry: { error_field: string }) => entry.error_field))).toEqual(
      new Set(['slug_name', 'display_name', 'original_text']),
    )
    expect((await createTag(mona, 'travel')).reason).toBe('error.tag.already_exist')
    expect((await createTag(mona, 'Travel Tips!')).status).toBe(400)
    expect((await createTag(mona, 'Travel Tips')).data).toEqual({ slug_name: 'travel-tips' })
  })

  it('are listed by use, name and age, and found by part of a name', async () => {
    await posted(ana, { tags: ['travel'] })
    const names = async (query: Record<string, string>) => {
      const { data } = await site.visitor().get(`${api}/tags/page`, { page: 1, page_size: 20, ...query })
      return data.list.map((tag: { slug_name: string }) => tag.slug_name)
    }
    expect((await names({ query_cond: 'popular' }))[0]).toBe('travel')
    expect(await names({ query_cond: 'name' })).toEqual([
      ...['family', 'health', 'learning', 'life', 'technology'],
      ...['travel', 'travel-tips', 'trips', 'unused', 'work'],
    ])
    expect(await names({ query_cond: 'name', slug_name: 'trav' })).toEqual(['travel', 'travel-tips'])
    expect((await site.visitor().get(`${api}/tags/page`, { query_cond: 'loudest' })).status).toBe(400)
    expect((await site.visitor().get(`${api}/tags/page`, { page: 99 })).status).toBe(404)
  })

  it('are suggested to who writes', async () => {
    expect((await site.visitor().get(`${api}/experience/tags`, { tag: 'tr' })).status).toBe(401)
    const { data } = await ana.get(`${api}/experience/tags`, { tag: 'TR' })
    expect(data.map((tag: { slug_name: string }) => tag.slug_name)).toEqual(['travel', 'travel-tips', 'trips'])
    const { data: inside } = await ana.get(`${api}/experience/tags`, { tag: 'ips' })
    expect(inside.map((tag: { slug_name: string }) => tag.slug_name)).toEqual(['travel-tips', 'trips'])
  })

  it('have synonyms that lead to the main tag and bring their posts along', async () => {
    const id = await posted(ana, { tags: ['trips'] })
    const { tag_id } = await tagOf(ana, 'travel')
    const set = (person: TestPerson, names: string[]) =>
      person.put(`${api}/tag/synonym`, { tag_id, synonym_tag_list: names.map((slug_name) => ({ slug_name, display_name: slug_name })) })
    expect((await set(ana, ['trips'])).status).toBe(403)
    expect((await set(mona, ['travel'])).reason).toBe('error.tag.cannot_set_synonym_as_itself')
    expect((await set(mona, ['trips', 'journeys'])).status).toBe(200)
    expect(await tagOf(ana, 'trips')).toMatchObject({ slug_name: 'travel', main_tag_slug_name: 'travel', experience_count: 2 })
    expect((await listed(ana, { tag: 'journeys' })).ids).toContain(id)
    const { data } = await ana.get(`${api}/tag/synonyms`, { tag_id })
    expect(data.synonyms.map((tag: { slug_name: string }) => tag.slug_name)).toEqual(['trips', 'journeys'])
    expect((await posted(ana, { tags: ['journeys'] })) && (await listed(ana, { tag: 'travel' })).count).toBe(3)
  })

  it('are deleted by staff while nothing uses them', async () => {
    const unused = (await tagOf(ana, 'unused')).tag_id
    expect((await mona.del(`${api}/tag`, { tag_id: (await tagOf(ana, 'travel')).tag_id })).reason).toBe('error.tag.is_used_cannot_delete')
    expect((await ana.del(`${api}/tag`, { tag_id: unused })).status).toBe(403)
    expect((await mona.del(`${api}/tag`, { tag_id: unused })).status).toBe(200)
    expect((await ana.get(`${api}/tag`, { id: unused })).reason).toBe('error.tag.not_found')
    expect((await mona.get(`${api}/tag`, { id: unused })).data.status).toBe('deleted')
    expect((await mona.post(`${api}/tag/recover`, { tag_id: unused })).status).toBe(200)
    expect((await tagOf(ana, 'unused')).status).toBe('available')
  })
})
