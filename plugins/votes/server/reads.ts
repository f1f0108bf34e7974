import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { votesCast } from '../../accounts/shared/api.ts'
import { answerList } from '../../answers/shared/api.ts'
import { commentList } from '../../comments/shared/api.ts'
import { experienceDetail } from '../../experiences/shared/api.ts'
import { busiestVoters, fillIsVote, fillVoteStatus } from './read-ballots.ts'
import { ownVotes, votesOfCaller } from './read-history.ts'

export default defineReads({
  functions: [reading(ownVotes, votesOfCaller), reading(votesCast, busiestVoters)],
  decorators: [
    decorating(experienceDetail, fillVoteStatus('experience')),
    decorating(answerList, fillVoteStatus('answer')),
    decorating(commentList, fillIsVote('comment')),
  ],
})
