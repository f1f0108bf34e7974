import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { KernelTables } from './tables.ts'
import type { KernelDatabase } from './transactions.ts'

export type Topic = 'plugins' | 'settings' | 'site' | 'people'

/** Tells this node and others that something kept in memory has changed. */
export interface Revisions {
  /** Raises the counter of a topic in the current transaction. Listeners of this process hear of it right after commit. */
  raise(topic: Topic): Promise<void>
  /** `fn` runs after every change of the topic, here or elsewhere (there within a second). @returns what ends it */
  on(topic: Topic, fn: () => void | Promise<void>): () => void
  /** Compares with the database; called every second and on a notification. */
  look(): Promise<void>
  /** Another database is in use from now on: the first look at it is no change. */
  forget(): void
}

/** Wakes other nodes at commit; polling finds the change a second later where this is lost. */
export async function notifyNodes(tx: Kysely<KernelTables>, dialect: 'sqlite' | 'postgres', topic: string): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_notify('stoa', ${topic})`.execute(tx)
}

/** Keeps the counters this process has seen. */
export function createRevisions(database: KernelDatabase, onFault: (error: unknown) => void): Revisions {
  const seen = new Map<string, number>()
  const listeners = new Set<{ topic: Topic; fn: () => void | Promise<void> }>()

  function tell(topic: string): void {
    for (const listener of listeners) {
      if (listener.topic === topic) void run(listener.fn)
    }
  }

  async function run(fn: () => void | Promise<void>): Promise<void> {
    try {
      await fn()
    } catch (error) {
      onFault(error)
    }
  }

  return {
    async raise(topic) {
      await database.join(async (tx) => {
        const row = await tx
          .updateTable('kernel__revision')
          .set((eb) => ({ n: eb('n', '+', 1) }))
          .where('topic', '=', topic)
          .returning('n')
          .executeTakeFirstOrThrow()
        await notifyNodes(tx, database.dialect, topic)
        // Who is logged in is on no page of visitors.
        if (topic !== 'people') database.markShown()
        database.afterCommit(() => {
          seen.set(topic, Math.max(row.n, seen.get(topic) ?? 0))
          tell(topic)
        })
      })
    },
    on(topic, fn) {
      const listener = { topic, fn }
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    forget: () => seen.clear(),
    async look() {
      const rows = await database.outside(() => database.query.selectFrom('kernel__revision').select(['topic', 'n']).execute())
      for (const { topic, n } of rows) {
        const before = seen.get(topic)
        seen.set(topic, n)
        if (before !== undefined && before !== n) tell(topic)
      }
    },
  }
}
