import type { Dialect, ServerContext } from '@stoa/sdk/server'
import { forUpdate } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { AccountTables } from './tables.ts'
import { changeState, ledgerOnly } from './tables.ts'

const BATCH = 500

type Tx = Kysely<AccountTables>
interface Sum {
  id: number
  rank: number
  ledger: number
  hasBeginning: boolean
}

/** Ranks with the sums of their rows, of the first people above an id. One statement reads both: nothing changes between. */
async function sums(db: Tx, after: number): Promise<Sum[]> {
  const rows = await db
    .selectFrom('accounts__profile as p')
    .leftJoin('accounts__reputation as r', (join) => join.onRef('r.person_id', '=', 'p.id').on('r.is_cancelled', '=', changeState.standing))
    .select([
      'p.id',
      'p.rank',
      sql<number | null>`sum(r.delta)`.as('ledger'),
      sql<number | null>`sum(case when r.reason in (${ledgerOnly.start}, 'user.activated') then 1 else 0 end)`.as('beginnings'),
    ])
    .where('p.id', '>', after)
    .groupBy(['p.id', 'p.rank'])
    .orderBy('p.id')
    .limit(BATCH)
    .execute()
  return rows.map(({ id, rank, ledger, beginnings }) => ({
    id,
    rank,
    ledger: Number(ledger ?? 0),
    hasBeginning: Number(beginnings ?? 0) > 0,
  }))
}

/** People whose rank is not the sum of their rows; changes nothing. Whoever has no row for the beginning is not compared. */
export async function differingRanks(db: Tx): Promise<number[]> {
  const found: number[] = []
  for (let after = 0; ; ) {
    const batch = await sums(db, after)
    found.push(...batch.filter(({ rank, ledger, hasBeginning }) => hasBeginning && rank !== ledger).map(({ id }) => id))
    if (batch.length < BATCH) return found
    after = batch.at(-1)?.id ?? after
  }
}

/** Holds somebody's row until the transaction ends, as every change of their reputation does. @returns their sums from then on */
async function heldSum(tx: Tx, dialect: Dialect, id: number): Promise<Sum | undefined> {
  await tx.selectFrom('accounts__profile').select('id').where('id', '=', id).$call(forUpdate(dialect)).execute()
  const [sum] = await sums(tx, id - 1)
  return sum?.id === id ? sum : undefined
}

/**
 * Compares everybody's rank with the sum of their rows, a batch at a time. Whoever is from before there was a row for the beginning gets one, which
 * makes up the sum; every other difference is kept for the admin and logged.
 * @returns whose they are
 */
export async function checkReputation(ctx: Pick<ServerContext<AccountTables>, 'db' | 'log' | 'now'>): Promise<number[]> {
  const found: number[] = []
  await ctx.db.write((tx) => tx.deleteFrom('accounts__rank_difference').execute())
  for (let after = 0; ; ) {
    const batch = await sums(ctx.db.query, after)
    const odd = batch.filter(({ rank, ledger }) => rank !== ledger)
    if (odd.length > 0)
      await ctx.db.write(async (tx) => {
        // Again, and held: a vote may have been between.
        for (const { id } of odd) {
          const now = await heldSum(tx, ctx.db.dialect, id)
          if (!now || now.rank === now.ledger) continue
          const { rank, ledger } = now
          if (!now.hasBeginning) {
            await tx
              .insertInto('accounts__reputation')
              .values({ person_id: id, delta: rank - ledger, reason: ledgerOnly.start, object_id: '', created_at: 0 })
              .execute()
            continue
          }
          found.push(id)
          const difference = { rank, ledger, found_at: ctx.now() }
          await tx
            .insertInto('accounts__rank_difference')
            .values({ person_id: id, ...difference })
            // Another check may be at work.
            .onConflict((conflict) => conflict.column('person_id').doUpdateSet(difference))
            .execute()
        }
      })
    if (batch.length < BATCH) break
    after = batch.at(-1)?.id ?? after
  }
  if (found.length > 0)
    ctx.log.warn(`Reputation of ${found.length} people is not what their records add up to`, { people: found.slice(0, 20) })
  return found
}

/** Makes the ranks that the last check found wrong what their rows add up to, not below 1. */
export async function correctReputation(ctx: Pick<ServerContext<AccountTables>, 'db' | 'log' | 'now'>): Promise<void> {
  const wrong = await ctx.db.query.selectFrom('accounts__rank_difference').select('person_id').orderBy('person_id').execute()
  for (const { person_id } of wrong)
    await ctx.db.write(async (tx) => {
      const now = await heldSum(tx, ctx.db.dialect, person_id)
      if (now)
        await tx
          .updateTable('accounts__profile')
          .set({ rank: Math.max(now.ledger, Math.min(now.rank, 1)) })
          .where('id', '=', person_id)
          .execute()
    })
  await checkReputation(ctx)
}
