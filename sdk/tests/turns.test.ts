import { createTurns } from '@stoa/sdk/server'
import { describe, expect, it } from 'vitest'

/** Turns of which one is taken, until `end` is called. */
function takenTurns(options: { most: number; mostOfOne?: number; atOnce?: number }) {
  const turns = createTurns({ ...options, idleMs: 1000, rest: () => {} })
  const { promise, resolve } = Promise.withResolvers<void>()
  const done: string[] = []
  const first = turns.take(() => promise)
  return {
    done,
    add: (name: string, turn?: Parameters<typeof turns.take>[1]) => turns.take(async () => void done.push(name), turn),
    end: async () => {
      resolve()
      await first
      turns.close()
    },
  }
}
const busy = { code: 'base.busy' }

describe('work that takes turns', () => {
  it('is done in its order where nobody is named', async () => {
    const { add, end, done } = takenTurns({ most: 3 })
    const all = [add('a'), add('b'), add('c')]
    await expect(add('d')).rejects.toMatchObject(busy)
    await end()
    await Promise.all(all)
    expect(done).toEqual(['a', 'b', 'c'])
  })

  it('is done by person: who has much waits behind themselves', async () => {
    const { add, end, done } = takenTurns({ most: 9 })
    const all = ['ann 1', 'ann 2', 'ann 3', 'bob 1', 'bob 2', 'cleo 1'].map((name) => add(name, { of: name.slice(0, 3) }))
    await end()
    await Promise.all(all)
    expect(done).toEqual(['ann 1', 'bob 1', 'cleo 1', 'ann 2', 'bob 2', 'ann 3'])
  })

  it('is done a few at a time where that is said', async () => {
    const { add, end, done } = takenTurns({ most: 1, atOnce: 2 })
    await add('beside')
    expect(done).toEqual(['beside'])
    await end()
    await add('after')
    expect(done).toEqual(['beside', 'after'])
  })

  it('is refused to who has as much waiting as one may, and to nobody else', async () => {
    const { add, end } = takenTurns({ most: 9, mostOfOne: 1 })
    const all = [add('ann 1', { of: 'ann' })]
    await expect(add('ann 2', { of: 'ann' })).rejects.toMatchObject(busy)
    all.push(add('bob 1', { of: 'bob' }))
    await end()
    await Promise.all(all)
  })

  it('of low priority comes last, and takes no place of other work', async () => {
    const { add, end, done } = takenTurns({ most: 1 })
    const all = [add('preview', { priority: 'low' }), add('post')]
    await end()
    await Promise.all(all)
    expect(done).toEqual(['post', 'preview'])
  })

  it('is not begun, and leaves its place, once it was aborted', async () => {
    const { add, end, done } = takenTurns({ most: 1 })
    const caller = new AbortController()
    const gone = add('gone', { signal: caller.signal })
    caller.abort()
    await expect(gone).rejects.toMatchObject(busy)
    const next = add('next')
    await end()
    await next
    expect(done).toEqual(['next'])
  })
})
