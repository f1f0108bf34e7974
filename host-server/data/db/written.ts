import { AsyncLocalStorage } from 'node:async_hooks'
import type { Columns } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'

/** Stands for whatever a statement may have written. */
const ANYTHING = '*'

const NOTHING = /^\s*(?:\/\*[^*]*\*\/\s*)?(?:select|begin|start|commit|rollback|savepoint|release|set|listen|notify|deallocate)\b/i
const ROWS = /^\s*(?:insert\s+into|delete\s+from)\s+"?(\w+)"?(?=[\s(]|$)/i
const UPDATE = /^\s*update\s+"?(\w+)"?\s+set\s([\s\S]*)$/i

const STATEMENTS = 1_000
const known = new LRUCache<string, readonly string[]>({ max: STATEMENTS, memoMethod: marksOfStatement })

const columnMark = (table: string, column: string): string => `${table}.${column}`

/**
 * Marks of what a statement writes, by its text: its table for whole rows, columns for an update, of which all words that may be columns are taken, so
 * rather too many. What is not sure is anything.
 */
function marksOfStatement(text: string): readonly string[] {
  if (NOTHING.test(text)) return []
  const rows = ROWS.exec(text)
  if (rows) return [rows[1] as string]
  const update = UPDATE.exec(text)
  if (!update) return [ANYTHING]
  const [, table, rest] = update as unknown as [string, string, string]
  return [...new Set(rest.slice(0, endOfSet(rest)).match(/\w+/g))].map((word) => columnMark(table, word))
}

/** Marks of everything that may change these columns. */
export const marksOf = ({ table, columns }: Columns): string[] => [ANYTHING, table, ...columns.map((column) => columnMark(table, column))]

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
  readonly marks = new Set<string>()

  add(text: string): void {
    for (const mark of known.memo(text)) this.marks.add(mark)
  }

  touches(columns: Columns): boolean {
    return marksOf(columns).some((mark) => this.marks.has(mark))
  }
}

const storage = new AsyncLocalStorage<Written>()

/** Runs a transaction, whose statements are noted in `written`. */
export const noting = <R>(written: Written, fn: () => R): R => storage.run(written, fn)

/** A statement goes to the database, perhaps in a transaction. */
export function noteStatement(text: string): void {
  storage.getStore()?.add(text)
}
