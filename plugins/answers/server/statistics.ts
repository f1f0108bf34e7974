import type { ServerContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Statistics } from '../../dashboard/shared/api.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

const DAY = 86_400

/** Answers that stand, for the figures of the administration. */
export function answerStatistics(ctx: ServerContext<Tables>): Statistics {
  const standing = () => ctx.db.query.selectFrom('answers__answer').where('status', '=', answerStatus.available)
  return {
    order: 20,
    async figures() {
      const { count } = await standing()
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [{ name: 'answer_count', text: 'answer.figure.all', count: Number(count), path: '/admin/answers' }]
    },
    activity: {
      name: 'answers',
      text: 'answer.figure.all',
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
