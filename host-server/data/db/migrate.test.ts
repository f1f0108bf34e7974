import type { Migration } from '@stoa/sdk/server'
import { continueIds, idColumn, insertedId } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnEach, withNotes } from '../test-data.ts'

const creates = (name: string, table: string): Migration & { name: string } => ({
  name,
  async up(db) {
    await db.schema.createTable(table).addColumn('id', 'bigint').execute()
  },
})

describeOnEach('migrations', (store) => {
  it('run once each, in order of their names', async () => {
    const data = await (await store()).open()
    const ran: string[] = []
    const step = (name: string) => ({ name, up: async () => void ran.push(name) })
    await data.migrate('notes', [step('0002-b'), step('0001-a')])
    await data.migrate('notes', [step('0001-a'), step('0002-b'), step('0003-c')])
    await data.migrate('other', [step('0001-a')])
    expect(ran).toEqual(['0001-a', '0002-b', '0003-c', '0001-a'])
  })

  it('may make tables of their own plugin only', async () => {
    const data = await (await store()).open()
    await data.migrate('locale-zh-cn', [creates('0001-good', 'locale_zh_cn__word')])
    for (const table of ['notes', 'kernel__more', 'notes_note', 'locale_zh__word']) {
      await expect(data.migrate('notes', [creates('0001-bad', table)])).rejects.toThrow(
        `touches the table ${table}; its tables must be named notes__`,
      )
    }
    await data.migrate('notes', [creates('0001-bad', 'notes__note')])
  })

  it('are refused for a plugin whose tables would be those of another', async () => {
    const data = await (await store()).open()
    await data.migrate('acme-diary', [creates('0001-page', 'acme_diary__page')])
    await expect(data.migrate('acme_diary', [creates('0001-page', 'acme_diary__other')])).rejects.toThrow('would be those of acme-diary')
    await data.migrate('acme-diary', [creates('0001-page', 'acme_diary__page'), creates('0002-line', 'acme_diary__line')])
  })

  it('may not change or drop the tables of others', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    const steps = {
      add: (db: Parameters<Migration['up']>[0]) => db.schema.alterTable('notes__note').addColumn('more', 'text').execute(),
      drop: (db: Parameters<Migration['up']>[0]) => db.schema.dropTable('notes__note').execute(),
    }
    for (const [name, up] of Object.entries(steps)) {
      await expect(data.migrate('other', [{ name, up: async (db) => void (await up(db)) }])).rejects.toThrow(
        'touches the table notes__note',
      )
    }
    await data.database.query
      .selectFrom('notes__note' as never)
      .select(sql`1`.as('n'))
      .execute()
  })

  it('leave nothing of a step that failed, and say which it was', async () => {
    const data = await (await store()).open()
    const failing = {
      name: '0001-half',
      async up(db: Parameters<Migration['up']>[0]) {
        await db.schema.createTable('notes__note').addColumn('id', 'bigint').execute()
        throw new Error('out of ink')
      },
    }
    await expect(data.migrate('notes', [failing])).rejects.toThrow('Migration notes/0001-half failed: out of ink')
    await data.migrate('notes', [creates('0001-half', 'notes__note')])
  })

  it('give the columns helpers: ids count up, are never used twice, and come back as numbers', async () => {
    const data = await (await store()).open()
    await data.migrate('notes', [
      {
        name: '0001-notes',
        async up(db, dialect) {
          await db.schema
            .createTable('notes__note')
            .addColumn(...idColumn(dialect))
            .addColumn('at', 'bigint')
            .execute()
        },
      },
    ])
    const at = 4_102_444_800_000
    const ids = await data.database.write(async (tx) => {
      const notes = tx as never as Parameters<typeof insertedId>[0]
      const first = await insertedId(notes, 'notes__note', { at })
      const second = await insertedId(notes, 'notes__note', { at })
      await notes.deleteFrom('notes__note').where('id', '=', second).execute()
      const third = await insertedId(notes, 'notes__note', { at })
      await notes.insertInto('notes__note').values({ id: 500, at }).execute()
      await continueIds(notes, data.dialect, 'notes__note')
      return [first, second, third, await insertedId(notes, 'notes__note', { at })]
    })
    expect(ids).toEqual([1, 2, 3, 501])
    const { rows } = await sql`select max(at) as at, count(*) as n, sum(id) as total from notes__note`.execute(data.database.query)
    expect(rows).toEqual([{ at, n: 4, total: 1 + 3 + 500 + 501 }])
  })
})

describeOnEach(
  'two nodes that start together',
  (store) => {
    it('run each migration once', async () => {
      const there = await store()
      const [one, other] = await Promise.all([there.open(), there.open()])
      await Promise.all([one.migrate('notes', [creates('0001', 'notes__note')]), other.migrate('notes', [creates('0001', 'notes__note')])])
    })
  },
  'postgres',
)
