import { createHook } from 'node:async_hooks'
import type { Database } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { TestStore } from '../test-data.ts'
import { describeOnEach, signal, withNotes } from '../test-data.ts'

async function notes(open: () => Promise<TestStore>) {
  const data = await (await open()).open()
  await withNotes(data)
  const db: Database = data.database
  return {
    db,
    add: (text: string) => db.write((tx) => tx.insertInto('notes__note').values({ text }).execute()),
    texts: async () => (await db.query.selectFrom('notes__note').select('text').orderBy('id').execute()).map((row) => row.text),
  }
}

describeOnEach('a transaction', (store) => {
  it('is joined by every write inside it, and undone with it', async () => {
    const { db, add, texts } = await notes(store)
    await expect(
      db.write(async () => {
        await add('a')
        await db.write(() => add('b'))
        expect(await texts()).toEqual(['a', 'b'])
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await texts()).toEqual([])
  })

  it('that fails because the disk is full says so, and the next one works', async () => {
    const { db, add, texts } = await notes(store)
    if (db.dialect !== 'sqlite') return
    const limitPages = (pages: number) => db.write((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx))
    await add('before')
    await limitPages(1)
    await expect(add('x'.repeat(200_000))).rejects.toThrow(/full/)
    await expect(db.write(() => add('y'.repeat(200_000)))).rejects.toThrow(/full/)
    await limitPages(1_000_000)
    await add('after')
    expect(await texts()).toEqual(['before', 'after'])
  })

  it('shows nothing to others before it is committed', async () => {
    const { db, add, texts } = await notes(store)
    const written = signal()
    const looked = signal()
    const writing = db.write(async () => {
      await add('a')
      written.resolve()
      await looked.promise
    })
    await written.promise
    expect(await texts()).toEqual([])
    looked.resolve()
    await writing
    expect(await texts()).toEqual(['a'])
  })

  it('goes on when a part of it failed and the caller took the error', async () => {
    const { db, add, texts } = await notes(store)
    await db.write(async () => {
      await add('a')
      await expect(
        db.write(async () => {
          await add('b')
          await add('a')
        }),
      ).rejects.toThrow(/unique/i)
      await add('c')
    })
    expect(await texts()).toEqual(['a', 'c'])
  })

  it('keeps parts apart that were started together', async () => {
    const { db, add, texts } = await notes(store)
    await db.write(async () => {
      await Promise.allSettled([
        db.write(async () => {
          await add('a')
          throw new Error('no')
        }),
        db.write(() => add('b')),
      ])
    })
    expect(await texts()).toEqual(['b'])
  })

  it('lets writes of others wait instead of joining', async () => {
    const { db, add, texts } = await notes(store)
    const entered = signal()
    const go = signal()
    const first = db.write(async () => {
      await add('a')
      entered.resolve()
      await go.promise
      throw new Error('no')
    })
    await entered.promise
    const second = add('b')
    go.resolve()
    await expect(first).rejects.toThrow('no')
    await second
    expect(await texts()).toEqual(['b'])
  })

  it('refuses what comes after it was rolled back', async () => {
    const { db, add, texts } = await notes(store)
    const go = signal()
    let late: Promise<unknown> = Promise.resolve()
    await expect(
      db.write(async () => {
        late = go.promise.then(() => add('late'))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    go.resolve()
    await expect(late).rejects.toThrow('rolled back')
    expect(await texts()).toEqual([])
  })

  it('is undone when it takes too long, and the next one runs', async () => {
    const data = await (await store()).open()
    await withNotes(data)
    const db: Database = data.database
    await expect(data.database.separately(() => new Promise(() => {}), 20)).rejects.toThrow('took more than')
    await db.write((tx) => tx.insertInto('notes__note').values({ text: 'a' }).execute())
  })

  it('does last what every writer needs to do, and not for a part that was undone', async () => {
    const { db, add, texts } = await notes(store)
    await db.beforeCommit(() => add('alone'))
    await db.write(async () => {
      await db.beforeCommit(() => add('last'))
      const part = db.write(async () => {
        await db.beforeCommit(() => add('undone'))
        throw new Error('no')
      })
      await expect(part).rejects.toThrow('no')
      await db.write(() => db.beforeCommit(() => add('very last')))
      await add('first')
    })
    expect(await texts()).toEqual(['alone', 'first', 'last', 'very last'])
    await expect(db.write(() => db.beforeCommit(() => add('first')))).rejects.toThrow(/unique/i)
  })

  it('runs afterCommit once committed, and never for what was undone', async () => {
    const { db, add } = await notes(store)
    const ran: string[] = []
    await db.write(async () => {
      db.afterCommit(() => ran.push('whole'))
      await db
        .write(async () => {
          db.afterCommit(() => ran.push('part'))
          throw new Error('no')
        })
        .catch(() => {})
      await add('a')
      expect(ran).toEqual([])
    })
    expect(ran).toEqual(['whole'])
    db.afterCommit(() => ran.push('at once'))
    expect(ran).toEqual(['whole', 'at once'])
  })
})

describeOnEach(
  'a commit',
  (store) => {
    it('is on the disk when it is acknowledged, by one flush for all that wait', async () => {
      const { add, texts } = await notes(store)
      const flushes: number[] = []
      const hook = createHook({ init: (id, type) => void (type === 'FSREQCALLBACK' && flushes.push(id)) }).enable()
      try {
        await add('alone')
        expect(flushes).toHaveLength(1)
        await Promise.all(Array.from({ length: 20 }, (_, n) => add(String(n))))
        expect(await texts()).toHaveLength(21)
        expect(flushes.length).toBeLessThan(1 + 20)
      } finally {
        hook.disable()
      }
    })
  },
  'sqlite',
)

describeOnEach(
  'transactions that wait for each other',
  (store) => {
    it('are all done: the database ends one, and it runs again', async () => {
      const { db, add, texts } = await notes(store)
      await add('a')
      await add('b')
      const runs = { forward: 0, backward: 0 }
      const began = { forward: signal(), backward: signal() }
      const append = (text: string, by: string) =>
        db.query
          .updateTable('notes__note')
          .set((eb) => ({ text: eb('text', '||', by) }))
          .where('text', 'like', `${text}%`)
          .execute()
      const writer = (name: keyof typeof runs, [first, second]: [string, string]) =>
        db.write(async () => {
          runs[name]++
          await append(first, ` ${name}`)
          began[name].resolve()
          await Promise.all([began.forward.promise, began.backward.promise])
          await append(second, ` ${name}`)
        })
      await Promise.all([writer('forward', ['a', 'b']), writer('backward', ['b', 'a'])])
      // On a busy machine both may look for it at once, and both are ended.
      expect(runs.forward + runs.backward).toBeGreaterThanOrEqual(3)
      for (const text of await texts()) expect(text.split(' ').sort()).toEqual([text[0], 'backward', 'forward'])
    })
  },
  'postgres',
)
