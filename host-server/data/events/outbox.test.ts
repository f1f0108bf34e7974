import { event } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { backoffSeconds } from '../db/backoff.ts'
import type { KernelTables } from '../db/tables.ts'
import type { KernelData } from '../index.ts'
import { describeOnEach, signal } from '../test-data.ts'
import { createCursors, eventsInOrder, isAhead } from './cursors.ts'

const noted = event<{ n: number }>('notes.noted')
const emit = (data: KernelData, n: number, key?: string) => data.outbox.emit('notes', noted, { n }, key === undefined ? {} : { key })

/** Subscribes and collects the numbers that arrive. */
async function listener(data: KernelData, options: Parameters<KernelData['outbox']['subscribe']>[3] = {}, name = 'all') {
  const seen: number[] = []
  const end = data.outbox.subscribe('reader', name, noted.id, options, ({ n }: { n: number }) => void seen.push(n))
  await end.ready
  return { seen, end }
}

describeOnEach('an event', (store) => {
  it('is delivered after commit, in order, to each subscription', async () => {
    const data = await (await store()).open()
    await emit(data, 0)
    const first = await listener(data, {}, 'first')
    const second = await listener(data, {}, 'second')
    await data.database.write(async () => {
      await emit(data, 1)
      await emit(data, 2)
      expect(first.seen).toEqual([])
    })
    await emit(data, 3)
    await data.settled()
    expect(first.seen).toEqual([1, 2, 3])
    expect(second.seen).toEqual([1, 2, 3])
  })

  it('wakes its subscription by itself', async () => {
    const data = await (await store()).open()
    const arrived = signal<number>()
    const end = data.outbox.subscribe('reader', 'all', noted.id, {}, ({ n }: { n: number }) => arrived.resolve(n))
    await end.ready
    await emit(data, 7)
    expect(await arrived.promise).toBe(7)
  })

  it('is delivered however many come at once, and also when it comes while the last of them is', async () => {
    const data = await (await store()).open()
    const seen: number[] = []
    const done = signal()
    const end = data.outbox.subscribe('reader', 'all', noted.id, {}, async ({ n }: { n: number }) => {
      seen.push(n)
      if (n === 250) await emit(data, 251)
      if (n === 251) done.resolve()
    })
    await end.ready
    const many = Array.from({ length: 250 }, (_, index) => index + 1)
    await data.database.write(async () => {
      for (const n of many) await emit(data, n)
    })
    await done.promise
    expect(seen).toEqual([...many, 251])
  })

  it('costs those nothing who wait for another one', async () => {
    let statements = 0
    const data = await (await store()).open({ onStatement: () => void statements++ })
    const others = Array.from({ length: 60 }, (_, n) => data.outbox.subscribe('reader', `other ${n}`, 'notes.other', {}, () => {}))
    await Promise.all(others.map(({ ready }) => ready))
    const { seen } = await listener(data)
    await data.outbox.tick()
    await data.settled()
    await emit(data, 1)
    await data.outbox.tick()
    await data.settled()
    statements = 0
    await emit(data, 2)
    await expect.poll(() => seen).toEqual([1, 2])
    await data.outbox.tick()
    expect(statements).toBeLessThan(30)
  })

  it('of a transaction that is rolled back never happened', async () => {
    const data = await (await store()).open()
    const { seen } = await listener(data)
    await data.database
      .write(async () => {
        await emit(data, 1)
        throw new Error('no')
      })
      .catch(() => {})
    await emit(data, 2)
    await data.settled()
    expect(seen).toEqual([2])
  })

  it('with a known key is dropped, and the transaction goes on', async () => {
    const data = await (await store()).open()
    const { seen } = await listener(data)
    await emit(data, 1, 'once')
    await data.database.write(async () => {
      await emit(data, 2, 'once')
      await emit(data, 3)
    })
    await data.settled()
    expect(seen).toEqual([1, 3])
  })

  it('is seen in a transaction of the handler alone, outside of the emitting one', async () => {
    const data = await (await store()).open()
    const results: unknown[] = []
    const end = data.outbox.subscribe('reader', 'writes', noted.id, {}, async ({ n }: { n: number }) => {
      await data.settings.set('reader', { n })
      results.push(data.settings.get('reader'))
    })
    await end.ready
    await emit(data, 5)
    await data.settled()
    expect(results).toEqual([{ n: 5 }])
  })

  it('that fails is tried again before the next one is delivered', async () => {
    const data = await (await store()).open()
    const seen: number[] = []
    const done = signal()
    const faults: string[] = []
    data.onFault(({ slug, kind, name }) => faults.push(`${slug} ${kind} ${name}`))
    let isBroken = true
    const end = data.outbox.subscribe('reader', 'all', noted.id, {}, ({ n }: { n: number }) => {
      if (isBroken) {
        isBroken = false
        throw new Error('not yet')
      }
      seen.push(n)
      if (n === 2) done.resolve()
    })
    await end.ready
    await emit(data, 1)
    await emit(data, 2)
    await data.settled()
    expect(seen).toEqual([])
    await done.promise
    expect(seen).toEqual([1, 2])
    expect(faults).toEqual(['reader event notes.noted'])
  })

  it('comes with those behind it to who takes lists, and alone after a failure', async () => {
    const data = await (await store()).open()
    const calls: number[][] = []
    const done = signal()
    let isBroken = true
    const end = data.outbox.subscribe('reader', 'all', noted.id, { atOnce: 3 }, (payloads: { n: number }[]) => {
      calls.push(payloads.map(({ n }) => n))
      if (isBroken) {
        isBroken = false
        throw new Error('not yet')
      }
      if (payloads.at(-1)?.n === 5) done.resolve()
    })
    await end.ready
    await data.database.write(async () => {
      for (const n of [1, 2, 3, 4, 5]) await emit(data, n)
    })
    await done.promise
    expect(calls).toEqual([[1, 2, 3], [1], [2, 3, 4], [5]])
  })

  it('waits for a process that was away', async () => {
    const there = await store()
    const before = await there.open()
    const { end } = await listener(before)
    await emit(before, 1)
    await before.settled()
    await end()
    await emit(before, 2)
    await before.close()
    const after = await there.open()
    const { seen } = await listener(after)
    await after.settled()
    expect(seen).toEqual([2])
  })

  it('goes to the new subscription of a name once the old one has finished its handler', async () => {
    const data = await (await store()).open()
    const order: string[] = []
    const entered = signal()
    const go = signal()
    const old = data.outbox.subscribe('reader', 'all', noted.id, {}, async ({ n }: { n: number }) => {
      entered.resolve()
      await go.promise
      order.push(`old ${n}`)
    })
    await old.ready
    await emit(data, 1)
    await entered.promise
    const next = data.outbox.subscribe('reader', 'all', noted.id, {}, ({ n }: { n: number }) => void order.push(`new ${n}`))
    await emit(data, 2)
    go.resolve()
    await next.ready
    await old()
    await emit(data, 3)
    await data.settled()
    expect(order).toEqual(['old 1', 'new 2', 'new 3'])
  })

  it('older than seven days is deleted, unlike a younger one', async () => {
    const there = await store()
    const data = await there.open()
    const { end } = await listener(data)
    await end()
    await emit(data, 1)
    there.time += 8 * 24 * 3600
    await emit(data, 2)
    await data.outbox.clean()
    let rebuilt = 0
    const late = await listener(data, { resync: () => void rebuilt++ })
    await data.settled()
    expect(rebuilt).toBe(1)
    expect(late.seen).toEqual([])
    await emit(data, 3)
    await data.settled()
    expect(late.seen).toEqual([3])
  })
})

