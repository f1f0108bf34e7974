import type { TextChange } from '../../history/shared/api.ts'
import type { AnswerRow } from './tables.ts'

/** An answer and its post as history names them. */
export const answerOf = (row: Pick<AnswerRow, 'id' | 'experience'>) => ({
  kind: 'answer',
  n: row.id,
  root: { kind: 'experience', n: row.experience },
})

/** What history is told of a change, beside the texts. */
export const changeOf = (row: Pick<AnswerRow, 'id' | 'experience' | 'person_id' | 'created_at'>, editorId: number, summary: string) =>
  ({ ...answerOf(row), editorId, summary, origin: { personId: row.person_id, at: row.created_at } }) satisfies Partial<TextChange>

/** A text of an answer as history keeps it. */
export const textOf = (content: string) => ({ title: '', content, tags: [], slug_name: '' })
