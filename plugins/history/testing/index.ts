import type { TestPerson } from '@stoa/sdk/testing'

const api = '/answer/api/v1'

export interface Revision {
  id: string
  use_id: string
  title: string
  status: number
  reason: string
  content: {
    title?: string
    content?: string
    original_text?: string
    tags?: { slug_name: string }[]
    extensions?: Record<string, unknown>
  }
  fields: { slug: string; label: string; text: string }[]
  user_info: { username: string }
}
export interface Line {
  activity_id: string
  revision_id: string
  activity_type: string
  comment: string
  object_id: string
  object_type: string
  cancelled: boolean
  user_info: { username: string; display_name: string }
}

/** Revisions of an object, newest first. */
export const revisionsOf = async (person: TestPerson, object_id: string): Promise<Revision[]> =>
  (await person.get<Revision[]>(`${api}/revisions`, { object_id })).data

/** What waits for a person: `count` and the suggestion on that page. */
export async function waitingFor(person: TestPerson, page = 1) {
  const { data } = await person.get<{
    count: number
    list: { type: string; info: { title: string; content: string; fields: Revision['fields'] }; unreviewed_info: Revision }[]
  }>(`${api}/revisions/unreviewed`, { page })
  return { count: data.count, item: data.list[0] }
}

export const decide = (person: TestPerson, id: string, operation: string) => person.put(`${api}/revisions/audit`, { id, operation })

/** Lines of a timeline, newest first. */
export const timelineOf = async (person: TestPerson, object_id: string, show_vote = false): Promise<Line[]> =>
  (await person.get<{ timeline: Line[] }>(`${api}/activity/timeline`, { object_id, show_vote: String(show_vote) })).data.timeline

/** The same in short: who did what. */
export const happenings = async (person: TestPerson, object_id: string, show_vote = false): Promise<string[]> =>
  (await timelineOf(person, object_id, show_vote)).map((line) => `${line.user_info.display_name} ${line.activity_type}`)
