import type { PropsOf } from '@stoa/sdk'
import type { experienceSlots } from '../../experiences/shared/api.ts'
import { VoteControl } from './vote-control.tsx'

export default function ExperienceVote({ id, authorId, detail }: PropsOf<typeof experienceSlots.vote>) {
  return <VoteControl objectId={id} authorId={authorId} votes={detail.vote_count} status={detail.vote_status} />
}
