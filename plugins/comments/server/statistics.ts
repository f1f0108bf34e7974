import type { ServerContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Statistics } from '../../dashboard/shared/api.ts'
import type { Tables } from './tables.ts'

const DAY = 86_400
const AVAILABLE = 1

/** Comments that stand, for the figures of the administration. */
export function commentStatistics(ctx: ServerContext<Tables>): Statistics {
  const standing = () => ctx.db.query.selectFrom('comments__comment').where('status', '=', AVAILABLE)
  return {
    order: 30,
    async figures() {
      const { count } = await standing()
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [{ name: 'comment_count', text: 'comment.figure.all', count: Number(count) }]
    },
    activity: {
      name: 'comments',
      text: 'comment.figure.all',
      perDay: (since, offset) => {
        const day = sql<number>`(created_at + ${sql.lit(offset)}) / ${sql.lit(DAY)}`
        return standing()
          .select((eb) => [day.as('day'), eb.fn.countAll<number>().as('count')])
          .where('created_at', '>=', since)
          .groupBy(day)
          .execute()
      },
    },
  }
}
