import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { ownComments } from '../../../../plugins/comments/shared/api.ts'
import { experienceCards, experienceItems, experienceView } from '../../../../plugins/experiences/shared/api.ts'
import { searchResults } from '../../../../plugins/search/shared/api.ts'
import { ownVotes } from '../../../../plugins/votes/shared/api.ts'
import { best, cards, fillComments, fillResults, fillVotes, items, list, listed, one, required, top, view } from './read-questions.ts'

export default defineReads({
  functions: [
    reading(experienceCards, cards),
    reading(experienceItems, items),
    reading(experienceView, view),
    reading(one, required),
    reading(listed, list),
    reading(best, top),
  ],
  decorators: [decorating(searchResults, fillResults), decorating(ownVotes, fillVotes), decorating(ownComments, fillComments)],
})
