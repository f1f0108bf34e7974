import { AsyncLocalStorage } from 'node:async_hooks'
import type { Columns } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'

/** What a statement writes; without `names` whole rows. Those are all words that may be columns, so rather too many. */
type Writes = { table: string; names?: ReadonlySet<string> } | 'anything' | 'nothing'

const NOTHING = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:select|begin|start|commit|rollback|savepoint|release|set|listen|notify|deallocate)\b/i
const ROWS = /^\s*(?:insert\s+into|delete\s+from)\s+"?(\w+)"?(?=[\s(]|$)/i
const UPDATE = /^\s*update\s+"?(\w+)"?\s+set\s([\s\S]*)$/i

const STATEMENTS = 1_000
const known = new LRUCache<string, Writes>({ max: STATEMENTS, memoMethod: writesOf })

/** By the text of the statement; what is not sure is anything. */
function writesOf(text: string): Writes {
  if (NOTHING.test(text)) return 'nothing'
  const rows = ROWS.exec(text)
  if (rows) return { table: rows[1] as string }
  const update = UPDATE.exec(text)
  if (!update) return 'anything'
  const [, table, rest] = update as unknown as [string, string, string]
  return { table, names: new Set(rest.slice(0, endOfSet(rest)).match(/\w+/g)) }
}

/** Where an update begins to say of which rows: not within parentheses. What stands in quotes could look like that. */
function endOfSet(rest: string): number {
  if (rest.includes("'")) return rest.length
  let depth = 0
  for (const { 0: word, index } of rest.matchAll(/[()]|\swhere\s/gi)) {
    if (word === '(') depth++
    else if (word === ')') depth--
    else if (depth === 0) return index
  }
  return rest.length
}

/** What a transaction has written. */
export class Written {
  readonly #writes = new Set<Writes>()

  add(text: string): void {
    this.#writes.add(known.memo(text))
  }

  touches({ table, columns }: Columns): boolean {
    return [...this.#writes].some(
      (one) =>
        one === 'anything' ||
        (one !== 'nothing' && one.table === table && (one.names === undefined || columns.some((column) => one.names?.has(column)))),
    )
  }
}

const storage = new AsyncLocalStorage<Written>()

/** Runs a transaction, whose statements are noted in `written`. */
export const noting = <R>(written: Written, fn: () => R): R => storage.run(written, fn)

/** A statement goes to the database, perhaps in a transaction. */
export function noteStatement(text: string): void {
  storage.getStore()?.add(text)
}
