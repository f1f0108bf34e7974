/** Bytes of each table. The planner looks at the same numbers. */
export type TableSizes = Map<string, number>

export const SIZES = `select relname as name, pg_relation_size(oid) as bytes from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace`

/** A look at 84 tables takes the server a quarter of a millisecond, which is nothing beside so many statements. */
const STATEMENTS = 500
const LOOK_MS = 1_000
/** One page, which is read as a whole anyway. */
const LEAST_BYTES = 8_192
/** Times as large: what was planned before then is planned anew, all of it, which a table of a few pages is not worth each time it doubles. */
const GROWN = 4

/**
 * Knows when what PostgreSQL has planned is for other tables than there are. A named statement is planned for the tables as large as they are then,
 * and that stays: one that was empty is read from its first row to its last with each run, however many there are by now, until the server counts its
 * rows again, which some servers never do (decision 0063).
 */
export class Plans {
  /** Another number whenever statements from before are to be prepared anew. */
  age = 0
  readonly #sizes: () => Promise<TableSizes>
  #plannedFor: TableSizes | undefined
  #statements = STATEMENTS
  #lookedAt = Number.NEGATIVE_INFINITY
  /** Somebody who changes a table for minutes keeps the server from telling its size for as long: others would wait behind it on every connection. */
  #isLooking = false

  /** @param sizes asks the server; where that fails, everything stays as it is until the next time */
  constructor(sizes: () => Promise<TableSizes>) {
    this.#sizes = sizes
  }

  /** A statement is about to run. */
  countStatement(): void {
    if (++this.#statements < STATEMENTS || this.#isLooking) return
    const now = performance.now()
    if (now - this.#lookedAt < LOOK_MS) return
    this.#statements = 0
    this.#lookedAt = now
    this.#isLooking = true
    this.#look()
      .catch(() => undefined)
      .finally(() => {
        this.#isLooking = false
      })
  }

  renew(): void {
    this.age++
  }

  async #look(): Promise<void> {
    const sizes = await this.#sizes()
    const before = this.#plannedFor ?? sizes
    const isGrown = [...sizes].some(([name, bytes]) => bytes > GROWN * Math.max(before.get(name) ?? 0, LEAST_BYTES))
    if (isGrown) this.renew()
    // One that was emptied and is planned for anew by the server may grow again.
    this.#plannedFor = isGrown ? sizes : new Map([...sizes].map(([name, bytes]) => [name, Math.min(bytes, before.get(name) ?? bytes)]))
  }
}
