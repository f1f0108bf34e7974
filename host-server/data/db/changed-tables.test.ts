import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { KernelData } from '../index.ts'
import { describeOnEach, withNotes } from '../test-data.ts'
import { openReader } from './reader.ts'

interface Notes {
  notes__note: { id: number; text: string; colour?: string }
}

const notes = (data: KernelData) =>
  data.database as unknown as { query: Kysely<Notes>; write<R>(fn: (tx: Kysely<Notes>) => Promise<R>): Promise<R> }
const all = (db: Kysely<Notes>) => db.selectFrom('notes__note').selectAll().execute()
/** As often at once as there are connections, so that each has prepared it. */
const everywhere = <R>(fn: () => Promise<R>) => Promise.all(Array.from({ length: 12 }, fn))

const withColour = {
  name: '0002-colour',
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('notes__note').addColumn('colour', 'text').execute()
  },
}

describeOnEach('statements that were prepared before a table got another column', (store) => {
  it('are answered with that column', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    const db = notes(data)
    await db.write((tx) => tx.insertInto('notes__note').values({ id: 1, text: 'first' }).execute())
    const change = () => db.write((tx) => tx.updateTable('notes__note').set({ text: 'second' }).returningAll().execute())
    await everywhere(() => db.write(all))
    await everywhere(() => all(db.query))
    await everywhere(change)
    await data.migrate('notes', [withColour] as never)
    const row = { id: 1, text: 'second', colour: null }
    expect(await everywhere(() => all(db.query))).toEqual(Array(12).fill([row]))
    expect(await everywhere(() => db.write(all))).toEqual(Array(12).fill([row]))
    expect(await everywhere(change)).toEqual(Array(12).fill([row]))
  })

  it('are answered too when another process changed it, also inside a transaction, which then runs again', async () => {
    const where = await store()
    const data = await where.open()
    await withNotes(data)
    const db = notes(data)
    const readTwice = () =>
      db.write(async (tx) => {
        await tx.selectFrom('notes__note').select('id').execute()
        return await all(tx)
      })
    await everywhere(readTwice)
    await everywhere(() => all(db.query))
    const other = await where.open({ passive: true })
    const alter = (command: string) => other.database.separately((tx) => sql.raw(command).execute(tx))
    await alter('alter table notes__note add column colour text')
    await alter(`insert into notes__note (id, text, colour) values (1, 'first', 'red')`)
    const row = { id: 1, text: 'first', colour: 'red' }
    expect(await everywhere(readTwice)).toEqual(Array(12).fill([row]))
    await alter('alter table notes__note drop column colour')
    expect(await everywhere(() => all(db.query))).toEqual(Array(12).fill([{ id: 1, text: 'first' }]))
  })

  it('are answered to a reader of its own', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    await notes(data).write((tx) => tx.insertInto('notes__note').values({ id: 1, text: 'first' }).execute())
    const reader = openReader(data.readerConfig)
    try {
      await all(reader.db)
      await data.migrate('notes', [withColour] as never)
      expect(await all(reader.db)).toEqual([{ id: 1, text: 'first', colour: null }])
    } finally {
      await reader.close()
    }
  })
})
