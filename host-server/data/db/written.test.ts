import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeOnEach, withNotes } from '../test-data.ts'
import { Written } from './written.ts'

const TEXT = { table: 'notes__note', columns: ['text'] }

/** Whether a transaction with one statement is taken to write the column. */
function touches(statement: string): boolean {
  const written = new Written()
  written.add('begin')
  written.add(statement)
  written.add('commit')
  return written.touches(TEXT)
}

describe('what is written', () => {
  it.each([
    'insert into "notes__note" ("text") values ($1)',
    'insert into notes__note(text) values ($1)',
    'INSERT INTO "notes__note" default values',
    'delete from "notes__note" where "id" = $1',
    'update "notes__note" set "text" = $1',
    'update "notes__note" set "id" = $1, "text" = (select "a" from "b" where "c" = 1) where "id" = $2',
    'update "notes__note" set "id" = (select "a" from "b" where "c" = 1), "text" = $1',
    `update "notes__note" set "id" = ' where ', "text" = $1 where "id" = 1`,
    'update "notes__note" set "id" = ("id" + (1)), "text" = $1 where "id" in ($2)',
    'update notes__note\n set text = $1 where id = $2',
    'update "notes__note" as "n" set "id" = $1',
    'update "public"."other" set "id" = $1',
    'insert into "public"."notes__note" ("id") values ($1)',
    'with "old" as (select 1) delete from "other" where "id" in (select * from "old")',
    'alter table "other" add column "text" text',
    'call something()',
  ])('may be the column: %s', (statement) => expect(touches(statement)).toBe(true))

  it.each([
    'select "text" from "notes__note" where "id" = $1 for update',
    '/* planned each time */ select 1',
    'insert into "notes__other" ("text") values ($1)',
    'delete from "other" where "id" in (select "id" from "notes__note")',
    'update "other" set "text" = $1',
    'update "notes__note" set "colour" = $1 where "text" = $2',
    'savepoint part_1',
  ])('is not the column: %s', (statement) => expect(touches(statement)).toBe(false))
})

describeOnEach('the version of some columns', (store) => {
  it('is another one after each commit that may have written them, and none where nobody knows', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    const { database } = data
    const version = () => database.version(TEXT)
    const write = database.ofPlugins.write
    const change = async (statement: string) => {
      const before = version()
      await write((tx) => sql.raw(statement).execute(tx))
      return version() !== before
    }
    expect(version()).toBeTypeOf('number')
    expect(await change(`insert into notes__note (text) values ('a')`)).toBe(true)
    expect(await change(`update notes__note set text = 'b' where id = 1`)).toBe(true)
    expect(await change('with gone as (select 1 as id) delete from notes__note where id in (select id from gone)')).toBe(true)
    // A look of SQLite's costs little.
    expect(await change('update notes__note set id = id')).toBe(database.dialect === 'sqlite')
    await write(async () => expect(version()).toBeUndefined())
    const before = version()
    database.changedElsewhere()
    expect(version()).not.toBe(before)
  })

  it('stays, as all that is remembered, when what is written is not shown', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    const { database } = data
    const versions = async () => [database.version(), database.version(TEXT), await database.changes(), await database.changesKnown()]
    const update = sql.raw('update notes__note set text = text')
    const before = await versions()
    await database.ofPlugins.write((tx) => update.execute(tx), { shown: false })
    expect(await versions()).toEqual(before)
    // Joined to others that are.
    await database.ofPlugins.write(async (tx) => {
      await database.ofPlugins.write((part) => update.execute(part), { shown: false })
      await update.execute(tx)
    })
    const after = await versions()
    expect(after.filter((version, index) => version === before[index])).toEqual([])
  })

  it('stays when the site looks for what others have committed, and nobody has', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    const { database } = data
    await database.look()
    const before = database.version(TEXT)
    await database.ofPlugins.write((tx) => sql.raw('update notes__note set id = id').execute(tx))
    const after = database.version(TEXT)
    expect(after === before).toBe(database.dialect === 'postgres')
    for (let i = 0; i < 3; i++) await database.look()
    expect(database.version(TEXT)).toBe(after)
  })

  it('is another one when another node has committed', async () => {
    const where = await store()
    const data = await where.open()
    await withNotes(data)
    const { database } = data
    if (database.dialect === 'sqlite') return
    await database.look()
    const before = database.version(TEXT)
    const other = await where.open({ passive: true })
    await other.database.ofPlugins.write((tx) => sql.raw(`insert into notes__note (text) values ('theirs')`).execute(tx))
    await database.look()
    expect(database.version(TEXT)).not.toBe(before)
  })
})
