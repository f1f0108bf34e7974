import { job } from '@stoa/sdk/server'
import { expect, it } from 'vitest'
import { describeOnEach, signal } from '../test-data.ts'

const greet = job<{ name: string }>('notes.greet')

describeOnEach('a job', (store) => {
  it('runs once its transaction is committed', async () => {
    const data = await (await store()).open()
    const names: string[] = []
    data.jobs.handle('notes', greet, ({ name }) => void names.push(name))
    await data.database
      .write(async () => {
        await data.jobs.enqueue(greet, { name: 'lost' })
        throw new Error('no')
      })
      .catch(() => {})
    await data.jobs.enqueue(greet, { name: 'Ada' })
    await data.settled()
    expect(names).toEqual(['Ada'])
  })

  it('waits for its time', async () => {
    const there = await store()
    const data = await there.open()
    const names: string[] = []
    data.jobs.handle('notes', greet, ({ name }) => void names.push(name))
    await data.jobs.enqueue(greet, { name: 'later' }, { runAt: there.time + 60 })
    await data.settled()
    expect(names).toEqual([])
    there.time += 60
    await data.settled()
    expect(names).toEqual(['later'])
  })

  it('does not wait for those of another kind, however many came before it', async () => {
    const data = await (await store()).open()
    const slow = job<{ n: number }>('notes.slow')
    const [began, go, greeted] = [signal(), signal(), signal<string>()]
    let running = 0
    data.jobs.handle('notes', slow, async () => {
      if (++running === 4) began.resolve()
      await go.promise
    })
    await data.database.write(async () => {
      for (let n = 0; n < 20; n++) await data.jobs.enqueue(slow, { n })
    })
    await began.promise
    data.jobs.handle('notes', greet, ({ name }) => greeted.resolve(name))
    await data.jobs.enqueue(greet, { name: 'Ada' })
    expect(await greeted.promise).toBe('Ada')
    expect(running).toBe(4)
    go.resolve()
    await data.settled()
    expect(running).toBe(20)
  })

  it('replaces a waiting one of the same key', async () => {
    const there = await store()
    const data = await there.open()
    const names: string[] = []
    const options = { key: 'only', runAt: there.time + 10 }
    await data.jobs.enqueue(greet, { name: 'first' }, options)
    await data.jobs.enqueue(greet, { name: 'second' }, options)
    await data.jobs.enqueue(greet, { name: 'third' }, { ...options, key: 'other' })
    there.time += 10
    data.jobs.handle('notes', greet, ({ name }) => void names.push(name))
    await data.settled()
    expect(names.sort()).toEqual(['second', 'third'])
  })

  it('is tried ten times with growing pauses, then kept with its reason', async () => {
    const there = await store()
    const data = await there.open()
    let tries = 0
    data.jobs.handle('notes', greet, () => {
      tries++
      throw new Error(`broken ${tries}`)
    })
    await data.jobs.enqueue(greet, { name: 'x' })
    for (let hour = 0; hour < 12; hour++) {
      await data.settled()
      there.time += 3600
    }
    expect(tries).toBe(10)
    const rows = await data.database.query.selectFrom('kernel__job').select(['state', 'reason', 'attempts']).execute()
    expect(rows).toEqual([{ state: 'dead', reason: 'broken 10', attempts: 10 }])
  })

  it('waits while nobody handles its kind, and the end of a handler waits for the running one', async () => {
    const data = await (await store()).open()
    const entered = signal()
    const go = signal()
    const order: string[] = []
    const end = data.jobs.handle('notes', greet, async () => {
      entered.resolve()
      await go.promise
      order.push('finished')
    })
    await data.jobs.enqueue(greet, { name: 'a' })
    await entered.promise
    const ended = end().then(() => order.push('ended'))
    await data.jobs.enqueue(greet, { name: 'b' })
    go.resolve()
    await ended
    await data.settled()
    expect(order).toEqual(['finished', 'ended'])
    expect(await data.database.query.selectFrom('kernel__job').select('payload').execute()).toEqual([{ payload: '{"name":"b"}' }])
  })
})

describeOnEach('periodic work', (store) => {
  it('runs first after one period, and keeps its time over a restart', async () => {
    const there = await store()
    const before = await there.open()
    let runs = 0
    before.jobs.every('notes', 'sweep', 100, () => void runs++)
    await before.jobs.tick()
    await before.settled()
    there.time += 60
    await before.close()
    const data = await there.open()
    const end = data.jobs.every('notes', 'sweep', 100, () => void runs++)
    await data.settled()
    expect(runs).toBe(0)
    there.time += 40
    await data.jobs.tick()
    await data.settled()
    expect(runs).toBe(1)
    await end()
    there.time += 1000
    await data.jobs.tick()
    await data.settled()
    expect(runs).toBe(1)
  })
})

describeOnEach(
  'periodic work of several nodes',
  (store) => {
    it('runs on one of them', async () => {
      const there = await store()
      const [one, other] = [await there.open(), await there.open()]
      let runs = 0
      for (const data of [one, other]) data.jobs.every('notes', 'sweep', 100, () => void runs++)
      await Promise.all([one.settled(), other.settled()])
      there.time += 100
      await Promise.all([one.jobs.tick(), other.jobs.tick()])
      await Promise.all([one.settled(), other.settled()])
      expect(runs).toBe(1)
    })
  },
  'postgres',
)
