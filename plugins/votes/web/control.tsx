import type { PropsOf } from '@stoa/sdk'
import type { voteSlots } from '../shared/api.ts'
import { VoteControl } from './vote-control.tsx'

export default function Control({ id, authorId, votes, status }: PropsOf<typeof voteSlots.control>) {
  return <VoteControl objectId={id} authorId={authorId} votes={votes} status={status} />
}
