import type { TestPerson } from '@stoa/sdk/testing'

const api = '/answer/api/v1'

export interface Queued {
  review_id: number
  object_id: string
  object_type: string
  title: string
  parsed_text: string
  about: string
  object_status: number
  author_user_info: { username: string }
  submitter_display_name: string
  reason: string
}

/** What waits to be published, for a person: how much, and what is on that page. */
export async function queuedFor(person: TestPerson, page = 1): Promise<{ count: number; item: Queued | undefined }> {
  const { data } = await person.get<{ count: number; list: Queued[] }>(`${api}/review/pending/post/page`, { page })
  return { count: data.count, item: data.list[0] }
}

/** Decides about something that waits. */
export const decideQueued = (person: TestPerson, review_id: number, status: string, note = '') =>
  person.put(`${api}/review/pending/post`, { review_id, status, ...(note && { note }) })
