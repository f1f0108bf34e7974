import type { CodedError } from '../shared/index.ts'

/** What a unique constraint of the database says: `UNIQUE constraint failed: a.x, a.y`, or `Key (x, y)=(…) already exists.` in any language. */
function violated(error: unknown): { table: string; columns: string[] } | undefined {
  const { code, message = '', table, detail = '' } = error as { code?: string; message?: string; table?: string; detail?: string }
  if (code === '23505' && table) {
    const columns = /\(([^)]+)\)=\(/.exec(detail)?.[1]?.split(', ') ?? []
    return { table, columns: columns.map((column) => column.replaceAll('"', '')) }
  }
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined
  const columns = message.split(': ').at(-1)?.split(', ') ?? []
  return { table: columns[0]?.split('.')[0] ?? '', columns: columns.map((column) => column.split('.')[1] ?? '') }
}

/**
 * What an error of the database means to who fills in the form: a check before an insert cannot rule out that somebody else is quicker.
 * `throw uniqueOr(error, { 'notes__note.slug': () => noteErrors.taken() })`
 * @param meanings by `table.column` of a unique constraint, columns of several joined by commas
 * @returns the error that is meant, or `error` itself when it is no violation of one of these
 */
export function uniqueOr(error: unknown, meanings: Record<string, () => CodedError>): unknown {
  const found = typeof error === 'object' && error !== null ? violated(error) : undefined
  if (!found) return error
  const name = `${found.table}.${found.columns.join(',')}`
  return Object.hasOwn(meanings, name) ? meanings[name]?.() : error
}
