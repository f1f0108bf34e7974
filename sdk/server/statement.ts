import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import { sql } from 'kysely'
import type { RunAtOnce } from '../kernel/at-once.ts'
import { AT_ONCE } from '../kernel/at-once.ts'

type Value = string | number | boolean | null
// biome-ignore lint/suspicious/noExplicitAny: the tables of any plugin
type Any = any

/** Stands for a value while a statement is composed. */
class Placeholder {
  readonly name: string
  /** Place in a list. */
  readonly index: number | undefined
  constructor(name: string, index?: number) {
    this.name = name
    this.index = index
  }
}

const MOST_FORMS = 100
/** Lists are filled up to one of these lengths by repeating their last value, so that a statement has few forms. */
const LENGTHS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 500, 1000]

/**
 * Begins a statement that PostgreSQL plans for its values each time: without it one plan is kept for all of them, and what suits a word of every post, say,
 * ruins a rare one. SQLite takes it for a comment.
 */
export const plannedEachTime = sql`/* planned each time */ `

/**
 * A statement for the busiest reads: composed once per database, later only bound, which saves most of what a small query costs (measured: 10 µs each).
 * @param build composes it, once for each length of the lists; what it is given stands for the values, so it may only be bound
 * @returns runs it
 */
export function statement<DB, G extends Record<string, Value | readonly Value[]>, R>(
  build: (db: Kysely<DB>, given: G) => Compilable<R>,
): (db: Kysely<DB>, given: G) => Promise<R[]> {
  const known = new WeakMap<object, Map<string, CompiledQuery<R>>>()

  function compiled(db: Kysely<DB>, given: G): CompiledQuery<R> {
    // A transaction is another object each time; what it composes statements with stays the same.
    const { adapter } = db.getExecutor()
    let forms = known.get(adapter)
    if (!forms) {
      forms = new Map()
      known.set(adapter, forms)
    }
    let form = ''
    for (const name in given) {
      const value = given[name]
      if (Array.isArray(value)) form += `${padded(value.length)},`
    }
    let query = forms.get(form)
    if (!query) {
      query = build(db, placeholders(given) as G).compile()
      if (forms.size >= MOST_FORMS) forms.clear()
      forms.set(form, query)
    }
    return query
  }

  return async (db, given) => {
    const query = compiled(db, given)
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? bound(value, given) : value))
    const atOnce = (db as { [AT_ONCE]?: RunAtOnce })[AT_ONCE]
    if (atOnce) return atOnce(query.sql, parameters) as R[]
    return (await db.executeQuery<R>({ ...query, parameters })).rows
  }
}

/** Longer lists are rare, and each length is a form of its own. */
const padded = (length: number): number => LENGTHS.find((least) => least >= length) ?? length

function placeholders(given: Record<string, unknown>): Record<string, unknown> {
  const stand = (name: string, value: unknown) =>
    Array.isArray(value) ? Array.from({ length: padded(value.length) }, (_, index) => new Placeholder(name, index)) : new Placeholder(name)
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, stand(name, value)]))
}

function bound({ name, index }: Placeholder, given: Record<string, Any>): Value {
  const value = given[name]
  return index === undefined ? value : (value[Math.min(index, value.length - 1)] ?? null)
}
