import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { afterEach, expect, it, vi } from 'vitest'
import { describeOnEach } from '../test-data.ts'
import { openPostgresPool } from './postgres.ts'
import type { TableSizes } from './postgres-plans.ts'
import { Plans } from './postgres-plans.ts'

afterEach(() => void vi.useRealTimers())

it('how large tables are is asked once at a time, however long the server takes, and tables that shrink may grow again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const asked: PromiseWithResolvers<TableSizes>[] = []
  const plans = new Plans(() => {
    const sizes = Promise.withResolvers<TableSizes>()
    asked.push(sizes)
    return sizes.promise
  })
  const muchLater = () => {
    vi.advanceTimersByTime(10_000)
    for (let statement = 0; statement < 1_000; statement++) plans.countStatement()
  }
  const answered = async (bytes: number) => {
    asked.at(-1)?.resolve(new Map([['queue', bytes]]))
    await new Promise(setImmediate)
    return plans.age
  }
  muchLater()
  muchLater()
  expect(asked).toHaveLength(1)
  const ages = [await answered(80_000)]
  for (const bytes of [320_000, 320_001, 1_000_000, 0, 32_768, 32_769]) {
    muchLater()
    ages.push(await answered(bytes))
  }
  expect(ages).toEqual([0, 0, 1, 1, 1, 1, 2])
  muchLater()
  asked.at(-1)?.reject(new Error('The server has gone'))
  await new Promise(setImmediate)
  muchLater()
  expect(asked).toHaveLength(9)
})

interface Tables {
  note: { id: number; text: string }
}

describeOnEach(
  'plans of named statements',
  (store) => {
    it('are made anew once a table has grown that the server believes to be empty', async () => {
      const there = await store()
      const { kysely, close } = openPostgresPool(there.databaseUrl as string, 1, () => {})
      const db = kysely as unknown as Kysely<Tables>
      try {
        await sql`create table note (id bigint primary key, text text not null)`.execute(db)
        await sql`vacuum analyze note`.execute(db)
        const read = async (id: number) => (await db.selectFrom('note').select('text').where('id', '=', id).executeTakeFirst())?.text
        const planOfRead = async () => {
          const { rows } = await sql<{ name: string; generic: number }>`select name, generic_plans as generic from pg_prepared_statements
            where statement like 'select "text" from%'`.execute(db)
          const [found] = rows.filter(({ generic }) => generic > 0)
          if (!found) return undefined
          const plan = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain execute ${found.name} (1)`)}`.execute(db)
          return plan.rows.map((row) => row['QUERY PLAN']).join('\n')
        }
        for (let time = 0; time < 10; time++) await read(time)
        expect(await planOfRead()).toContain('Seq Scan')

        await sql`insert into note select n, repeat('x', 100) from generate_series(1, 2000) n`.execute(db)
        expect(await planOfRead()).toContain('Seq Scan')
        await expect
          .poll(
            async () => {
              for (let time = 0; time < 600; time++) await read(time)
              return planOfRead()
            },
            { timeout: 20_000 },
          )
          .toContain('Index Scan')
        expect(await read(2000)).toBe('x'.repeat(100))
      } finally {
        await close()
      }
    })
  },
  'postgres',
)
