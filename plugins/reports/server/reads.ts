import { isStaff } from '@stoa/sdk'
import { decorating, defineReads, reading } from '@stoa/sdk/server'
import { waitingReviews } from '../../notifications/shared/api.ts'
import { reviewQueues } from '../../site/shared/api.ts'
import { countOpen, openFlags, readOpen } from './read-open.ts'

export default defineReads({
  functions: [reading(openFlags, readOpen)],
  decorators: [
    decorating(waitingReviews, async (ctx, items) => {
      if (!isStaff(ctx.person)) return
      const open = await countOpen(ctx.db)
      for (const item of items) {
        item.open += open
        item.may = true
      }
    }),
    decorating(reviewQueues, async (ctx, items) => {
      if (!isStaff(ctx.person)) return
      const todo_amount = await countOpen(ctx.db)
      for (const { queues } of items) queues.push({ name: 'flagged_post', label: ctx.text('reports.queue'), todo_amount, order: 20 })
    }),
  ],
})
