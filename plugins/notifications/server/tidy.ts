import type { ServerContext } from '@stoa/sdk/server'
import type { Tables } from './tables.ts'

const DAY = 86_400
/** Longer than any round of a channel; what is older belongs to a channel that is gone. */
const DELIVERIES = 15 * DAY
/** Longer than any event waits to be delivered: what is older is not said again. */
const ACTS = 90 * DAY
const BATCH = 1000

/** Lets go of what nobody brings any more, and of what nobody says again. Some at once: others write meanwhile. */
export async function tidy(ctx: ServerContext<Tables>): Promise<void> {
  const now = ctx.now()
  await ctx.db.write((tx) =>
    tx
      .deleteFrom('notifications__delivery')
      .where('due_at', '<', now - DELIVERIES)
      .execute(),
  )
  for (let gone = BATCH; gone === BATCH && !ctx.plugin.signal.aborted; )
    gone = await ctx.db.write(async (tx) => {
      const old = await tx
        .selectFrom('notifications__act')
        .select(['person_id', 'kind', 'act_key'])
        .where('created_at', '<', now - ACTS)
        .orderBy('created_at')
        .limit(BATCH)
        .execute()
      for (const { person_id, kind, act_key } of old)
        await tx
          .deleteFrom('notifications__act')
          .where('person_id', '=', person_id)
          .where('kind', '=', kind)
          .where('act_key', '=', act_key)
          .execute()
      return old.length
    })
}
