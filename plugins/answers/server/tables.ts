import type { Generated, Selectable } from 'kysely'

export interface AnswerTable {
  id: Generated<number>
  /** Running number of the experience. */
  experience: number
  person_id: number
  /** Who changed it last; 0 for nobody. */
  editor_id: Generated<number>
  /** 1 available, 10 deleted, 11 pending. */
  status: Generated<number>
  accepted: Generated<number>
  vote_count: Generated<number>
  comment_count: Generated<number>
  /** 1 while the experience stands in public lists. */
  parent_listed: Generated<number>
  created_at: number
  /** 0 for never. */
  updated_at: Generated<number>
  /** Who deleted it or brought it back last; 0 for nobody and for the site itself. */
  acted_by: Generated<number>
  /** 1 when that was not its author. */
  acted_by_staff: Generated<number>
  acted_at: Generated<number>
}

export interface TextTable {
  answer_id: number
  content: string
  html: string
  /** Grows with each change of the text. */
  version: Generated<number>
  /** Plain text, at most 240 characters. */
  excerpt: string
}

export interface Tables {
  answers__answer: AnswerTable
  answers__text: TextTable
  /** Answers that a profile counts although not everybody can see them. */
  answers__overcount: { person_id: number; answers: number }
}

export const answerColumns = [
  'id',
  'experience',
  'person_id',
  'editor_id',
  'status',
  'accepted',
  'vote_count',
  'comment_count',
  'parent_listed',
  'created_at',
  'updated_at',
  'acted_by_staff',
] as const satisfies (keyof AnswerTable)[]

export type AnswerRow = Pick<Selectable<AnswerTable>, (typeof answerColumns)[number]>

/** Status numbers an answer can have. */
export const answerStatus = { available: 1, deleted: 10, pending: 11 } as const
