import type { ServerContext } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { copyColumn } from './groups.ts'
import { hotDays } from './hot-score.ts'
import type { PostStore } from './post-store.ts'
import { postColumns } from './rows.ts'
import type { Tables } from './tables.ts'

/** A batch holds up everybody else for some milliseconds, and on a large site there are thousands. */
const BATCH = 100
/** So many times as long as a batch took, others have the site to themselves. */
const REST = 4
const TIERS = [1, 2]

/**
 * Computes the heat of every listed post of the last 90 days anew, and takes it from older ones; in batches, so that writers get in between.
 * All walks are along an index: on a large site most posts are old and cold, and nothing looks at them.
 */
export async function recomputeHotScores(ctx: ServerContext<Tables>, store: PostStore): Promise<void> {
  const since = ctx.now() - hotDays * 86_400
  for (const tier of TIERS) {
    await takeHeat(ctx, tier, since)
    for (let last = { created_at: since, id: 0 }; !ctx.plugin.signal.aborted; ) {
      const { created_at, id } = last
      const rows = await ctx.db.query
        .selectFrom('experiences__post')
        .select(postColumns)
        .where('tier', '=', tier)
        .where((eb) => eb(eb.refTuple('created_at', 'id'), '>', eb.tuple(created_at, id)))
        .orderBy('created_at')
        .orderBy('id')
        .limit(BATCH)
        .execute()
      await setHeat(
        ctx,
        rows.map((row) => ({ id: row.id, before: row.hot_score, heat: store.heat(row) })),
      )
      if (rows.length < BATCH) break
      last = rows.at(-1) as (typeof rows)[number]
    }
  }
}

/** From listed posts that are too old to be hot. */
async function takeHeat(ctx: ServerContext<Tables>, tier: number, since: number): Promise<void> {
  const old = await ctx.db.query
    .selectFrom('experiences__post')
    .select(['id', 'hot_score as before'])
    .where('tier', '=', tier)
    .where('hot_score', '>', 0)
    // The plus sign keeps the index of the newest out of it.
    .where(sql<number>`+created_at`, '<=', since)
    .execute()
  for (let at = 0; at < old.length && !ctx.plugin.signal.aborted; at += BATCH) {
    await setHeat(
      ctx,
      old.slice(at, at + BATCH).map((row) => ({ ...row, heat: 0 })),
    )
  }
}

/** Each post by itself took a way to PostgreSQL and back. What a list is filled up with repeats its last pair. */
const heated = statement((db: Kysely<Tables>, { ns, heats }: { ns: readonly number[]; heats: readonly number[] }) => {
  const pairs = ns.map((n, index) => sql`(cast(${n} as bigint), cast(${heats[index]} as bigint))`)
  return db
    .updateTable('experiences__post')
    .from(sql<{ column1: number; column2: number }>`(values ${sql.join(pairs)})`.as('heat'))
    .set({ hot_score: sql.ref('heat.column2') })
    .whereRef('id', '=', 'heat.column1')
})

async function setHeat(ctx: ServerContext<Tables>, posts: { id: number; before: number; heat: number }[]): Promise<void> {
  const changed = posts.filter(({ before, heat }) => heat !== before)
  if (changed.length === 0) return
  const began = performance.now()
  await ctx.db.write(async (tx) => {
    const ns = changed.map(({ id }) => id)
    await heated(tx, { ns, heats: changed.map(({ heat }) => heat) })
    await copyColumn(tx, 'hot_score', ns)
  })
  if (posts.length === BATCH) await new Promise((resolve) => setTimeout(resolve, REST * (performance.now() - began)))
}
