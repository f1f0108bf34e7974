import { decoratingTogether, defineReads, reading } from '@stoa/sdk/server'
import { answerList } from '../../answers/shared/api.ts'
import { experienceDetail } from '../../experiences/shared/api.ts'
import { reactors } from '../shared/api.ts'
import { findReactions, findReactors, readSummary } from './read-summaries.ts'
import { summaryOf } from './read-tokens.ts'

export default defineReads({
  functions: [reading(summaryOf, readSummary), reading(reactors, findReactors)],
  decorators: [decoratingTogether(experienceDetail, findReactions), decoratingTogether(answerList, findReactions)],
})
