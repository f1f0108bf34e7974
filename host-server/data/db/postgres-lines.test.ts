import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { slowLane } from '../../shared/slow-lane.ts'
import type { KernelData } from '../index.ts'
import type { TestStore } from '../test-data.ts'
import { describeOnEach, withNotes } from '../test-data.ts'
import { openPostgresPool } from './postgres.ts'
import { openReader } from './reader.ts'

const one = async (db: Kysely<never>, value: number): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select ${value}::int as n`.execute(db)
  return rows[0]?.n ?? Number.NaN
}
const query = (data: KernelData) => data.database.query as unknown as Kysely<never>
const many = (data: KernelData, from = 0) => Promise.all(Array.from({ length: 40 }, (_, n) => one(query(data), from + n)))
const numbers = (from = 0) => Array.from({ length: 40 }, (_, n) => from + n)

/** What the server says of the site's connections, asked on another one. */
async function beside<R>(store: TestStore, ask: (db: Kysely<never>) => Promise<R>): Promise<R> {
  const { kysely, close } = openPostgresPool(store.databaseUrl as string, 1, () => {})
  try {
    return await ask(kysely as unknown as Kysely<never>)
  } finally {
    await close()
  }
}
const endConnections = (db: Kysely<never>) =>
  sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
const sleeping = (db: Kysely<never>) =>
  sql<{
    pid: number
  }>`select pid from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`
    .execute(db)
    .then(({ rows }) => rows.map(({ pid }) => pid))

describeOnEach(
  'statements that stand alone and share connections',
  (store) => {
    it('each get their own reply, and one that fails fails alone', async () => {
      const data = await (await store()).open()
      const failing = sql`select 1 / ${0}::int`.execute(query(data))
      const [replies, failed] = await Promise.allSettled([many(data), failing])
      expect(replies).toEqual({ status: 'fulfilled', value: numbers() })
      expect(failed).toMatchObject({ status: 'rejected', reason: { code: '22012' } })
    })

    it('give rows of the same kinds whenever they run, and none where there are none', async () => {
      const data = await (await store()).open()
      const kinds = (n: number) =>
        sql`select ${n}::bigint as big, ${n}::text as word, null as nothing, ${n} = 1 as "isOne" where ${n}::int > 0`.execute(query(data))
      const table = (text: string) => sql.raw(text).execute(query(data))
      await table('create table kernel_kinds (n int)')
      for (const n of [1, 2, 3]) {
        expect((await kinds(n)).rows).toEqual([{ big: n, word: String(n), nothing: null, isOne: n === 1 }])
        expect((await kinds(0)).rows).toEqual([])
        expect(await table('insert into kernel_kinds values (1)')).toMatchObject({ rows: [], numAffectedRows: 1n })
        expect((await table('update kernel_kinds set n = n + 1 returning n')).rows).toHaveLength(n)
      }
    })

    it('do not wait for those that take long', async () => {
      const there = await store()
      const data = await there.open()
      await many(data)
      const slow = Array.from({ length: 7 }, () => sql`select pg_sleep(600)`.execute(query(data)).catch((error: unknown) => error))
      await expect.poll(() => beside(there, sleeping)).toHaveLength(7)
      expect(await many(data, 100)).toEqual(numbers(100))
      await beside(there, async (db) => {
        for (const pid of await sleeping(db)) await sql`select pg_cancel_backend(${pid}::int)`.execute(db)
      })
      expect(await Promise.all(slow)).toMatchObject(Array(7).fill({ code: '57014' }))
      // What was asked a second time sleeps on, and would hold up the end.
      await beside(there, endConnections)
    })

    it('never queue behind those of a read that others should not wait for', async () => {
      const there = await store()
      const data = await there.open()
      await many(data)
      await sql`create table kernel_written (n int)`.execute(query(data))
      const slow = slowLane.run(() => sql`select pg_sleep(600)`.execute(query(data)).catch((error: unknown) => error))
      // What writes is not asked again elsewhere: it would wait as long as the one before it.
      const written = await Promise.all([1, 2, 3].map((n) => sql`insert into kernel_written values (${n}::int)`.execute(query(data))))
      expect(written).toMatchObject(Array(3).fill({ numAffectedRows: 1n }))
      await beside(there, endConnections)
      expect(await slow).toMatchObject({ code: '57P01' })
    })

    it('are asked again elsewhere once their connection is lost', async () => {
      const there = await store()
      const data = await there.open()
      await many(data)
      const slow = sql`select pg_sleep(600)`.execute(query(data)).catch((error: unknown) => error)
      await expect.poll(() => beside(there, sleeping)).toHaveLength(1)
      await beside(there, endConnections)
      expect(await slow).toMatchObject({ code: '57P01' })
      await expect.poll(() => many(data, 7).catch(() => [])).toEqual(numbers(7))
    })

    it('are named no more than a connection keeps, and those that were forgotten are named anew', async () => {
      const data = await (await store()).open()
      const ask = async (n: number) => (await sql<{ n: number }>`select ${sql.lit(n)} + ${1}::int as n`.execute(query(data))).rows[0]?.n
      for (let round = 0; round < 2; round++) {
        const asked = Array.from({ length: 700 }, (_, n) => ask(n))
        expect(await Promise.all(asked)).toEqual(Array.from({ length: 700 }, (_, n) => n + 1))
      }
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_prepared_statements`.execute(query(data))
      expect(rows[0]?.n).toBeLessThanOrEqual(301)
    })

    it('neither compile statements nor start processes for them; nor do connections that write, or of workers', async () => {
      const data = await (await store()).open()
      const settings = (db: Kysely<never>) =>
        sql<{ name: string; setting: string }>`select name, setting from pg_settings
          where name in ('jit', 'max_parallel_workers_per_gather') order by name`.execute(db)
      const { rows: reading } = await settings(query(data))
      const { rows: writing } = await data.database.write((tx) => settings(tx as unknown as Kysely<never>))
      const reader = openReader(data.readerConfig)
      const { rows: working } = await settings(reader.db as unknown as Kysely<never>).finally(() => reader.close())
      for (const rows of [reading, writing, working]) expect(rows.map(({ setting }) => setting)).toEqual(['off', '0'])
    })

    it('refuse what needs a connection of its own', async () => {
      const data = await (await store()).open()
      await withNotes(data)
      await expect(
        query(data)
          .transaction()
          .execute(async () => {}),
      ).rejects.toThrow('there is no connection for "begin"')
      expect(await many(data)).toEqual(numbers())
    })
  },
  'postgres',
)
