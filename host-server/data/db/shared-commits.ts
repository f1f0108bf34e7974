import type { Columns } from '@stoa/sdk/server'
import { marksOf } from './written.ts'

/** Places of marks; what shares one falls together. */
const PLACES = 1024
/** Commits that are known to be the site's own: who has not looked for longer takes them for somebody else's. */
const OWN = 256

/**
 * What the site's commits to its SQLite file have written, in memory that its read workers share. A commit has a number, the count of changes as it leaves it;
 * each mark has the number of the last one that wrote it. Kept in 32 bits, so that what counts is the distance between two.
 */
export class SharedCommits {
  readonly memory: SharedArrayBuffer
  readonly #places: Int32Array
  readonly #own: Int32Array

  constructor(memory = new SharedArrayBuffer((PLACES + OWN) * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory
    this.#places = new Int32Array(memory, 0, PLACES)
    this.#own = new Int32Array(memory, PLACES * Int32Array.BYTES_PER_ELEMENT)
  }

  /** Before anybody can see the commit. @returns takes it back: it was not committed, and its number will be another's */
  announce(n: number, marks: Iterable<string>): () => void {
    for (const mark of marks) Atomics.store(this.#places, placeOf(mark), n)
    Atomics.store(this.#own, n % OWN, n)
    return () => void Atomics.store(this.#own, n % OWN, ~n)
  }

  /** Whether all commits after `from`, up to `to`, were announced. */
  areOwn(from: number, to: number): boolean {
    if (to < from || to - from > OWN) return false
    for (let n = to; n > from; n--) if (Atomics.load(this.#own, n % OWN) !== (n | 0)) return false
    return true
  }

  /** The last commit up to `n` that may have written these columns, 0 where none was announced; undefined while a later one may be about to. */
  lastOf(columns: Columns, n: number): number | undefined {
    let last = 0
    for (const place of placesOf(columns)) {
      const at = Atomics.load(this.#places, place)
      if (at === 0) continue
      const since = (n - at) | 0
      if (since < 0) return undefined
      last = Math.max(last, n - since)
    }
    return last
  }
}

/** By the list of columns, which is the same one each time: some microseconds for each read. */
const known = new WeakMap<readonly string[], { table: string; places: readonly number[] }>()

function placesOf({ table, columns }: Columns): readonly number[] {
  const found = known.get(columns)
  if (found?.table === table) return found.places
  const places = marksOf({ table, columns }).map(placeOf)
  known.set(columns, { table, places })
  return places
}

/** Bernstein's hash, of the last characters too. */
function placeOf(mark: string): number {
  let hash = 5381
  for (let at = 0; at < mark.length; at++) hash = (hash * 33 + mark.charCodeAt(at)) | 0
  return (hash >>> 0) % PLACES
}
