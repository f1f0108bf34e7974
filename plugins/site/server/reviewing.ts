import { read } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import type { ReviewQueue } from '../shared/api.ts'
import { reviewQueues } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

export const reviewing = read<Record<string, never>, Static<typeof schemas.reviewing.reply>>('site.reviewing')

/** `reviewing/type`: the queues of whoever is on, in their order. */
export async function readReviewing(ctx: ReadContext): Promise<Static<typeof schemas.reviewing.reply>> {
  const found = { queues: [] as ReviewQueue[] }
  await ctx.decorate(reviewQueues, [found])
  return found.queues.sort((one, other) => one.order - other.order).map(({ name, label, todo_amount }) => ({ name, label, todo_amount }))
}
