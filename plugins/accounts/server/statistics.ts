import type { ServerContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Statistics } from '../../dashboard/shared/api.ts'
import type { AccountTables } from './tables.ts'

const DAY = 86_400

/** Members, for the figures of the administration. */
export function memberStatistics(ctx: ServerContext<AccountTables>): Statistics {
  const there = () => ctx.db.query.selectFrom('accounts__profile').where('state', 'in', ['normal', 'suspended', 'inactive'])
  return {
    order: 50,
    async figures() {
      const { count } = await there()
        .where('state', '!=', 'inactive')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return [{ name: 'user_count', text: 'accounts.figure.all', count: Number(count), path: '/users' }]
    },
    activity: {
      name: 'members',
      text: 'accounts.figure.new',
      perDay: (since, offset) => {
        const day = sql<number>`(created_at + ${sql.lit(offset)}) / ${sql.lit(DAY)}`
        return there()
          .select((eb) => [day.as('day'), eb.fn.countAll<number>().as('count')])
          .where('created_at', '>=', since)
          .groupBy(day)
          .execute()
      },
    },
  }
}
