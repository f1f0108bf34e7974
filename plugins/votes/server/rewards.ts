import type { Reputation } from '../../accounts/shared/api.ts'
import { moveReputation } from '../../accounts/shared/api.ts'
import type { Target } from './find-target.ts'

interface Reward {
  personId: number
  delta: number
  /** Key of a `rank_type.…` text. */
  reason: string
}

/** What a vote is worth, to whom. Source: behaviour reference 7.1. */
function rewardsOf({ owner, authorId }: Target, voterId: number, direction: number): Reward[] {
  const { kind, rewards } = owner
  const all: Reward[] =
    direction > 0
      ? [{ personId: authorId, delta: rewards.up, reason: `${kind}.voted_up` }]
      : direction < 0
        ? [
            { personId: authorId, delta: rewards.down, reason: `${kind}.voted_down` },
            { personId: voterId, delta: rewards.downVoter, reason: `${kind}.vote_down` },
          ]
        : []
  return all.filter((reward) => reward.delta !== 0)
}

/** Takes back what the earlier vote was worth and gives what the new one is; in the caller's transaction. */
export async function moveRewards(
  reputation: Reputation | undefined,
  target: Target,
  voterId: number,
  before: number,
  after: number,
): Promise<void> {
  const changes = (direction: number) =>
    rewardsOf(target, voterId, direction).map((reward) => ({ ...reward, objectId: target.objectId, causeId: voterId }))
  await moveReputation(reputation, changes(before), changes(after))
}
