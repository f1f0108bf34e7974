import type { Awaitable } from '@stoa/sdk/server'
import type { Fault } from '../db/backoff.ts'
import type { KernelDatabase } from '../db/transactions.ts'

export interface Timers {
  /** `name` is unique within `slug`. @returns what ends it: resolves when a running call has finished */
  every(slug: string, name: string, seconds: number, fn: () => Awaitable<void>): () => Promise<void>
  tick(): Promise<void>
  settled(): Promise<void>
  close(): Promise<void>
}

interface Entry {
  slug: string
  name: string
  seconds: number
  fn: () => Awaitable<void>
  nextAt: number | undefined
  running: Promise<void> | undefined
}

/** Periodic work: the next time stands in the database, and the node that moves it on runs it. */
export function createTimers(database: KernelDatabase, now: () => number, onFault: (fault: Fault) => void): Timers {
  const entries = new Set<Entry>()

  /** Reads the next time; sets it when there is none, or when the period has become shorter. */
  async function schedule(entry: Entry): Promise<void> {
    const { slug, name } = entry
    const first = now() + entry.seconds
    const row = await database.query
      .selectFrom('kernel__timer')
      .select('next_at')
      .where('slug', '=', slug)
      .where('name', '=', name)
      .executeTakeFirst()
    if (!row || row.next_at > first) {
      await database.separately((tx) =>
        tx
          .insertInto('kernel__timer')
          .values({ slug, name, next_at: first })
          .onConflict((oc) => oc.columns(['slug', 'name']).doUpdateSet({ next_at: first }))
          .execute(),
      )
    }
    entry.nextAt = row && row.next_at <= first ? row.next_at : first
  }

  async function claim(entry: Entry): Promise<boolean> {
    const next = now() + entry.seconds
    const { numUpdatedRows } = await database.separately((tx) =>
      tx
        .updateTable('kernel__timer')
        .set({ next_at: next })
        .where('slug', '=', entry.slug)
        .where('name', '=', entry.name)
        .where('next_at', '=', entry.nextAt as number)
        .executeTakeFirst(),
    )
    entry.nextAt = numUpdatedRows > 0n ? next : undefined
    return numUpdatedRows > 0n
  }

  async function run(entry: Entry): Promise<void> {
    try {
      if (entry.nextAt === undefined) await schedule(entry)
      if (entries.has(entry) && (entry.nextAt as number) <= now() && (await claim(entry))) await entry.fn()
    } catch (error) {
      onFault({ slug: entry.slug, kind: 'timer', name: entry.name, error })
    }
  }

  function begin(entry: Entry): void {
    if (entry.running) return
    entry.running = database
      .outside(() => run(entry))
      .finally(() => {
        entry.running = undefined
      })
  }

  const settled = async () => {
    await Promise.all([...entries].map((entry) => entry.running))
  }

  return {
    every(slug, name, seconds, fn) {
      const entry: Entry = { slug, name, seconds, fn, nextAt: undefined, running: undefined }
      entries.add(entry)
      begin(entry)
      return async () => {
        entries.delete(entry)
        await entry.running
      }
    },
    async tick() {
      for (const entry of entries) if (entry.nextAt === undefined || entry.nextAt <= now()) begin(entry)
    },
    settled,
    async close() {
      const last = settled()
      entries.clear()
      await last
    },
  }
}
