import { isStaff } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { decorating, defineReads } from '@stoa/sdk/server'
import { waitingReviews } from '../../notifications/shared/api.ts'
import { reviewQueues } from '../../site/shared/api.ts'
import type { Tables } from './tables.ts'
import { itemStatus } from './tables.ts'

async function countWaiting(ctx: ReadContext<Tables>): Promise<number> {
  const { count } = await ctx.db
    .selectFrom('review__item')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('status', '=', itemStatus.waiting)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export default defineReads({
  functions: [],
  decorators: [
    decorating(waitingReviews, async (ctx: ReadContext<Tables>, items) => {
      if (!isStaff(ctx.person)) return
      const open = await countWaiting(ctx)
      for (const item of items) {
        item.open += open
        item.may = true
      }
    }),
    decorating(reviewQueues, async (ctx: ReadContext<Tables>, items) => {
      if (!isStaff(ctx.person)) return
      const todo_amount = await countWaiting(ctx)
      for (const { queues } of items) queues.push({ name: 'queued_post', label: ctx.text('review.queue'), todo_amount, order: 10 })
    }),
  ],
})
