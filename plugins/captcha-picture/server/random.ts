import { randomInt } from 'node:crypto'

/** A number from `low` to `high` that nobody can foretell. */
export const between = (low: number, high: number): number => low + (randomInt(1_000_001) / 1_000_000) * (high - low)

/** The same entries in an order that nobody can foretell. */
export function mixed<T>(entries: readonly T[]): T[] {
  const result = [...entries]
  for (let last = result.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const kept = result[last] as T
    result[last] = result[other] as T
    result[other] = kept
  }
  return result
}
