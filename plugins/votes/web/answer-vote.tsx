import type { PropsOf } from '@stoa/sdk'
import type { answerSlots } from '../../answers/shared/api.ts'
import { VoteControl } from './vote-control.tsx'

export default function AnswerVote({ id, answer }: PropsOf<typeof answerSlots.vote>) {
  return <VoteControl objectId={id} authorId={answer.user_info.id} votes={answer.vote_count} status={answer.vote_status} />
}
