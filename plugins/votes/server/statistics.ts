import type { ServerContext } from '@stoa/sdk/server'
import type { Statistics } from '../../dashboard/shared/api.ts'
import type { Tables } from './tables.ts'

/** Votes, for the figures of the administration. */
export function voteStatistics(ctx: ServerContext<Tables>): Statistics {
  return {
    order: 40,
    async figures() {
      const { count } = await ctx.db.query
        .selectFrom('votes__ballot')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [{ name: 'vote_count', text: 'votes.figure.all', count: Number(count) }]
    },
  }
}
