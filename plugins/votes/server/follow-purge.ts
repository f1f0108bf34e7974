import type { ServerContext } from '@stoa/sdk/server'
import { purged } from '../../site/shared/api.ts'
import type { Tables } from './tables.ts'

/** Votes go with what they were on. */
export function followPurge(ctx: ServerContext<Tables>): void {
  ctx.on(purged, async ({ kind, ns }) => {
    await ctx.db.write((tx) => tx.deleteFrom('votes__ballot').where('object_kind', '=', kind).where('object_n', 'in', ns).execute())
  })
}
