import type { ServerContext } from '@stoa/sdk/server'
import { hotDays } from './hot-score.ts'
import type { PostStore } from './post-store.ts'
import { postColumns } from './rows.ts'
import type { Tables } from './tables.ts'

const batch = 500

/** Computes the heat of every listed post of the last 90 days anew, and takes it from older ones; in batches, so that writers get in between. */
export async function coolDown(ctx: ServerContext<Tables>, store: PostStore): Promise<void> {
  const since = ctx.now() - hotDays * 86_400
  await ctx.db.write((tx) =>
    tx.updateTable('experiences__post').set({ hot_score: 0 }).where('hot_score', '>', 0).where('created_at', '<=', since).execute(),
  )
  for (let after = 0; !ctx.signal.aborted; ) {
    const rows = await ctx.db.query
      .selectFrom('experiences__post')
      .select(postColumns)
      .where('id', '>', after)
      .where('created_at', '>', since)
      .orderBy('id')
      .limit(batch)
      .execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    const changed = rows.map((row) => ({ id: row.id, old: row.hot_score, hot: store.heat(row) })).filter((row) => row.hot !== row.old)
    await ctx.db.write(async (tx) => {
      for (const { id, hot } of changed) await tx.updateTable('experiences__post').set({ hot_score: hot }).where('id', '=', id).execute()
    })
  }
}
