import type { ReadContext } from '@stoa/sdk/server'
import { createDatabase } from '@stoa/sdk/testing'
import SQLite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import posts from '../migrations/0001-posts.ts'
import groups from '../migrations/0002-groups.ts'
import type { Selection } from '../server/lists/select-page.ts'
import { selectPage } from '../server/lists/select-page.ts'
import { placeColumns } from '../server/store/groups.ts'
import type { Tables } from '../server/store/tables.ts'
import { inGroup } from '../shared/api.ts'
import { orderNames } from '../shared/schemas.ts'

const dialect = process.env.STOA_TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'
const now = 1_800_000_000
const POSTS = 300

/** Lists whose cost must not grow with the site: the database walks along an index and stops after a page. */
describe(`the plans of public lists (${dialect})`, () => {
  let db: Kysely<Tables>
  let asked: CompiledQuery[] = []
  let close = async () => {}

  beforeAll(async () => {
    const log = (event: { level: string; query: CompiledQuery }) => void (event.level === 'query' && asked.push(event.query))
    if (dialect === 'postgres') {
      const database = await createDatabase(process.env.STOA_TEST_PG as string)
      // One connection, since the settings below are of a connection. Without them a small table is read as a whole and sorted.
      const pool = new pg.Pool({ connectionString: database.url, max: 1 })
      // The database is dropped with connections that are about to end.
      pool.on('error', () => {})
      db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log })
      for (const setting of ['enable_seqscan', 'enable_sort', 'enable_incremental_sort', 'enable_bitmapscan'])
        await sql.raw(`set ${setting} = off`).execute(db)
      close = async () => {
        await db.destroy()
        await database.drop()
      }
    } else {
      db = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }), log })
      close = () => db.destroy()
    }
    await posts.up(db as never, dialect)
    await groups.up(db as never, dialect)
    const texts = { title: 'A title', url_title: 'a-title', excerpt: 'A text' }
    const rows = Array.from({ length: POSTS }, (_, index) => ({ author_id: 1, created_at: now - index, active_at: now - index, ...texts }))
    await db.insertInto('experiences__post').values(rows).execute()
    await db.updateTable('experiences__counter').set({ listed: POSTS, open: POSTS }).execute()
    const places = sql.join(placeColumns.map((column) => sql.ref(column)))
    await sql`insert into experiences__group (name, post_id, ${places})
      select 'tag:' || (id % 2), id, ${places} from experiences__post`.execute(db)
  })
  afterAll(() => close())

  /** Plans of all that one page asks of a table. */
  async function plansOf(selection: Partial<Selection>, table = 'experiences__post'): Promise<string[]> {
    asked = []
    const remember: ReadContext['remember'] = (_key, fn) => fn()
    const { rows } = await selectPage({ db, dialect, now, remember } as ReadContext<Tables>, {
      order: 'newest',
      page: 1,
      size: 20,
      ...selection,
    })
    expect(rows).toHaveLength(20)
    const plans: string[] = []
    for (const { sql: text, parameters } of asked.filter((query) => query.sql.includes(table))) {
      const explain = dialect === 'sqlite' ? 'explain query plan ' : 'explain '
      const { rows: lines } = await db.executeQuery<Record<string, unknown>>({ sql: explain + text, parameters } as CompiledQuery)
      plans.push(lines.map((line) => String(line.detail ?? line['QUERY PLAN'])).join('\n'))
    }
    return plans
  }

  for (const order of orderNames) {
    it(`walk along an index in the order ${order}`, async () => {
      const plans = await plansOf({ order })
      for (const plan of plans) {
        expect(plan).toMatch(/using (covering index |index )?experiences__post_/i)
        expect(plan).not.toMatch(/temp b-tree|\bsort\b|seq scan/i)
      }
      expect(plans.at(-1)).toContain(`experiences__post_${order === 'recommend' ? 'hot' : order}`)
    })
  }

  for (const order of orderNames) {
    it(`walk along an index of a group in the order ${order}`, async () => {
      const ids = inGroup('tag', 1, sql<number>`select 1`)
      const plans = await plansOf({ order, filters: { ids: [ids], key: 'one' } }, 'experiences__group')
      // The rows of the page, once it is found, are put in order, or asked for by number.
      for (const plan of plans) expect(plan.replace(/^USE TEMP B-TREE FOR ORDER BY$/m, '')).not.toMatch(/temp b-tree|\bsort\b|seq scan/i)
      expect(plans.at(-1)).toMatch(/using covering index|index only scan/i)
      expect(plans.at(-1)).toContain(`experiences__group_${order === 'recommend' ? 'hot' : order}`)
    })
  }

  for (const table of ['experiences__post', 'experiences__group']) {
    for (const order of ['newest', 'active', 'hot', 'score', 'unanswered'] as const) {
      it(`begin at the end of a page that was read before, in the order ${order} of ${table}`, async () => {
        const kept = new Map<string, Promise<unknown>>()
        const remember: ReadContext['remember'] = <T>(key: string, fn: () => Promise<T>) => {
          const value = (kept.get(key) as Promise<T> | undefined) ?? fn()
          kept.set(key, value)
          return value
        }
        const filters = { ids: [inGroup('tag', 1, sql<number>`select id from experiences__post where id % 2 = 1`)], key: 'one' }
        const selection = { order, size: 20, ...(table === 'experiences__group' && { filters }) }
        const page = async (number: number, ctx: object) =>
          (await selectPage({ db, dialect, now, ...ctx } as ReadContext<Tables>, { ...selection, page: number })).rows
        await page(5, { remember })
        asked = []
        const seventh = await page(7, { remember })
        const query = asked.find(({ sql: text }) => text.includes(table)) as CompiledQuery
        const { rows: lines } = await db.executeQuery<Record<string, unknown>>({
          ...query,
          sql: (dialect === 'sqlite' ? 'explain query plan ' : 'explain ') + query.sql,
        })
        const plan = lines.map((line) => String(line.detail ?? line['QUERY PLAN'])).join('\n')
        expect(plan).toContain(`${table}_${order}`)
        // PostgreSQL puts the rows of a group's page in order once it is found.
        if (dialect === 'sqlite' || table === 'experiences__post') expect(plan).not.toMatch(/temp b-tree|\bsort\b|seq scan/i)
        // The rows of the page between are left out, and none before.
        expect(query.parameters.at(-1)).toBe(20)
        expect(seventh).toEqual(await page(7, { remember: (_key: string, fn: () => unknown) => fn() }))
        expect(seventh).toHaveLength(20)
      })
    }
  }

  it('walk along an index when a filter leaves many posts', async () => {
    const filters = { ids: [sql<number>`select id from experiences__post where author_id = 1`], key: 'own' }
    const plan = (await plansOf({ filters, order: 'score' })).at(-1) as string
    expect(plan).toContain('experiences__post_score')
    expect(plan).not.toMatch(/temp b-tree|\bsort\b/i)
  })

  it('ask nothing of the table but the page itself, unless the order is a window', async () => {
    for (const order of ['newest', 'score', 'unanswered', 'frequent'] as const) expect(await plansOf({ order }), order).toHaveLength(1)
  })
})
