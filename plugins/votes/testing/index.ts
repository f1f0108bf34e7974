import type { Reply, Site, TestPerson } from '@stoa/sdk/testing'

export interface Tally {
  up_votes: number
  down_votes: number
  votes: number
  vote_status: string
}

export function vote(person: TestPerson, direction: 'up' | 'down', object: string, isCancel = false): Promise<Reply<Tally>> {
  return person.post<Tally>(`/answer/api/v1/vote/${direction}`, { object_id: object, is_cancel: isCancel })
}

const names = ['experience.vote_up', 'experience.vote_down', 'answer.vote_up', 'answer.vote_down', 'comment.vote_up']

/** Lets everybody vote both ways, whatever their reputation. */
export async function openVotes(site: Site): Promise<void> {
  const admin = await site.admin()
  const { data } = await admin.get<{ options: { privileges: { key: string; value: number }[] }[] }>('/answer/admin/api/setting/privileges')
  const all = data.options[0]?.privileges ?? []
  const custom_privileges = all.map(({ key, value }) => ({ key, value: names.includes(key.replace(/^rank\./, '')) ? 1 : value }))
  const reply = await admin.put('/answer/admin/api/setting/privileges', { level: 99, custom_privileges })
  if (reply.status !== 200) throw new Error(`The thresholds could not be set: ${reply.text}`)
}
