import { fullText } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { describeOnEach } from '../test-data.ts'

const RECENT = 50
const manyWords = (seed: number) => Array.from({ length: 80 }, (_, i) => `other${(seed * i) % 997}`).join(' ')

describeOnEach('full text on PostgreSQL', (store) => {
  /** 3,000 texts, of which fifty are recent, and what all of them were that once. */
  async function bloated() {
    const data = await (await store()).open()
    const index = fullText('notes__text', data.dialect, RECENT)
    await data.migrate('notes', [{ name: '0001-text', up: (db) => index.create(db) }])
    for (let at = 0; at < 3000; at += 1000)
      await data.database.write((tx) =>
        index.put(
          tx,
          Array.from({ length: 1000 }, (_, i) => ({ id: at + i + 1, body: `rivers word${at + i + 1} ${manyWords(i)}` })),
        ),
      )
    const newest = (...every: string[]) => index.newest(data.database.query, { every }, 3)
    const put = (id: number, body: string) => data.database.write((tx) => index.put(tx, [{ id, body }]))
    const small = async () => {
      const { rows } = await sql<{ bytes: number; table: number }>`select pg_total_relation_size('notes__text_new') as bytes,
        'notes__text_new'::regclass::oid as "table"`.execute(data.database.query)
      return rows[0] as { bytes: number; table: number }
    }
    /** Texts after the bound that are not the same in both tables. */
    const differences = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n
        from (select * from notes__text where id > (select id from notes__text_new where is_long = -1)) as a
        full join (select * from notes__text_new where is_long <> -1) as b on b.id = a.id where a.words is distinct from b.words`.execute(
        data.database.query,
      )
      return rows[0]?.n
    }
    const names = async () => {
      const { rows } = await sql<{
        name: string
      }>`select indexname as name from pg_indexes where tablename like 'notes\_\_%' order by 1`.execute(data.database.query)
      return rows.map(({ name }) => name)
    }
    return { data, index, newest, put, small, differences, names }
  }

  it('lets go of what texts have left behind that were recent once, while others read and write', async () => {
    const { data, index, newest, put, small, differences, names } = await bloated()
    const [before, named] = [await small(), await names()]
    const works: Promise<unknown>[] = []
    let steps = 0
    await index.compact(async (work) => {
      steps++
      const done = data.database.write(work)
      for (let i = 0; i < 20; i++) works.push(newest('rivers'), newest('word7'), put(3001 + i, `rivers late${i}`))
      const isMore = await done
      // What has been copied already.
      if (steps === 2) {
        await put(2980, 'lakes')
        await data.database.write((tx) => index.remove(tx, [2981]))
      }
      return isMore
    })
    expect(steps).toBe(3)
    for (const found of await Promise.all(works)) if (Array.isArray(found)) expect(found.length).toBeGreaterThan(0)
    const after = await small()
    expect(after.bytes * 3).toBeLessThan(before.bytes)
    expect(await differences()).toBe(0)
    expect([await newest('lakes'), await newest('word2980'), await newest('word2981'), await newest('word2982')]).toEqual([
      [2980],
      [],
      [],
      [2982],
    ])
    expect(await names()).toEqual(named)
    expect([await newest('rivers'), await newest('word7'), await newest('word2999')]).toEqual([[3020, 3019, 3018], [7], [2999]])
    expect(await newest('late7')).toEqual([3008])
    await put(2999, 'mountains')
    expect([await newest('word2999'), await newest('mountains')]).toEqual([[], [2999]])
    // Made once more it holds the same.
    await data.database.write((tx) => index.create(tx))
    expect([await newest('rivers'), await names()]).toEqual([[3020, 3019, 3018], named])
  })

  it('leaves that where somebody reads for long', async () => {
    const { data, index, newest, put, small, names } = await bloated()
    const before = await small()
    const reading = Promise.withResolvers<void>()
    const enough = Promise.withResolvers<void>()
    const reader = data.database.write(async (tx) => {
      await sql`select count(*) from notes__text_new`.execute(tx)
      reading.resolve()
      await enough.promise
    })
    await reading.promise
    await index.compact((work) => data.database.write(work)).finally(enough.resolve)
    await reader
    expect((await small()).table).toBe(before.table)
    expect((await names()).filter((name) => name.includes('anew'))).toEqual([])
    await put(3001, 'rivers')
    expect(await newest('rivers')).toEqual([3001, 3000, 2999])
  })

  it('keeps words outside of their rows, those of before too', async () => {
    const data = await (await store()).open()
    const index = fullText('notes__text', data.dialect, RECENT)
    const create = (name: string) => ({ name, up: index.create })
    await data.migrate('notes', [create('0001-text')])
    // As it was made before.
    await data.database.write(async (tx) => {
      for (const table of ['notes__text', 'notes__text_new'].map((name) => sql.table(name)))
        await sql`alter table ${table} drop column blanks, alter column words set storage extended, reset (toast_tuple_target)`.execute(tx)
    })
    const texts = (from: number) =>
      Array.from({ length: 500 }, (_, i) => ({ id: from + i, body: `birds stones ${manyWords(from + i)} ${from + i}` }))
    await data.database.write((tx) => index.put(tx, texts(1)))
    const bytesOfRows = async () => {
      const { rows } = await sql<{ bytes: number }>`select pg_relation_size('notes__text') as bytes`.execute(data.database.query)
      return Number(rows[0]?.bytes)
    }
    const before = await bytesOfRows()
    await data.migrate('notes', [create('0001-text'), create('0002-text')])
    await data.database.write((tx) => index.put(tx, texts(501)))
    expect((await bytesOfRows()) * 2).toBeLessThan(before)
    expect(await index.newest(data.database.query, { every: ['birds stones'] }, 1000)).toHaveLength(1000)
    expect(await index.newest(data.database.query, { every: ['birds stones', '77'] }, 1000)).toEqual([77])
  })
})
