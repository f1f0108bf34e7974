import type { Database, ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Reputation } from '../shared/api.ts'
import { accountEvents } from '../shared/api.ts'
import type { AccountTables } from './tables.ts'
import { changeState } from './tables.ts'

/** Reputation somebody may gain in a day (UTC) before further gains count nothing. */
const DAILY_CAP = 200
const DAY_SECONDS = 86_400

type Tx = Kysely<AccountTables>

/** Reputation with a row for every change, so that each can be taken back by what it really was. */
export function createReputation(
  ctx: Pick<ServerContext, 'emit' | 'now'> & { db: Pick<Database<AccountTables>, 'dialect' | 'query' | 'write'> },
): Reputation {
  async function gainedToday(tx: Tx, personId: number): Promise<number> {
    const since = ctx.now() - (ctx.now() % DAY_SECONDS)
    const row = await tx
      .selectFrom('accounts__reputation')
      .select(sql<number | null>`sum(delta)`.as('sum'))
      .where('person_id', '=', personId)
      .where('created_at', '>=', since)
      .where('is_cancelled', '=', changeState.standing)
      .executeTakeFirst()
    return Number(row?.sum ?? 0)
  }

  /** Adds to the rank, never below 1 for those who have any. @returns what was added */
  async function add(tx: Tx, personId: number, delta: number): Promise<number> {
    const found = tx.selectFrom('accounts__profile').select('rank').where('id', '=', personId)
    const person = await (ctx.db.dialect === 'postgres' ? found.forUpdate() : found).executeTakeFirst()
    if (!person) return 0
    const floor = Math.min(person.rank, 1)
    const rank = Math.max(person.rank + delta, floor)
    if (rank !== person.rank) await tx.updateTable('accounts__profile').set({ rank }).where('id', '=', personId).execute()
    return rank - person.rank
  }

  const tell = async (change: { personId: number; delta: number; reason: string; objectId: string }): Promise<void> => {
    if (change.delta !== 0) await ctx.emit(accountEvents.reputationChanged, change)
  }

  /** Moves all changes of an object from one state to another, each person's at once. */
  const moveAll = (objectId: string, from: number, to: number): Promise<void> =>
    ctx.db.write(async (tx) => {
      const rows = await tx
        .selectFrom('accounts__reputation')
        .select(['id', 'person_id', 'delta', 'reason'])
        .where('object_id', '=', objectId)
        .where('is_cancelled', '=', from)
        .orderBy('person_id')
        .execute()
      const sign = to === changeState.standing ? 1 : -1
      for (const [personId, own] of Map.groupBy(rows, (row) => row.person_id)) {
        const sum = own.reduce((total, row) => total + row.delta, 0)
        const moved = sign * (await add(tx, personId, sign * sum))
        const first = own[0]
        await tell({ personId, delta: moved, reason: first?.reason ?? '', objectId })
        // What the floor kept back goes out of the rows: their sum stays what was really given.
        if (moved !== sum && first)
          await tx
            .updateTable('accounts__reputation')
            .set({ delta: first.delta + moved - sum })
            .where('id', '=', first.id)
            .execute()
      }
      await tx
        .updateTable('accounts__reputation')
        .set({ is_cancelled: to })
        .where('object_id', '=', objectId)
        .where('is_cancelled', '=', from)
        .execute()
    })

  return {
    change: ({ personId, delta, reason, objectId, capped = true, causeId = 0 }) =>
      ctx.db.write(async (tx) => {
        const isOver = capped && delta > 0 && (await gainedToday(tx, personId)) >= DAILY_CAP
        const applied = isOver ? 0 : await add(tx, personId, delta)
        await tx
          .insertInto('accounts__reputation')
          .values({ person_id: personId, delta: applied, reason, object_id: objectId, created_at: ctx.now(), cause_id: causeId })
          .execute()
        await tell({ personId, delta: applied, reason, objectId })
        return applied
      }),
    undo: ({ personId, reason, objectId, causeId }) =>
      ctx.db.write(async (tx) => {
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
        const taken = row.is_cancelled === changeState.withdrawn ? 0 : await add(tx, personId, -row.delta)
        await tell({ personId, delta: taken, reason, objectId })
        return taken
      }),
    withdraw: (objectId) => moveAll(objectId, changeState.standing, changeState.withdrawn),
    giveBack: (objectId) => moveAll(objectId, changeState.withdrawn, changeState.standing),
  }
}
