import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'

describe('what is typed into the search', () => {
  let site: Site
  let ana: TestPerson
  beforeAll(async () => {
    site = await startSite({ plugins: ['search', 'tags', 'experiences'] })
    ana = await site.member('ana')
    await site.member('anton')
    await posted(await site.admin(), { tags: ['night-train', 'antiques'] })
  })
  afterAll(() => site.close())
  const offered = async (person: TestPerson, q: string) => {
    const { status, text, data } = await person.get<{ query: string; path: string }[]>('/answer/api/v1/search/completion', { q })
    expect(status, text).toBe(200)
    return data.map(({ query, path }) => [query, path])
  }

  it('may mean a tag, by any part of its name', async () => {
    expect(await offered(site.visitor(), 'train')).toEqual([['[night-train]', '/tags/night-train']])
    expect(await offered(site.visitor(), '[night')).toEqual([['[night-train]', '/tags/night-train']])
  })

  it('may mean people, for those who are logged in', async () => {
    expect(await offered(ana, 'ant')).toEqual([
      ['[antiques]', '/tags/antiques'],
      ['user:anton', '/users/anton'],
    ])
    expect(await offered(site.visitor(), 'ant')).toEqual([['[antiques]', '/tags/antiques']])
  })

  it('is taken as it stands, whatever it is, and goes on without tags', async () => {
    for (const q of ['%', '_', "'", '[', '\\', '（', 'x'.repeat(100)]) expect(await offered(site.visitor(), q)).toEqual([])
    expect((await ana.get('/answer/api/v1/search/completion', { q: '' })).status).toBe(400)
    await site.switch('tags', false)
    expect(await offered(ana, 'ant')).toEqual([['user:anton', '/users/anton']])
    await site.switch('tags', true)
  })
})
