import { describe, expect, it } from 'vitest'
import { InFlight } from './in-flight.ts'

describe('what is in flight', () => {
  it('is found by its id until it ends', () => {
    const flights = new InFlight<string>()
    const [one, other] = [flights.add('one'), flights.add('other')]
    expect([flights.size, flights.get(one), flights.get(other)]).toEqual([2, 'one', 'other'])
    expect(flights.end(one)).toBe('one')
    expect([flights.size, flights.get(one), flights.end(one)]).toEqual([1, undefined, undefined])
    expect(flights.all()).toEqual([{ id: other, value: 'other' }])
  })

  it('is never taken for what had its place before: late replies find nobody', () => {
    const flights = new InFlight<number>()
    const ids = new Set<number>()
    for (let n = 0; n < 1000; n++) {
      const id = flights.add(n)
      ids.add(id)
      flights.end(id)
    }
    const last = flights.add(1000)
    expect(ids.size).toBe(1000)
    expect([...ids].map((id) => flights.get(id)).filter((value) => value !== undefined)).toEqual([])
    expect(flights.get(last)).toBe(1000)
    expect(Number.isSafeInteger(last)).toBe(true)
  })

  it('may end and begin while somebody goes through all', () => {
    const flights = new InFlight<number>()
    for (let n = 0; n < 5; n++) flights.add(n)
    const seen: number[] = []
    for (const { id, value } of flights.all()) {
      flights.end(id)
      flights.add(value + 10)
      seen.push(value)
    }
    expect(seen).toEqual([0, 1, 2, 3, 4])
    expect(flights.size).toBe(5)
  })
})
