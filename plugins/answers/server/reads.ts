import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { ownComments } from '../../comments/shared/api.ts'
import { experienceDetail, personalTop } from '../../experiences/shared/api.ts'
import { searchResults } from '../../search/shared/api.ts'
import { ownVotes } from '../../votes/shared/api.ts'
import { answerCards, answerInfo } from '../shared/api.ts'
import { fillOwnComments, fillOwnVotes } from './fill-personal-rows.ts'
import { adminPage } from './read-admin.ts'
import { answersOf, cardsOf, infoOf, requiredInfo, writtenInfo } from './read-answers.ts'
import { fillOwnAnswer, fillResults } from './read-decorators.ts'
import { answersOfPerson, topAnswers } from './read-profile.ts'
import { adminAnswers, answersPage, infoByText, personAnswers, writtenAnswer } from './read-tokens.ts'

export default defineReads({
  functions: [
    reading(answersPage, answersOf),
    reading(infoByText, requiredInfo),
    reading(writtenAnswer, writtenInfo),
    reading(answerInfo, infoOf),
    reading(answerCards, cardsOf),
    reading(personAnswers, answersOfPerson),
    reading(adminAnswers, adminPage),
  ],
  decorators: [
    decorating(experienceDetail, fillOwnAnswer),
    decorating(personalTop, topAnswers),
    decorating(searchResults, fillResults),
    decorating(ownVotes, fillOwnVotes),
    decorating(ownComments, fillOwnComments),
  ],
})