describeOnEach('while its plugin is off, a subscription', (store) => {
  async function awayAndBack(options: Parameters<KernelData['outbox']['subscribe']>[3]) {
    const data = await (await store()).open()
    const { end } = await listener(data)
    await emit(data, 1)
    await data.settled()
    const epoch = await data.plugins.save((await data.plugins.load()).epoch, { enabled: new Map([['reader', false]]) })
    await end()
    await emit(data, 2)
    await data.plugins.save(epoch, { enabled: new Map([['reader', true]]) })
    const { seen } = await listener(data, options)
    await emit(data, 3)
    await data.settled()
    return seen
  }

  it('keeps its events with `replay`', async () => {
    expect(await awayAndBack({ whileOff: 'replay' })).toEqual([2, 3])
  })

  it('loses them with `skip`', async () => {
    expect(await awayAndBack({ whileOff: 'skip' })).toEqual([3])
  })

  it('is told to rebuild with `resync`, and hears what comes after', async () => {
    const log: string[] = []
    const seen = await awayAndBack({ whileOff: 'resync', resync: () => void log.push('rebuilt') })
    expect(log).toEqual(['rebuilt'])
    expect(seen).not.toContain(2)
  })

  it('is told since when, with `always` also when nothing was missed', async () => {
    const log: number[] = []
    const before = Math.floor(Date.now() / 1000)
    const data = await (await store()).open()
    const begin = async () => {
      const options = { whileOff: 'resync', resync: (at: number) => void log.push(at), always: true } as const
      const end = data.outbox.subscribe('reader', '@return 1', '@return', options, () => undefined)
      await end.ready
      await data.settled()
      return end
    }
    const first = await begin()
    await first()
    const again = await begin()
    expect(log).toEqual([])
    const epoch = await data.plugins.save((await data.plugins.load()).epoch, { enabled: new Map([['reader', false]]) })
    await again()
    await data.plugins.save(epoch, { enabled: new Map([['reader', true]]) })
    const back = await begin()
    await back()
    await begin()
    expect(log).toHaveLength(1)
    expect(log[0]).toBeGreaterThanOrEqual(before)
  })

  it('is told again when it ended before it was done', async () => {
    const data = await (await store()).open()
    const begun = signal()
    const go = signal()
    let told = 0
    const begin = async () => {
      const resync = async () => {
        told++
        begun.resolve()
        await go.promise
      }
      const options = { whileOff: 'resync', resync, always: true } as const
      const end = data.outbox.subscribe('reader', '@return 1', '@return', options, () => undefined)
      await end.ready
      return end
    }
    const first = await begin()
    const epoch = await data.plugins.save((await data.plugins.load()).epoch, { enabled: new Map([['reader', false]]) })
    await first()
    await data.plugins.save(epoch, { enabled: new Map([['reader', true]]) })
    const interrupted = await begin()
    await begun.promise
    const ended = interrupted()
    go.resolve()
    await ended
    await begin()
    await data.settled()
    expect(told).toBe(2)
  })
})

