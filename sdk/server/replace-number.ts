import { sql } from 'kysely'
import type { Database } from './plugin.ts'

/** Rows that are looked through in one transaction: others wait for some milliseconds. */
const AT_ONCE = 20_000

interface Replacement {
  table: string
  /** A column with an index whose values are spread out, such as the running number; rows are gone through in its order. */
  key: string
  /** Columns that hold the number. */
  columns: readonly string[]
  from: number
  to: number
}

/**
 * Puts one number in the place of another in all rows of a table, also where no index leads to them: in several transactions of their own. May run
 * again after it was cut off.
 */
export async function replaceNumber({ write, query }: Pick<Database, 'write' | 'query'>, replacement: Replacement): Promise<void> {
  const { table, key, columns, from, to } = replacement
  const [place, name] = [sql.ref(key), sql.table(table)]
  const { rows } = await sql<{
    first: number | null
    last: number | null
  }>`select min(${place}) as first, max(${place}) as last from ${name}`.execute(query)
  const { first, last } = rows[0] ?? { first: null, last: null }
  if (first === null || last === null) return
  for (let start = Number(first); start <= Number(last); start += AT_ONCE)
    await write(async (tx) => {
      for (const column of columns) {
        const ref = sql.ref(column)
        await sql`update ${name} set ${ref} = ${to} where ${place} >= ${start} and ${place} < ${start + AT_ONCE} and ${ref} = ${from}`.execute(
          tx,
        )
      }
    })
}
