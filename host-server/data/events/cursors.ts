import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { clockSeconds } from '../db/backoff.ts'
import type { KernelTables } from '../db/tables.ts'
import type { KernelDatabase } from '../db/transactions.ts'

/** Positions are stored in batches: after a crash the events of this span are delivered again. */
const FLUSH_MS = 200

/** Events that are looked up together: where there are fewer, these are all. */
export const LOOKED_UP = 100

/** Place in the order of events: transaction, then number. Transactions of SQLite, which go one by one, are all 0. */
export interface Position {
  tx: number
  id: number
}
export interface StoredEvent extends Position {
  at: number
  payload: string
}
export interface CursorKey {
  slug: string
  name: string
  event: string
}

/** What became of the events since the cursor was last moved: all there, plugin was off, or some are deleted. */
export type Missed = 'nothing' | 'off' | 'lost'

export interface Cursors {
  /** Makes the cursor if it is new, at the end of what is committed. */
  ensure(key: CursorKey): Promise<void>
  /** Takes the cursor for this node; undefined while another has it. */
  claim(key: CursorKey): Promise<{ position: Position; missed: Missed; missedAt: number } | undefined>
  holds(key: CursorKey): boolean
  /** Cursors that this node may take now. One statement, however many wait. */
  free(): Promise<{ has(key: CursorKey): boolean }>
  /** Position behind everything committed so far; what of it lies behind the position after all is left out of `next` from now on. */
  end(key: CursorKey): Promise<Position>
  /** Next events; `unsettled`: more are committed, but an older transaction may still add some before them. */
  next(key: CursorKey, after: Position): Promise<{ events: StoredEvent[]; unsettled: boolean }>
  /** Remembers a position; stored within {@link FLUSH_MS}. */
  move(key: CursorKey, position: Position): void
  /** Stores a position at once and forgets what was missed. */
  settle(key: CursorKey, position: Position): Promise<void>
  /** Gives the cursor up for other nodes, its position stored. */
  release(key: CursorKey): Promise<void>
  renew(): Promise<void>
  /** Holds nothing and has nothing to store. */
  forget(): void
  flush(): Promise<void>
  /** Marks cursors that lose events by deleting all stored before `at`. */
  markLost(at: number): Promise<void>
  deleteOld(at: number, atOnce: number): Promise<void>
  deleteSurplus(keep: number, atOnce: number): Promise<void>
}

const keyText = ({ slug, name }: CursorKey): string => `${slug}\n${name}`
/** Transactions below this have all ended: nothing can appear among them any more. */
const horizon = sql<number>`pg_snapshot_xmin(pg_current_snapshot())::text::bigint`

type Dialect = KernelDatabase['dialect']

/** Events as `e`, by their order. Left alone SQLite walks through the younger events of all names (measured: 110 ns each of up to 100,000). */
export const eventsInOrder = (dialect: Dialect) =>
  dialect === 'postgres' ? sql`kernel__event as e` : sql`kernel__event as e indexed by kernel__event_order`

/** Whether the event `e` lies ahead of a position. Of a comparison of pairs SQLite uses the first half only, which is the same for all events. */
export const isAhead = (dialect: Dialect, tx: RawBuilder<number>, id: RawBuilder<number>) =>
  dialect === 'postgres' ? sql<boolean>`(e.tx, e.id) > (${tx}, ${id})` : sql<boolean>`e.tx = ${tx} and e.id > ${id}`

/** The same for the position of a cursor `c`. */
export const isAheadOfCursor = (dialect: Dialect) => isAhead(dialect, sql`c.tx`, sql`c.event_id`)

