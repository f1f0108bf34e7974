import type { Site } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

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
