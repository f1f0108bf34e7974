import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { votesCast } from '../../accounts/shared/api.ts'
import { timelineLines } from '../../history/shared/api.ts'
import { liked, voted } from '../shared/api.ts'
import { busiestVoters, fillIsVote, fillVoteLines, fillVoteStatus } from './read-ballots.ts'
import { votesOfCaller, votesOfPerson } from './read-history.ts'

export default defineReads({
  functions: [reading(votesOfPerson, votesOfCaller), reading(votesCast, busiestVoters)],
  decorators: [decorating(voted, fillVoteStatus), decorating(liked, fillIsVote), decorating(timelineLines, fillVoteLines)],
})
