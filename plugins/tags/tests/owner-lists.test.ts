import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTag, tagOf } from '../testing/index.ts'

const group = '/answer/admin/api/siteinfo/write'
const api = '/answer/api/v1'

describe('the tags an owner recommends or reserves', () => {
  let site: Site
  let admin: TestPerson

  beforeAll(async () => {
    site = await startSite({ plugins: ['experiences', 'tags'] })
    admin = await site.admin()
    for (const name of ['travel', 'official', 'cooking']) await createTag(admin, name)
    const { tag_id } = await tagOf(admin, 'travel')
    await admin.put(`${api}/tag/synonym`, { tag_id, synonym_tag_list: [{ slug_name: 'trips', display_name: 'trips' }] })
  })
  afterAll(() => site.close())

  const tags = (...names: string[]) => names.map((name) => ({ slug_name: name, display_name: name, original_text: '' }))
  const save = (recommend: string[], reserved: string[]) =>
    admin.put(group, { required_tag: true, recommend_tags: tags(...recommend), reserved_tags: tags(...reserved) })
  const lists = async () => {
    const { data } = await admin.get<Record<string, { slug_name: string }[]>>(group)
    return [data.recommend_tags, data.reserved_tags].map((list) => list?.map((tag) => tag.slug_name))
  }
  const marks = async (name: string) => {
    const { recommend, reserved } = (await tagOf(admin, name)) as unknown as { recommend: boolean; reserved: boolean }
    return { recommend, reserved }
  }

  it('are marked once they are saved', async () => {
    expect(await save(['travel'], ['official'])).toMatchObject({ status: 200, data: null })
    expect(await marks('travel')).toEqual({ recommend: true, reserved: false })
    expect(await marks('official')).toEqual({ recommend: false, reserved: true })
    expect(await marks('cooking')).toEqual({ recommend: false, reserved: false })
  })

  it('exist, are main tags and stand in one of the lists only', async () => {
    expect(await save(['no-such-tag'], ['official'])).toMatchObject({
      status: 400,
      reason: 'error.tag.not_found',
      data: [{ error_field: 'recommend_tags' }],
    })
    expect(await save([], ['trips'])).toMatchObject({
      status: 400,
      reason: 'error.tag.not_contain_synonym_tags',
      data: [{ error_field: 'reserved_tags' }],
    })
    expect(await save(['travel'], ['travel'])).toMatchObject({ status: 400, data: [{ error_field: 'recommend_tags' }] })
    expect(await admin.put(group, { recommend_tags: tags('official') })).toMatchObject({ status: 400 })
    expect(await lists()).toEqual([['travel'], ['official']])
  })

  it('keep their mark under a new name', async () => {
    const { tag_id } = await tagOf(admin, 'official')
    await admin.put(`${api}/tag`, { tag_id, slug_name: 'team', display_name: 'Team', original_text: '' })
    expect(await lists()).toEqual([['travel'], ['team']])
    expect(await marks('team')).toEqual({ recommend: false, reserved: true })
  })

  it('leave the lists when they are deleted or lead to another tag', async () => {
    await save(['cooking'], ['team'])
    await admin.del(`${api}/tag`, { tag_id: (await tagOf(admin, 'team')).tag_id })
    const { tag_id } = await tagOf(admin, 'travel')
    await admin.put(`${api}/tag/synonym`, { tag_id, synonym_tag_list: tags('cooking') })
    expect(await lists()).toEqual([[], []])
  })
})
