import type { ServerContext } from '@stoa/sdk/server'
import type { Statistics } from '../../dashboard/shared/api.ts'
import type { Tables } from './tables.ts'

/** Bytes of what people uploaded, for the protocol's figures. */
export function fileStatistics(ctx: ServerContext<Tables>): Statistics {
  return {
    async figures() {
      const { bytes } = await ctx.db.query
        .selectFrom('uploads__file')
        .select((eb) => eb.fn.sum<number>('bytes').as('bytes'))
        .executeTakeFirstOrThrow()
      return [{ name: 'file_bytes', count: Number(bytes ?? 0) }]
    },
  }
}
