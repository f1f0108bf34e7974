import type { Database, ServerContext } from '@stoa/sdk/server'
import { forUpdate } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Reputation } from '../shared/api.ts'
import { accountEvents } from '../shared/api.ts'
import type { AccountTables } from './tables.ts'
import { changeState, ledgerOnly } from './tables.ts'

/** Reputation somebody may gain in a day (UTC) before further gains count nothing. */
const DAILY_CAP = 200
const DAY_SECONDS = 86_400

type Tx = Kysely<AccountTables>

/**
 * Reputation with a row for every change, so that each can be taken back by what it really was. Always true: somebody's rank is the sum of their rows
 * that stand. What the floor kept from being taken is a row as well, and what comes back pays that off first: by deleting and restoring nobody gains.
 */
export function createReputation(
  ctx: Pick<ServerContext, 'emit' | 'now'> & { db: Pick<Database<AccountTables>, 'dialect' | 'query' | 'write'> },
): Reputation {
  /** Holds the person's row until the transaction ends: changes of one person come after each other. @returns undefined for nobody */
  async function holdRank(tx: Tx, personId: number): Promise<number | undefined> {
    const found = tx.selectFrom('accounts__profile').select('rank').where('id', '=', personId)
    return (await found.$call(forUpdate(ctx.db.dialect)).executeTakeFirst())?.rank
  }

  async function gainedToday(tx: Tx, personId: number): Promise<number> {
    const since = ctx.now() - (ctx.now() % DAY_SECONDS)
    const row = await tx
      .selectFrom('accounts__reputation')
      .select(sql<number | null>`sum(delta)`.as('sum'))
      .where('person_id', '=', personId)
      .where('created_at', '>=', since)
      .where('is_cancelled', '=', changeState.standing)
      .where('reason', 'not in', Object.values(ledgerOnly))
      .executeTakeFirst()
    return Number(row?.sum ?? 0)
  }

  const setRank = (tx: Tx, personId: number, rank: number) =>
    tx.updateTable('accounts__profile').set({ rank }).where('id', '=', personId).execute()

  const keptByFloor = (tx: Tx, personId: number) =>
    tx
      .selectFrom('accounts__reputation')
      .select(['id', 'delta'])
      .where('person_id', '=', personId)
      .where('object_id', '=', '')
      .where('reason', '=', ledgerOnly.floor)
      .executeTakeFirst()

  async function setKept(tx: Tx, personId: number, row: { id: number } | undefined, delta: number): Promise<void> {
    if (row) await tx.updateTable('accounts__reputation').set({ delta }).where('id', '=', row.id).execute()
    else
      await tx
        .insertInto('accounts__reputation')
        .values({ person_id: personId, delta, reason: ledgerOnly.floor, object_id: '', created_at: ctx.now() })
        .execute()
  }

  /**
   * Rows of somebody began or ceased to count: moves their rank by that, not below 1 for those who have any.
   * @param rank theirs, held
   * @returns by how much it moved
   */
  async function shift(tx: Tx, personId: number, rank: number, amount: number): Promise<number> {
    if (amount === 0) return 0
    const floor = Math.min(rank, 1)
    const short = Math.max(0, floor - (rank + amount))
    const kept = short > 0 || amount > 0 ? await keptByFloor(tx, personId) : undefined
    const paid = amount > 0 ? Math.min(kept?.delta ?? 0, amount) : 0
    if (short > 0 || paid > 0) await setKept(tx, personId, kept, (kept?.delta ?? 0) + short - paid)
    const moved = amount + short - paid
    if (moved !== 0) await setRank(tx, personId, rank + moved)
    return moved
  }

  const tell = async (change: { personId: number; delta: number; reason: string; objectId: string }): Promise<void> => {
    if (change.delta !== 0) await ctx.emit(accountEvents.reputationChanged, change)
  }

  /** Moves all changes of an object from one state to another, each person's at once. */
  const moveAll = (objectId: string, from: number, to: number): Promise<void> =>
    ctx.db.write(async (tx) => {
      const ofObject = () =>
        tx.selectFrom('accounts__reputation').where('object_id', '=', objectId).where('is_cancelled', '=', from).orderBy('person_id')
      const people = await ofObject().select('person_id').distinct().execute()
      for (const { person_id: personId } of people) {
        const rank = await holdRank(tx, personId)
        // Only now: a vote may have been taken back while the person's row was somebody else's.
        const own = await ofObject().select(['id', 'delta', 'reason']).where('person_id', '=', personId).execute()
        if (own.length === 0) continue
        const sum = own.reduce((total, row) => total + row.delta, 0)
        const ids = own.map((row) => row.id)
        await tx.updateTable('accounts__reputation').set({ is_cancelled: to }).where('id', 'in', ids).execute()
        if (rank === undefined) continue
        const delta = await shift(tx, personId, rank, to === changeState.standing ? sum : -sum)
        await tell({ personId, delta, reason: own[0]?.reason ?? '', objectId })
      }
    })

  return {
    change: ({ personId, delta, reason, objectId, capped = true, causeId = 0 }) =>
      ctx.db.write(async (tx) => {
        const rank = await holdRank(tx, personId)
        if (rank === undefined) return 0
        const isOver = capped && delta > 0 && (await gainedToday(tx, personId)) >= DAILY_CAP
        const applied = isOver ? 0 : Math.max(rank + delta, Math.min(rank, 1)) - rank
        if (applied !== 0) await setRank(tx, personId, rank + applied)
        await tx
          .insertInto('accounts__reputation')
          .values({ person_id: personId, delta: applied, reason, object_id: objectId, created_at: ctx.now(), cause_id: causeId })
          .execute()
        await tell({ personId, delta: applied, reason, objectId })
        return applied
      }),
    undo: ({ personId, reason, objectId, causeId }) =>
      ctx.db.write(async (tx) => {
        const rank = await holdRank(tx, personId)
        let changes = tx
          .selectFrom('accounts__reputation')
          .select(['id', 'delta', 'is_cancelled'])
          .where('person_id', '=', personId)
          .where('reason', '=', reason)
          .where('object_id', '=', objectId)
          .where('is_cancelled', '!=', changeState.cancelled)
        // Rows from before causes were kept have none.
        if (causeId !== undefined) changes = changes.where('cause_id', 'in', [causeId, 0]).orderBy('cause_id', 'desc')
        const row = await changes.orderBy('id', 'desc').executeTakeFirst()
        if (!row) return 0
        await tx.updateTable('accounts__reputation').set({ is_cancelled: changeState.cancelled }).where('id', '=', row.id).execute()
        if (rank === undefined || row.is_cancelled === changeState.withdrawn) return 0
        const taken = await shift(tx, personId, rank, -row.delta)
        await tell({ personId, delta: taken, reason, objectId })
        return taken
      }),
    withdraw: (objectId) => moveAll(objectId, changeState.standing, changeState.withdrawn),
    giveBack: (objectId) => moveAll(objectId, changeState.withdrawn, changeState.standing),
  }
}
