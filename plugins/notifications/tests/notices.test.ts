import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered } from '../../answers/testing/index.ts'
import { commented } from '../../comments/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'
import { follow } from '../../follows/testing/index.ts'
import { openVotes, vote } from '../../votes/testing/index.ts'

const api = '/answer/api/v1'
const path = `${api}/notification`

interface Notice {
  id: string
  user_info?: { username: string }
  object_info: { title: string; object_id: string; object_map: Record<string, string>; object_type: string; path: string }
  rank: number
  notification_action: string
  is_read: boolean
  kind: string
  people: number
}

describe('notifications', () => {
  let site: Site
  let ana: TestPerson
  let ben: TestPerson
  let cai: TestPerson
  let mona: TestPerson

  beforeAll(async () => {
    site = await startSite()
    ana = await site.member('ana')
    ben = await site.member('ben')
    cai = await site.member('cai')
    mona = await site.moderator('mona')
    await openVotes(site)
  })
  afterAll(() => site.close())

  const inbox = async (person: TestPerson, inbox_type = 'all', page_size = 100) => {
    await site.idle()
    return (await person.get<{ count: number; list: Notice[] }>(`${path}/page`, { type: 'inbox', inbox_type, page_size })).data
  }
  const achievements = async (person: TestPerson) => {
    await site.idle()
    return (await person.get<{ count: number; list: Notice[] }>(`${path}/page`, { type: 'achievement', page_size: 100 })).data.list
  }
  const status = async (person: TestPerson) => {
    await site.idle()
    return (await person.get<{ inbox: number; achievement: number }>(`${path}/status`)).data
  }
  /** Of one post, newest first: who, what. */
  const about = async (person: TestPerson, post: string) =>
    (await inbox(person)).list
      .filter(({ object_info }) => object_info.object_map.experience === post)
      .map(({ kind, user_info, people }) => `${kind} ${user_info?.username ?? '-'} ${people}`)

  it('x', async () => {
    const post = await posted(ana)
    await follow(cai, post)
    const answer = await answered(ben, post)
    await accept(ana, post, answer)
    await vote(cai, 'up', post)
    await vote(ben, 'down', post)
    await commented(cai, answer, 'Thank you @ana, this was it')
    await site.idle()
    for (const person of [ana, ben, cai, mona])
      console.log(person.name, JSON.stringify(await inbox(person), null, 1), await achievements(person), await status(person))
    expect(site.errors).toEqual([])
  })
})
