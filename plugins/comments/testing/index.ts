import type { TestPerson } from '@stoa/sdk/testing'

const path = '/answer/api/v1/comment'
let running = 0

export interface CommentReply {
  comment_id: string
  parsed_text: string
  member_actions: { action: string }[]
  [member: string]: unknown
}

/** Comments on an object; the text is one that no other comment of the test run has. */
export function comment(person: TestPerson, object: string, text?: string, replyTo?: string) {
  running += 1
  return person.post<CommentReply>(path, {
    object_id: object,
    original_text: text ?? `Which line was it, asked the ${running}th?`,
    ...(replyTo === undefined ? {} : { reply_comment_id: replyTo }),
  })
}

/** Comments and must succeed. @returns the comment's id */
export async function commented(person: TestPerson, object: string, text?: string, replyTo?: string): Promise<string> {
  const reply = await comment(person, object, text, replyTo)
  if (reply.status !== 200) throw new Error(`${person.name} could not comment: ${reply.status} ${reply.text}`)
  return reply.data.comment_id
}

/** Ids of the comments of an object as somebody sees them. */
export async function commentsOf(
  person: TestPerson,
  object: string,
  query: Record<string, string | number> = {},
): Promise<{ count: number; ids: string[] }> {
  const { data } = await person.get<{ count: number; list: { comment_id: string }[] }>(`${path}/page`, {
    object_id: object,
    page: 1,
    page_size: 15,
    ...query,
  })
  return { count: data.count, ids: data.list.map((item) => item.comment_id) }
}
