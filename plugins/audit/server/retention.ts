import type { ServerContext } from '@stoa/sdk/server'
import type { Tables } from './tables.ts'
import { knownActions, phrasesOf } from './words.ts'

const DAY = 86_400
const BATCH = 1000

/** Lets go what is older than the owner keeps it, and says what can be filtered by in today's words. */
export async function forgetOld(ctx: ServerContext<Tables>): Promise<void> {
  const { days } = ctx.plugin.settings.get<{ days: number }>()
  const before = ctx.now() - Number(days) * DAY
  for (;;) {
    const gone = await ctx.db.write((tx) =>
      tx
        .deleteFrom('audit__entry')
        .where('id', 'in', (eb) =>
          eb.selectFrom('audit__entry').select('id').where('created_at', '<', before).orderBy('created_at').limit(BATCH),
        )
        .executeTakeFirst(),
    )
    if (Number(gone.numDeletedRows) < BATCH || ctx.plugin.signal.aborted) break
  }
  await ctx.db.write(async (tx) => {
    await tx
      .deleteFrom('audit__action')
      .where('name', 'not in', (eb) => eb.selectFrom('audit__entry').select('action').distinct())
      .execute()
    const left = await tx.selectFrom('audit__action').select('name').execute()
    const known = knownActions(ctx.host)
    for (const { name } of left) {
      const key = known.get(name)
      if (key)
        await tx
          .updateTable('audit__action')
          .set({ phrases: phrasesOf(ctx.host, key) })
          .where('name', '=', name)
          .execute()
    }
  })
}
