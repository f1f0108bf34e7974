import { describe, expect, it } from 'vitest'
import { writeInPortions } from '../server/store/portions.ts'

const numbers = (count: number) => new Map(Array.from({ length: count }, (_, n) => [n, 1] as const))

describe('what waits to be written', () => {
  it('is written once, in few at a time, with others between; what comes meanwhile waits for the next time', async () => {
    const waiting = numbers(60)
    const order: string[] = []
    const others = setInterval(() => order.push('other'), 1)
    await writeInPortions(
      waiting,
      async (portion) => {
        order.push(`${portion[0]?.[0]} to ${portion.at(-1)?.[0]}`)
        waiting.set(100 + order.length, 1)
      },
      25,
      () => false,
    )
    clearInterval(others)
    expect(order.filter((one) => one !== 'other')).toEqual(['0 to 24', '25 to 49', '50 to 59'])
    expect(order.indexOf('other')).toBeLessThan(order.indexOf('25 to 49'))
    expect(waiting.size).toBe(3)
  })

  it('is lost only where writing it fails', async () => {
    const waiting = numbers(60)
    const write = async (portion: [number, number][]) => {
      if (portion[0]?.[0] === 25) throw new Error('full')
    }
    await expect(writeInPortions(waiting, write, 25, () => true)).rejects.toThrow('full')
    expect([...waiting.keys()]).toEqual(Array.from({ length: 10 }, (_, n) => 50 + n))
  })
})
