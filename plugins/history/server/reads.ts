import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { waitingReviews } from '../../notifications/shared/api.ts'
import { reviewQueues } from '../../site/shared/api.ts'
import { editorsOf, takesSuggestions } from '../shared/api.ts'
import { readEditors } from './read-editors.ts'
import { addQueue, addWaiting, readRevisions, readUnreviewed, revisionsOf, unreviewedOf } from './read-revisions.ts'
import { detailOf, readDetail, readTimeline, timelineOf } from './read-timeline.ts'
import { readTarget, targetOf } from './targets.ts'

export default defineReads({
  functions: [
    reading(revisionsOf, readRevisions),
    reading(unreviewedOf, readUnreviewed),
    reading(timelineOf, readTimeline),
    reading(detailOf, readDetail),
    reading(targetOf, readTarget),
    reading(editorsOf, readEditors),
    reading(takesSuggestions, async () => true),
  ],
  decorators: [decorating(waitingReviews, addWaiting), decorating(reviewQueues, addQueue)],
})
