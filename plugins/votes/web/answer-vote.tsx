import { VoteControl } from './vote-control.tsx'

interface Props {
  id: string
  answer: { vote_count: number; vote_status: string; user_info?: { id: string } | null }
}

/** In the slot `answer.vote`. */
export default function AnswerVote({ id, answer }: Props) {
  return <VoteControl objectId={id} authorId={answer.user_info?.id ?? ''} votes={answer.vote_count} status={answer.vote_status} />
}
