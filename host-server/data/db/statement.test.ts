import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnEach, withNotes } from '../test-data.ts'

interface Notes {
  notes__note: { id: number; text: string }
}

const adding = statement((db: Kysely<Notes>, note: { id: number; text: string }) => db.insertInto('notes__note').values(note))
const named = statement((db: Kysely<Notes>, { texts, size }: { texts: readonly string[]; size: number }) =>
  db.selectFrom('notes__note').select('text').where('text', 'in', texts).orderBy('text').limit(size),
)

describeOnEach('a statement that is composed once', (store) => {
  async function withTexts(texts: string[]) {
    const data = await (await store()).open()
    await withNotes(data)
    const db = data.database as unknown as { query: Kysely<Notes>; write<R>(fn: (tx: Kysely<Notes>) => Promise<R>): Promise<R> }
    await db.write((tx) =>
      tx
        .insertInto('notes__note')
        .values(texts.map((text, id) => ({ id: id + 1, text })))
        .execute(),
    )
    const find = async (wanted: string[], size = 100) => (await named(db.query, { texts: wanted, size })).map(({ text }) => text)
    return { db, find }
  }

  it('finds what each call asks for, whatever the lengths of its lists', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `note ${String(n).padStart(2, '0')}`)
    const { find } = await withTexts(texts)
    for (const length of [1, 2, 4, 20, 21, 40]) expect(await find(texts.slice(0, length))).toEqual(texts.slice(0, length))
    expect(await find(texts.slice(10, 14))).toEqual(texts.slice(10, 14))
    expect(await find(texts, 3)).toEqual(texts.slice(0, 3))
    expect(await find(texts, 5)).toEqual(texts.slice(0, 5))
    expect(await find([])).toEqual([])
    expect(await find(Array.from({ length: 5000 }, (_, n) => texts[n % 3] as string))).toEqual(texts.slice(0, 3))
  })

  it('takes values that look like something else as they are', async () => {
    const odd = [`a' or '1'='1`, '?', '$1']
    const { find } = await withTexts(odd)
    expect(await find([odd[0] as string])).toEqual([odd[0]])
    expect((await find(odd)).sort()).toEqual([...odd].sort())
  })

  it('reads inside the transaction it is given', async () => {
    const { db, find } = await withTexts(['old'])
    await db.write(async (tx) => {
      await tx.insertInto('notes__note').values({ id: 2, text: 'new' }).execute()
      expect(await named(tx, { texts: ['old', 'new'], size: 9 })).toEqual([{ text: 'new' }, { text: 'old' }])
    })
    expect(await find(['new'])).toEqual(['new'])
  })

  it('writes as a part of the transaction it is given, and nothing once that has ended', async () => {
    const { db, find } = await withTexts(['old'])
    const failed = db.write(async (tx) => {
      await adding(tx, { id: 2, text: 'undone' })
      throw new Error('no')
    })
    await expect(failed).rejects.toThrow('no')
    const ended = await db.write(async (tx) => {
      expect(await adding(tx, { id: 3, text: 'kept' })).toEqual([])
      return tx
    })
    await expect(adding(ended, { id: 4, text: 'late' })).rejects.toThrow(/ended|committed/)
    await expect(named(ended, { texts: ['old'], size: 1 })).rejects.toThrow(/ended|committed/)
    expect(await find(['old', 'undone', 'kept', 'late'])).toEqual(['kept', 'old'])
  })
})

describeOnEach(
  'a statement of SQLite',
  (store) => {
    it('has no bare parameter, for which it would be planned anew each time', async () => {
      const data = await (await store()).open()
      await withNotes(data)
      const db = data.database.query as unknown as Kysely<Notes>
      const query = db
        .selectFrom('notes__note')
        .select((eb) => eb.val('text').as('text'))
        .where('text', 'in', ['a', 'b'])
        .where(sql<boolean>`id - ${1} = ${-1}`)
        .limit(1)
        .offset(0)
      const { sql: text, parameters } = query.compile()
      expect(text.match(/\?/g)).toHaveLength(parameters.length)
      expect(text.match(/\+\?/g)).toHaveLength(parameters.length)
      expect(await query.execute()).toEqual([])
    })
  },
  'sqlite',
)
