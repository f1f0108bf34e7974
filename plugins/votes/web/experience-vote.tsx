import { VoteControl } from './vote-control.tsx'

interface Props {
  id: string
  authorId: string | number
  detail: { vote_count: number; vote_status: string }
}

/** In the slot `experience.vote`. */
export default function ExperienceVote({ id, authorId, detail }: Props) {
  return <VoteControl objectId={id} authorId={String(authorId)} votes={detail.vote_count} status={detail.vote_status} />
}
