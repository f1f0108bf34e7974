import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { votesCast } from '../../accounts/shared/api.ts'
import { timelineLines } from '../../history/shared/api.ts'
import { liked, upvoters, upvotes, voted } from '../shared/api.ts'
import { busiestVoters, countUpvotes, fillIsVote, fillVoteLines, fillVoteStatus, findUpvoters } from './read-ballots.ts'
import { votesOfCaller, votesOfPerson } from './read-history.ts'

export default defineReads({
  functions: [
    reading(votesOfPerson, votesOfCaller),
    reading(votesCast, busiestVoters),
    reading(upvotes, countUpvotes),
    reading(upvoters, findUpvoters),
  ],
  decorators: [decorating(voted, fillVoteStatus), decorating(liked, fillIsVote), decorating(timelineLines, fillVoteLines)],
})
