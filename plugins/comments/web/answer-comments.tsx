import type { PropsOf } from '@stoa/sdk'
import type { answerSlots } from '../../answers/shared/api.ts'
import { Comments, LoadedComments } from './comments.tsx'

/** An answer without comments costs no call. */
export default function AnswerComments({ id, answer }: PropsOf<typeof answerSlots.footer>) {
  if (answer.comment_count === 0) return <Comments objectId={id} kind="answer" start={{ count: 0, list: [] }} />
  return <LoadedComments objectId={id} kind="answer" />
}
