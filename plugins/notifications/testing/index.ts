import type { Site, TestPerson } from '@stoa/sdk/testing'

const path = '/answer/api/v1/notification'

export interface TestNotice {
  id: string
  user_info?: { username: string; display_name: string }
  object_info: { title: string; object_id: string; object_map: Record<string, string>; object_type: string; path: string }
  rank: number
  notification_action: string
  is_read: boolean
  kind: string
  people: number
}

/** A list of somebody once everything has been told, newest first. */
export async function noticesOf(site: Site, person: TestPerson, query: Record<string, string | number> = {}): Promise<TestNotice[]> {
  await site.idle()
  const reply = await person.get<{ count: number; list: TestNotice[] }>(`${path}/page`, { type: 'inbox', page_size: 100, ...query })
  if (reply.status !== 200) throw new Error(`${person.name} could not list notifications: ${reply.status} ${reply.text}`)
  return reply.data.list
}

/** Of one post, newest first: kind, who did it last (`-` for nobody), how many did. */
export async function toldOf(site: Site, person: TestPerson, post: string, query: Record<string, string | number> = {}): Promise<string[]> {
  const all = await noticesOf(site, person, query)
  return all
    .filter(({ object_info }) => object_info.object_map.experience === post)
    .map(({ kind, user_info, people }) => `${kind} ${user_info?.username ?? '-'} ${people}`)
}

/** The red dots once everything has been told: inbox and achievements. */
export async function dotsOf(site: Site, person: TestPerson): Promise<[inbox: number, achievement: number]> {
  await site.idle()
  const { data } = await person.get<{ inbox: number; achievement: number }>(`${path}/status`)
  return [data.inbox, data.achievement]
}
