import { Comments, LoadedComments } from './comments.tsx'

interface Props {
  id: string
  answer: { comment_count?: number; status: number }
}

/** In the slot `answer.footer`. An answer without comments costs no call. */
export default function AnswerComments({ id, answer }: Props) {
  if (answer.comment_count === 0) return <Comments objectId={id} kind="answer" start={{ count: 0, list: [] }} />
  return <LoadedComments objectId={id} kind="answer" />
}
