import type { ServerContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Statistics } from '../../dashboard/shared/api.ts'
import type { Tables } from './store/tables.ts'
import { liveStatuses } from './store/visibility.ts'

const DAY = 86_400

/** Posts that stand, for the figures of the administration. */
export function postStatistics(ctx: ServerContext<Tables>): Statistics {
  return {
    order: 10,
    async figures() {
      const row = await ctx.db.query
        .selectFrom('experiences__post')
        .select((eb) => [
          eb.fn.countAll<number>().as('all'),
          eb.fn.sum<number>(eb.case().when('accepted_answer', '>', 0).then(1).else(0).end()).as('resolved'),
          eb.fn.sum<number>(eb.case().when('answer_count', '=', 0).then(1).else(0).end()).as('unanswered'),
        ])
        .where('status', 'in', liveStatuses)
        .executeTakeFirstOrThrow()
      const path = '/admin/experiences'
      return [
        { name: 'experience_count', text: 'experience.figure.all', count: Number(row.all), path },
        { name: 'resolved_count', text: 'experience.figure.resolved', count: Number(row.resolved ?? 0) },
        {
          name: 'unanswered_count',
          text: 'experience.figure.unanswered',
          count: Number(row.unanswered ?? 0),
          path: '/experiences?order=unanswered',
        },
      ]
    },
    activity: {
      name: 'experiences',
      text: 'experience.figure.all',
      perDay: (since, offset) => {
        const day = sql<number>`(created_at + ${sql.lit(offset)}) / ${sql.lit(DAY)}`
        return ctx.db.query
          .selectFrom('experiences__post')
          .select((eb) => [day.as('day'), eb.fn.countAll<number>().as('count')])
          .where('status', 'in', liveStatuses)
          .where('created_at', '>=', since)
          .groupBy(day)
          .execute()
      },
    },
  }
}
