import { slot } from '@stoa/sdk'

/** What owners of posts hand to the places of votes. */
export interface VotePlace {
  /** Public id of what is voted on. */
  id: string
  /** Public id of who wrote it, or empty. */
  authorId: string
  /** Sum of the votes. */
  votes: number
  /** What the reader gave: `vote_up`, `vote_down` or empty. */
  status: string
}

/** Places that votes fills and owners of posts draw. */
export const voteSlots = {
  /** Up, score and down, beside a text. Show the bare count while it is empty. */
  control: slot<VotePlace>('votes.control'),
  /** A like, among the actions of something small. */
  like: slot<VotePlace>('votes.like'),
}
