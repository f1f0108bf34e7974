import type { Columns, ReadContext } from './plugin.ts'

/** Rows of a key that are kept at once, in each thread that reads. */
const MOST = 10_000

/**
 * Rows that many lists show, such as the cards of their authors: found by number, and kept like what `remember` keeps.
 * @param key as of `remember`; everybody who gives it gets the same objects, which are frozen
 * @param of as of `remember`
 * @param find reads rows that are not known; a number that has none is asked for again the next time
 */
export async function knownRows<T extends object>(
  ctx: Pick<ReadContext, 'remember'>,
  key: string,
  numbers: Iterable<number>,
  find: (missing: number[]) => Promise<Iterable<readonly [number, T]>>,
  of?: Columns,
): Promise<Map<number, T>> {
  const known = await ctx.remember(key, async () => new Map<number, T>(), of)
  const found = new Map<number, T>()
  const missing: number[] = []
  for (const n of new Set(numbers)) {
    const row = known.get(n)
    if (row) found.set(n, row)
    else missing.push(n)
  }
  if (missing.length === 0) return found
  for (const [n, row] of await find(missing)) {
    found.set(n, Object.freeze(row))
    // The oldest goes: what is kept for minutes would be whoever came first.
    if (known.size >= MOST) known.delete(known.keys().next().value as number)
    known.set(n, row)
  }
  return found
}
