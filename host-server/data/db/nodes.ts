import { hostname } from 'node:os'
import type { Kysely } from 'kysely'
import { isAlive } from '../../shared/run-record.ts'
import { clockSeconds } from './backoff.ts'
import { lockMigrations } from './lock-migrations.ts'
import type { KernelTables } from './tables.ts'
import type { KernelDatabase } from './transactions.ts'

/** A node counts as dead after so many leases: its old code may only have been held up, and would meet tables that it does not know. */
const LEASES = 6
/** So long after its end the row of a node is kept, in seconds. */
const KEPT_SECONDS = 24 * 3600

/** A process that serves the site. */
export interface SiteNode {
  id: string
  host: string
  pid: number
  /** 0 while it starts. */
  epoch: number
}

/** Plugin → names of the contracting steps that its code knows. */
export type KnownSteps = Readonly<Record<string, readonly string[]>>

/** The processes that serve the site, and what code they run: while one of them needs a column, none takes it away. */
export interface Nodes {
  /**
   * This process starts, or changes what it runs: no node takes anything away until `runs` says what came of it. What was taken away before
   * is known to whoever asks afterwards.
   */
  changing(): Promise<void>
  /** Nothing but this runs here now. */
  runs(steps: KnownSteps): Promise<void>
  /** Says which epoch this process serves. */
  arrive(epoch: number): Promise<void>
  /** This process serves no more. */
  leave(): Promise<void>
  alive(): Promise<SiteNode[]>
  /** Says that this process lives; called every second. */
  keepLease(): Promise<void>
}

/** @param leaseSeconds of PostgreSQL only; SQLite has one node */
export function createNodes(database: KernelDatabase, owner: string, leaseSeconds: number): Nodes {
  let row: KernelTables['kernel__node'] | undefined
  let tail: Promise<unknown> = Promise.resolve()
  const isPostgres = () => database.dialect === 'postgres'
  const renewed = () => ({ lease_until: clockSeconds() + leaseSeconds * LEASES })

  /** One write after another, each of what is true by then. */
  function write(prepare: (tx: Kysely<KernelTables>) => Promise<unknown> = async () => {}): Promise<void> {
    const work = tail.then(() =>
      database.separately(async (tx) => {
        await prepare(tx)
        if (!row) return
        const { steps, lease_until } = Object.assign(row, renewed())
        await tx
          .insertInto('kernel__node')
          .values(row)
          .onConflict((oc) => oc.column('id').doUpdateSet({ steps, lease_until }))
          .execute()
      }, Number.POSITIVE_INFINITY),
    )
    tail = work.catch(() => undefined)
    return work
  }

  /** Rows of processes that did not say when they ended. */
  async function forgetDead(): Promise<void> {
    const rows = await database.query.selectFrom('kernel__node').selectAll().execute()
    const isGone = (node: KernelTables['kernel__node']) =>
      (node.host === hostname() && !isAlive(node.pid)) || (isPostgres() && node.lease_until < clockSeconds() - KEPT_SECONDS)
    const gone = rows.filter((node) => node.id !== owner && isGone(node)).map(({ id }) => id)
    if (gone.length > 0) await database.separately((tx) => tx.deleteFrom('kernel__node').where('id', 'in', gone).execute())
  }

  async function join(): Promise<void> {
    if (row) return
    row = { id: owner, host: hostname(), pid: process.pid, epoch: 0, steps: null, lease_until: 0 }
    await forgetDead()
  }

  return {
    async changing() {
      if (!isPostgres()) return
      await join()
      if (row) row.steps = null
      await write((tx) => lockMigrations(tx, 'postgres'))
    },
    async runs(steps) {
      const text = JSON.stringify(steps)
      if (!row || !isPostgres() || row.steps === text) return
      row.steps = text
      await write()
    },
    async arrive(epoch) {
      await join()
      if (row) row.epoch = epoch
      await write((tx) => tx.updateTable('kernel__node').set({ epoch }).where('id', '=', owner).execute())
    },
    async leave() {
      row = undefined
      await write((tx) => tx.deleteFrom('kernel__node').where('id', '=', owner).execute())
    },
    alive: () => database.outside(() => living(database.query, database.dialect)),
    async keepLease() {
      if (!row || !isPostgres() || row.lease_until - clockSeconds() > leaseSeconds * (LEASES - 1)) return
      const lease = Object.assign(row, renewed()).lease_until
      // Not after other writes: one may wait long for the lock of migrations.
      const update = (tx: Kysely<KernelTables>) =>
        tx.updateTable('kernel__node').set({ lease_until: lease }).where('id', '=', owner).executeTakeFirst()
      if ((await database.separately(update)).numUpdatedRows === 0n) await write()
    },
  }
}

/** Of a machine that is not this one, only the lease tells whether a process lives. */
async function living(db: Kysely<KernelTables>, dialect: 'sqlite' | 'postgres'): Promise<KernelTables['kernel__node'][]> {
  const rows = await db.selectFrom('kernel__node').selectAll().execute()
  return rows.filter(({ host, pid, lease_until }) => {
    if (host === hostname() && !isAlive(pid)) return false
    return dialect === 'sqlite' || lease_until >= clockSeconds()
  })
}

/** Whether some node runs, or may run in a moment, code of the plugin that does not know this step; asked with the lock of migrations. */
export async function isStillNeeded(tx: Kysely<KernelTables>, slug: string, step: string): Promise<boolean> {
  const nodes = await living(tx, 'postgres')
  return nodes.some(({ steps }) => {
    if (steps === null) return true
    const known = new Map(Object.entries(JSON.parse(steps) as KnownSteps)).get(slug)
    return known !== undefined && !known.includes(step)
  })
}
