import type { Person } from '@stoa/sdk'
import { defineErrors, event, services } from '@stoa/sdk'

/** Something that can be voted on; each owner of a kind provides one. */
export interface Votable {
  /** Kind name from `plugin.json`; permissions are `<kind>.vote_up` and `<kind>.vote_down`. */
  kind: string
  /** Undefined when it does not exist or the person may not see it. */
  find(n: number, person: Person | null): Promise<{ authorId: number } | undefined>
  /** Adds to the stored sum, in the caller's transaction. */
  addVotes(n: number, delta: number): Promise<void>
  /** False: only up (comments). */
  hasDown: boolean
  /** Reputation: to the author for an up-vote, for a down-vote, and to the voter for a down-vote. */
  rewards: { up: number; down: number; downVoter: number }
}
export const votable = services<Votable>('votes.votable')

export const voteEvents = {
  /** `direction` 1, -1, or 0 for a vote taken back. */
  cast: event<{ objectId: string; voterId: number; authorId: number; direction: number }>('votes.cast'),
}

export const voteErrors = {
  ...defineErrors('error.object', {
    disallow_vote_your_self: { status: 400, message: "A vote on one's own post is not counted", display: 'toast' },
    not_found: { status: 404, message: 'Nothing to vote on: {id}' },
  }),
  ...defineErrors('error.rank', {
    no_enough_rank_to_operate: { status: 403, message: '{action} needs a reputation of {needed}' },
  }),
  ...defineErrors('error.vote', {
    only_up: { status: 400, message: '{id} can only be voted up', display: 'toast' },
  }),
}