describeOnEach(
  'with many writers',
  (store) => {
    /** A transaction has its number in the order of events once it has written. */
    const writeSomething = (tx: Kysely<KernelTables>) => tx.updateTable('kernel__change').set({ n: 0 }).where('slot', '=', 0).execute()

    it('an event is not lost, nor out of order, when an older transaction commits after a younger one', async () => {
      const data = await (await store()).open()
      const { seen } = await listener(data)
      const emitted = signal()
      const go = signal()
      const older = data.database.write(async (tx) => {
        await writeSomething(tx)
        await emit(data, 1)
        emitted.resolve()
        await go.promise
      })
      await emitted.promise
      await emit(data, 2)
      await data.outbox.tick()
      go.resolve()
      await older
      await data.settled()
      expect(seen).toEqual([1, 2])
    })

    it('an event from before the subscription is not delivered, however long an older transaction stays open', async () => {
      const data = await (await store()).open()
      const begun = signal()
      const go = signal()
      const older = data.database.write(async (tx) => {
        await writeSomething(tx)
        await emit(data, 1)
        begun.resolve()
        await go.promise
      })
      await begun.promise
      await emit(data, 2)
      const { seen } = await listener(data)
      await emit(data, 3)
      go.resolve()
      await older
      await data.settled()
      expect(seen).toEqual([1, 3])
    })

    it('positions are stored while leases are renewed, in whatever order', async () => {
      const { database } = await (await store()).open({ passive: true })
      const cursors = createCursors(database, 'a node', 0)
      const keys = Array.from({ length: 40 }, (_, n) => ({ slug: 'reader', name: String(n), event: noted.id }))
      for (const key of keys) {
        await cursors.ensure(key)
        await cursors.claim(key)
      }
      for (let round = 1; round <= 20; round++) {
        for (const key of keys.reverse()) cursors.move(key, { tx: 0, id: round })
        await Promise.all([cursors.flush(), cursors.renew(), cursors.renew()])
      }
      const rows = await database.query.selectFrom('kernel__cursor').select('event_id').execute()
      expect(rows.map((row) => row.event_id)).toEqual(keys.map(() => 20))
    })

    it('each event goes to one node', async () => {
      const there = await store()
      const [one, other] = [await there.open(), await there.open()]
      const [a, b] = [await listener(one), await listener(other)]
      for (const n of [1, 2, 3]) await emit(n % 2 ? one : other, n)
      await one.settled()
      await expect.poll(() => [...a.seen, ...b.seen]).toEqual([1, 2, 3])
      await a.end()
      await emit(one, 4)
      await expect.poll(() => b.seen, { timeout: 5000 }).toEqual([4])
    })

    it('a push is heard once by each node, after the commit', async () => {
      const there = await store()
      const [one, other] = [await there.open(), await there.open()]
      const heard: string[] = []
      one.pushes.on(({ topic }) => heard.push(`one ${topic}`))
      other.pushes.on(({ topic }) => heard.push(`other ${topic}`))
      const push = (topic: string) => one.pushes.send({ id: 'a.b', topic, payload: { n: 1 } })
      const undone = one.database.write(async () => {
        await push('undone')
        throw new Error('no')
      })
      await expect(undone).rejects.toThrow('no')
      await one.database.write(async () => {
        await push('done')
        expect(heard).toEqual([])
      })
      await expect.poll(() => [...heard].sort()).toEqual(['one done', 'other done'])
      await expect(one.pushes.send({ id: 'a.b', topic: 't', payload: 'x'.repeat(5000) })).rejects.toThrow('larger than 4000 bytes')
    })
  },
  'postgres',
)

describe('waiting after failures', () => {
  it('grows from a second to ten minutes', () => {
    expect([1, 2, 3, 4, 5, 9].map(backoffSeconds)).toEqual([1, 5, 30, 120, 600, 600])
  })
})

describeOnEach(
  'an event among many',
  (store) => {
    it('is looked for by its place, whatever is kept of its name and of others', async () => {
      const { dialect, query } = (await (await store()).open()).database
      const look = sql`explain query plan select e.id from ${eventsInOrder(dialect)}
        where e.event = 'notes.noted' and ${isAhead(dialect, sql`0`, sql`7`)} order by e.tx, e.id limit 100`
      expect((await look.execute(query)).rows).toEqual([
        expect.objectContaining({ detail: expect.stringContaining('(event=? AND tx=? AND id>?)') }),
      ])
    })
  },
  'sqlite',
)
