import type { Decorated, Person } from '@stoa/sdk'
import { call, decorator, defineErrors, event, filter, read, services } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

export * from './slots.ts'

/** Something that can be voted on; each owner of a kind provides one. */
export interface Votable {
  /** Kind name from `plugin.json`; permissions are `<kind>.vote_up` and `<kind>.vote_down`. */
  kind: string
  /** Undefined when it does not exist or the person may not see it. */
  find(n: number, person: Person | null): Promise<{ authorId: number } | undefined>
  /**
   * Holds it, and before it the post that it stands below, against other writers until the caller's transaction ends: what `find` says from then on
   * stays. Called before its votes change. Without it, a vote may be taken while it is being closed.
   */
  hold?(n: number): Promise<void>
  /** Adds to the stored sum, in the caller's transaction. */
  addVotes(n: number, delta: number): Promise<void>
  /** False: only up (comments). */
  hasDown: boolean
  /** Its votes stand in people's lists of their own votes; the owner fills {@link ownVotes}. Default: they do not (comments). */
  listed?: boolean
  /** Reputation: to the author for an up-vote, for a down-vote, and to the voter for a down-vote. */
  rewards: { up: number; down: number; downVoter: number }
}
export const votable = services<Votable>('votes.votable')
/** Sums of votes, for those who keep them (`kept` of `server/commands.ts`). */
export const countedVotes = 'votes.votes'

/** Called by the owner of a kind for objects on their way out: filled is what the person who asks chose (`vote_up`, `vote_down`, empty). */
export const voted = decorator<Decorated<{ vote_status: string }>>('votes.voted')
/** The same for kinds that are only voted up: filled is whether the person who asks did. */
export const liked = decorator<Decorated<{ is_vote: boolean }>>('votes.liked')

/** What somebody voted on, as `personal/vote/page` shows it. */
export interface VotedObject {
  object_id: string
  /** Of the post it belongs to, itself for a post. */
  experience_id: string
  /** Empty unless it is an answer. */
  answer_id: string
  title: string
  url_title: string
  /** HTML. */
  content: string
}
/** Rows of a person's own votes; the owner of each kind fills `view`. What stays null (hidden since, or its owner is off) is left out. */
export const ownVotes = decorator<{ kind: string; n: number; view: VotedObject | null }>('votes.own')
/**
 * Running numbers of those of a kind for which {@link ownVotes} is filled, by the owner of the kind: pages and their count are made of these. Where nobody
 * answers for a kind, of all of it.
 */
export const shownVotes = filter<{ kind: string }>('votes.shown')

/** What `npm run seed` made of things to vote on: whoever provides {@link votable} returns it as `internal`. */
export interface SeededVotables {
  /** In order of their numbers, some at once. `votes`: the sum already stored. @param db transaction of the calling seeder */
  each(db: unknown): AsyncIterable<{ n: number; authorId: number; createdAt: number; votes: number }[]>
}

/** Number of upvotes of objects of a kind that have any: of these, or of the first `limit` with a number above `after`, in the order of their numbers. */
export const upvotes = read<{ kind: string } & ({ ns: number[] } | { after: number; limit: number }), { n: number; count: number }[]>(
  'votes.upvotes',
)
/** People above `after` with an upvote that stands, in the order of their ids, at most `limit`. */
export const upvoters = read<{ after: number; limit: number }, number[]>('votes.upvoters')

export const voteEvents = {
  /** `direction` 1, -1, or 0 for a vote taken back. */
  cast: event<{ objectId: string; voterId: number; authorId: number; direction: number }>('votes.cast'),
}

export const voteCalls = {
  vote: call.post<typeof schemas.vote>('vote/:type'),
  own: call.get<typeof schemas.own>('personal/vote/page'),
}

export const voteErrors = {
  ...defineErrors('error.object', {
    disallow_vote_your_self: { status: 400, message: "A vote on one's own post is not counted", display: 'toast' },
    not_found: { status: 404, message: 'Nothing to vote on: {id}' },
  }),
  ...defineErrors('error.rank', {
    no_enough_rank_to_operate: { status: 403, message: '{action} needs a reputation of {needed}, there are {rank}' },
  }),
  ...defineErrors('error.vote', {
    only_up: { status: 400, message: '{id} can only be voted up', display: 'toast' },
  }),
}
