import type { Generated, Selectable } from 'kysely'

export interface CommentTable {
  id: Generated<number>
  /** Kind name and running number of what is commented on. */
  object_kind: string
  object_n: number
  /** The experience it stands below, directly or through an answer. */
  experience: number
  person_id: number
  /** 0 for none. */
  reply_comment: Generated<number>
  reply_person: Generated<number>
  /** 1 available, 10 deleted, 11 pending. */
  status: Generated<number>
  vote_count: Generated<number>
  /** 1 while everybody can see what it stands below. */
  object_shown: Generated<number>
  created_at: number
  updated_at: Generated<number>
  original_text: string
  parsed_text: string
}

export interface Tables {
  comments__comment: CommentTable
}

export const commentColumns = [
  'id',
  'object_kind',
  'object_n',
  'experience',
  'person_id',
  'reply_comment',
  'reply_person',
  'status',
  'vote_count',
  'created_at',
  'updated_at',
  'original_text',
  'parsed_text',
] as const satisfies (keyof CommentTable)[]

export type CommentRow = Pick<Selectable<CommentTable>, (typeof commentColumns)[number]>

export const commentStatus = { available: 1, deleted: 10, pending: 11 } as const
