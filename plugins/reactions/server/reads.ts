import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { answerList } from '../../answers/shared/api.ts'
import { experienceDetail } from '../../experiences/shared/api.ts'
import { fillReactions, readSummary } from './read-summaries.ts'
import { summaryOf } from './read-tokens.ts'

export default defineReads({
  functions: [reading(summaryOf, readSummary)],
  decorators: [decorating(experienceDetail, fillReactions), decorating(answerList, fillReactions)],
})
