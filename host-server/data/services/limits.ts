import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { KernelDatabase } from '../db/transactions.ts'
import { limitKey } from './limit-key.ts'

const REMEMBERED_KEYS = 100_000

/** How often somebody may do something; exact windows that slide. */
export interface Limits {
  /** Counts one `action` of `key`. @returns false, not counting it, when it was done `max` times within `seconds` already */
  acquire(action: string, key: string, max: number, seconds: number): Promise<boolean>
  /** Takes back the newest count: it was no attempt of the kind that is limited. */
  refund(action: string, key: string): Promise<void>
  clean(): Promise<void>
}

/** In memory on SQLite, which one process serves; in the database on PostgreSQL, where nodes count together. */
export function createLimits(database: KernelDatabase, now: () => number): Limits {
  // By size, not by number: that would reserve the room for all of them at once.
  const hits = new LRUCache<string, { times: number[]; until: number }>({ maxSize: REMEMBERED_KEYS, sizeCalculation: () => 1 })

  function takeHere(action: string, key: string, max: number, seconds: number): boolean {
    const at = now()
    const name = `${action}\n${key}`
    const times = (hits.get(name)?.times ?? []).filter((time) => time > at - seconds)
    if (times.length >= max) return false
    times.push(at)
    hits.set(name, { times, until: at + seconds })
    return true
  }

  /** Apart from the caller's transaction: an attempt counts even when its work is undone. */
  async function takeTogether(action: string, key: string, max: number, seconds: number): Promise<boolean> {
    const at = now()
    return await database.separately(async (tx) => {
      await sql`select pg_advisory_xact_lock(7307002, hashtext(${`${action}\n${key}`}))`.execute(tx)
      const { count } = await tx
        .selectFrom('kernel__hit')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('action', '=', action)
        .where('key', '=', key)
        .where('at', '>', at - seconds)
        .executeTakeFirstOrThrow()
      if (count >= max) return false
      await tx.insertInto('kernel__hit').values({ action, key, at }).execute()
      return true
    })
  }

  return {
    async acquire(action, text, max, seconds) {
      const key = limitKey(text)
      return database.dialect === 'sqlite' ? takeHere(action, key, max, seconds) : await takeTogether(action, key, max, seconds)
    },
    async refund(action, text) {
      const key = limitKey(text)
      if (database.dialect === 'sqlite') hits.get(`${action}\n${key}`)?.times.pop()
      else
        await database.separately((tx) =>
          sql`delete from kernel__hit where ctid in (
            select ctid from kernel__hit where action = ${action} and key = ${key} order by at desc limit 1)`.execute(tx),
        )
    },
    async clean() {
      for (const [name, { until }] of [...hits]) if (until <= now()) hits.delete(name)
      await database.separately((tx) =>
        tx
          .deleteFrom('kernel__hit')
          .where('at', '<', now() - 24 * 3600)
          .execute(),
      )
    },
  }
}
