import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { openSqlite } from './sqlite.ts'

const dir = mkdtempSync(join(tmpdir(), 'stoa-statistics-'))
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('a closed SQLite site knows that a column of few values tells less than one of many', async () => {
  const path = join(dir, 'stoa.db')
  const first = openSqlite(path)
  await first.writer.transaction().execute(async (tx) => {
    await sql`create table note (id integer primary key, person integer, status integer, at integer)`.execute(tx)
    await sql`create index note_status on note (status, at)`.execute(tx)
    await sql`create index note_person on note (person)`.execute(tx)
    // The first ones have many each, as those of a site do who were there from the beginning.
    await sql`with recursive n(value) as (select 1 union all select value + 1 from n where value < 30000)
      insert into note (person, status, at) select case when value <= 6000 then value / 1500 else value end, 1, value from n`.execute(tx)
  })
  await sql`select count(*) from note where person = 1 and status = 1`.execute(first.writer)
  await first.close()
  const second = openSqlite(path)
  const { rows } = await sql<{ idx: string; stat: string }>`select idx, stat from sqlite_stat1 where tbl = 'note'`.execute(second.reader)
  await second.close()
  const rowsOfOne = new Map(rows.map(({ idx, stat }) => [idx, Number(stat.split(' ')[1])]))
  expect(rowsOfOne.get('note_status')).toBeGreaterThan(100 * (rowsOfOne.get('note_person') as number))
})