const CURSORS_LOCK = 7307003
/** Whoever changes several cursors in one transaction says so before, or two of them wait for each other. */
export async function lockCursors(tx: Kysely<KernelTables>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${CURSORS_LOCK})`.execute(tx)
}

/**
 * Rows of `kernel__cursor`, and the events behind them.
 * @param owner name of this process among the nodes
 * @param leaseSeconds a node that says nothing for this long loses its cursors to others; PostgreSQL only
 */
export function createCursors(database: KernelDatabase, owner: string, leaseSeconds: number): Cursors {
  const held = new Map<string, CursorKey>()
  const dirty = new Map<string, { key: CursorKey; position: Position }>()
  /** Events that were there when the cursor was put to the end, but belong behind a transaction that was still open. PostgreSQL only. */
  const earlier = new Map<string, number[]>()
  let timer: NodeJS.Timeout | undefined
  let renewedAt = 0
  let flushing: Promise<void> = Promise.resolve()
  const isPostgres = () => database.dialect === 'postgres'

  async function end(key: CursorKey): Promise<Position> {
    return await database.outside(async () => {
      if (isPostgres()) {
        const { rows } = await sql<{ tx: number; ids: number[] }>`select ${horizon} as tx,
          (select coalesce(json_agg(id), '[]') from kernel__event where event = ${key.event} and tx >= ${horizon}) as ids`.execute(
          database.query,
        )
        const { tx, ids } = rows[0] as { tx: number; ids: number[] }
        if (ids.length > 0) earlier.set(keyText(key), ids)
        else earlier.delete(keyText(key))
        return { tx: tx - 1, id: Number.MAX_SAFE_INTEGER }
      }
      const row = await database.query
        .selectFrom('kernel__event')
        .select((eb) => eb.fn.max('id').as('id'))
        .executeTakeFirst()
      return { tx: 0, id: row?.id ?? 0 }
    })
  }

  async function store(entries: { key: CursorKey; position: Position }[], values: { missed?: number } = {}) {
    if (entries.length === 0) return
    await database.separately(async (tx) => {
      if (entries.length > 1) await lockCursors(tx, database.dialect)
      for (const { key, position } of entries) {
        let update = tx
          .updateTable('kernel__cursor')
          .set({ tx: position.tx, event_id: position.id, ...values })
          .where('slug', '=', key.slug)
          .where('name', '=', key.name)
        if (isPostgres()) update = update.where('owner', '=', owner)
        await update.execute()
      }
    })
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    flushing = flushing.then(async () => {
      const entries = [...dirty.values()]
      dirty.clear()
      await store(entries)
    })
    const done = flushing
    // A position that could not be stored costs a second delivery, not the next flush.
    flushing = flushing.catch(() => {})
    return done
  }

  async function deleteWhile(atOnce: number, once: () => Promise<number>): Promise<void> {
    while ((await once()) === atOnce) await new Promise((resolve) => setImmediate(resolve))
  }

  return {
    async ensure(key) {
      const { slug, name, event } = key
      const known = await database.query
        .selectFrom('kernel__cursor')
        .select('event')
        .where('slug', '=', slug)
        .where('name', '=', name)
        .executeTakeFirst()
      if (known?.event === event) return
      const { tx, id: event_id } = await end(key)
      await database.separately(async (db) => {
        // A version that came while its plugin was off may subscribe to more than the one before.
        const { missed, missed_at } = await db
          .selectFrom('kernel__cursor')
          .select((eb) => [
            eb.fn.coalesce(eb.fn.max('missed'), eb.lit(0)).as('missed'),
            eb.fn.coalesce(eb.fn.max('missed_at'), eb.lit(0)).as('missed_at'),
          ])
          .where('slug', '=', slug)
          .executeTakeFirstOrThrow()
        const values = { event, tx, event_id, missed: Number(missed), missed_at: Number(missed_at) }
        await db
          .insertInto('kernel__cursor')
          .values({ slug, name, owner: '', lease_until: 0, ...values })
          .onConflict((oc) => oc.columns(['slug', 'name']).doUpdateSet(values))
          .execute()
      })
    },
    async claim(key) {
      const at = clockSeconds()
      const row = isPostgres()
        ? await database.separately((tx) =>
            tx
              .updateTable('kernel__cursor')
              .set({ owner, lease_until: at + leaseSeconds })
              .where('slug', '=', key.slug)
              .where('name', '=', key.name)
              .where((eb) => eb.or([eb('owner', '=', owner), eb('lease_until', '<', at)]))
              .returning(['tx', 'event_id', 'missed', 'missed_at'])
              .executeTakeFirst(),
          )
        : // One process serves an SQLite file: nobody to take it from.
          await database.query
            .selectFrom('kernel__cursor')
            .select(['tx', 'event_id', 'missed', 'missed_at'])
            .where('slug', '=', key.slug)
            .where('name', '=', key.name)
            .executeTakeFirst()
      if (!row) return undefined
      held.set(keyText(key), key)
      const missed = row.missed === 0 ? 'nothing' : row.missed === 1 ? 'off' : 'lost'
      return { position: { tx: row.tx, id: row.event_id }, missed, missedAt: row.missed_at }
    },
    holds: (key) => held.has(keyText(key)),
    async free() {
      if (!isPostgres()) return { has: () => true }
      const rows = await database.query
        .selectFrom('kernel__cursor')
        .select(['slug', 'name'])
        .where((eb) => eb.or([eb('owner', '=', owner), eb('lease_until', '<', clockSeconds())]))
        .execute()
      const free = new Set(rows.map(({ slug, name }) => `${slug}\n${name}`))
      return { has: (key) => free.has(keyText(key)) }
    },
    end,
    async next(key, after) {
      const left = earlier.get(keyText(key)) ?? []
      const settled = isPostgres() ? sql`case when e.tx < ${horizon} then 1 else 0 end` : sql`1`
      const isLeft = left.length > 0 ? sql`and e.id not in (${sql.join(left)})` : sql``
      const { rows } = await database.outside(() =>
        sql<StoredEvent & { settled: number }>`select e.id, e.tx, e.at, e.payload, ${settled} as settled
          from ${eventsInOrder(database.dialect)} where e.event = ${key.event}
          and ${isAhead(database.dialect, sql`${after.tx}`, sql`${after.id}`)} ${isLeft} order by e.tx, e.id limit ${LOOKED_UP}`.execute(
          database.query,
        ),
      )
      const unsettledFrom = rows.findIndex((row) => row.settled === 0)
      return unsettledFrom < 0 ? { events: rows, unsettled: false } : { events: rows.slice(0, unsettledFrom), unsettled: true }
    },
    move(key, position) {
      dirty.set(keyText(key), { key, position })
      timer ??= setTimeout(() => void flush().catch(() => {}), FLUSH_MS)
    },
    async settle(key, position) {
      dirty.delete(keyText(key))
      await store([{ key, position }], { missed: 0 })
    },
    async release(key) {
      await flush()
      held.delete(keyText(key))
      if (!isPostgres()) return
      await database.separately((tx) =>
        tx
          .updateTable('kernel__cursor')
          .set({ owner: '', lease_until: 0 })
          .where('slug', '=', key.slug)
          .where('name', '=', key.name)
          .where('owner', '=', owner)
          .execute(),
      )
    },
    async renew() {
      if (!isPostgres() || held.size === 0 || clockSeconds() - renewedAt < leaseSeconds / 3) return
      renewedAt = clockSeconds()
      const rows = await database.separately(async (tx) => {
        await lockCursors(tx, database.dialect)
        return await tx
          .updateTable('kernel__cursor')
          .set({ lease_until: renewedAt + leaseSeconds })
          .where('owner', '=', owner)
          .returning(['slug', 'name', 'event'])
          .execute()
      })
      const still = new Set(rows.map(keyText))
      for (const key of held.keys()) if (!still.has(key)) held.delete(key)
    },
    forget() {
      held.clear()
      earlier.clear()
      dirty.clear()
    },
    flush,
    async markLost(at) {
      await database.separately(async (tx) => {
        await lockCursors(tx, database.dialect)
        await sql`update kernel__cursor as c set missed = 2 where exists
        (select 1 from ${eventsInOrder(database.dialect)} where e.event = c.event and e.at < ${at} and ${isAheadOfCursor(database.dialect)})`.execute(
          tx,
        )
      })
    },
    async deleteOld(at, atOnce) {
      await deleteWhile(atOnce, () =>
        database.separately(async (tx) => {
          const result = await tx
            .deleteFrom('kernel__event')
            .where('id', 'in', (eb) => eb.selectFrom('kernel__event').select('id').where('at', '<', at).orderBy('id').limit(atOnce))
            .executeTakeFirst()
          return Number(result.numDeletedRows)
        }),
      )
    },
    async deleteSurplus(keep, atOnce) {
      const edge = await database.query
        .selectFrom('kernel__event')
        .select('id')
        .orderBy('id', 'desc')
        .offset(keep)
        .limit(1)
        .executeTakeFirst()
      if (!edge) return
      await deleteWhile(atOnce, () =>
        database.separately(async (tx) => {
          const { numAffectedRows } =
            await sql`delete from kernel__event where id in (select e.id from kernel__event as e where e.id <= ${edge.id}
          and not exists (select 1 from kernel__cursor as c where c.event = e.event and c.missed = 0 and ${isAheadOfCursor(database.dialect)})
          order by e.id limit ${atOnce})`.execute(tx)
          return Number(numAffectedRows ?? 0)
        }),
      )
    },
  }
}
