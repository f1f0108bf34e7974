import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { posted } from '../../experiences/testing/index.ts'

describe('a link that somebody shared', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let post: string

  beforeAll(async () => {
    site = await startSite({ plugins: ['answers', 'share'] })
    ana = await site.member('ana')
    ben = await site.member('ben')
    post = await posted(ana)
  })
  afterAll(() => site.close())

  const opened = (person: TestPerson, id: string, username: string) => person.post('/answer/api/v1/share/opened', { id, username })

  it('is noted for members and visitors alike', async () => {
    expect((await opened(ben, post, 'ana')).status).toBe(200)
    expect((await opened(site.visitor(), post, 'ana')).status).toBe(200)
  })

  it('tells nobody whether a name or a post exists', async () => {
    for (const [id, name] of [
      [post, 'nobody'],
      ['nonsense', 'ana'],
      ['10010000000009999', 'ana'],
    ] as const) {
      const reply = await opened(ben, id, name)
      expect([reply.status, reply.data]).toEqual([200, null])
    }
    expect((await ben.post('/answer/api/v1/share/opened', {})).status).toBe(400)
  })
})
