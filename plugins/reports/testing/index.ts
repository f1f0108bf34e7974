import type { TestPerson } from '@stoa/sdk/testing'

const api = '/answer/api/v1'

export interface Flagged {
  flag_id: string
  object_id: string
  object_type: string
  title: string
  original_text: string
  about: string
  object_status: number
  author_user_info: { username: string }
  submitter_user: { username: string }
  reason: { reason_type: number; name: string } | null
  reason_content: string
  others: { submitter_user: { username: string }; reason_content: string }[]
  operations: string[]
}

/** Flags something. Default reason: spam. */
export const flag = (person: TestPerson, object_id: string, report_type = 57, content = '') =>
  person.post(`${api}/report`, { source: '', object_id, report_type, content })

/** What waits for a person: how many objects, and the one on that page. */
export async function flaggedFor(person: TestPerson, page = 1): Promise<{ count: number; item: Flagged | undefined }> {
  const { data } = await person.get<{ count: number; list: Flagged[] }>(`${api}/report/unreviewed/post`, { page })
  return { count: data.count, item: data.list[0] }
}

/** Decides by the operation of the protocol. */
export const decideFlag = (person: TestPerson, flag_id: string, operation_type: string, more: object = {}) =>
  person.put(`${api}/report/review`, { flag_id, operation_type, ...more })
