import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { Connection } from '../../data/db/connection.ts'
import { prefixOf } from '../../data/db/table-prefix.ts'
import { CommandError } from '../operator.ts'
import type { ArchiveManifest } from './manifest.ts'
import { unpacked } from './manifest.ts'
import type { Shape } from './shapes.ts'
import { quoted, shapesOf } from './shapes.ts'
import { linesOf } from './unpack-archive.ts'

/** Values in one statement; SQLite takes 32,766 and PostgreSQL 65,535. */
const MAX_VALUES = 15_000
/** Characters of rows that are in memory at a time. */
const MAX_TEXT = 4 * 1024 * 1024

// biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
type Tx = Kysely<any>

/** Fills the tables that the steps of an archive have made, in one transaction. @throws CommandError when a row does not fit; nothing is stored then */
export async function loadRows(
  connection: Connection,
  folder: string,
  { tables, madeAgain, migrations }: ArchiveManifest,
  say: (text: string) => void,
): Promise<void> {
  const { dialect } = connection
  await (connection.writer as Tx).transaction().execute(async (tx) => {
    // Rows come table by table, whatever they refer to.
    if (dialect === 'sqlite') await sql`pragma defer_foreign_keys = on`.execute(tx)
    const shapes = await shapesOf(async (text) => (await sql.raw<Record<string, unknown>>(text).execute(tx)).rows, dialect)
    for (const [table, { rows, lastId }] of Object.entries(tables)) {
      const shape = shapes.get(table)
      if (!shape || !Object.keys(migrations).some((slug) => table.startsWith(prefixOf(slug))))
        throw new CommandError(`The archive holds a table "${table}" that its plugins do not make; nothing was restored.`)
      // What its steps put there stands in the archive too, as it has become.
      await tx.deleteFrom(table).execute()
      const stored = await loadTable(tx, shape, linesOf(folder, table))
      if (stored !== rows)
        throw new CommandError(`The archive holds ${stored} rows of ${table} and not ${rows}, as its manifest says; nothing was restored.`)
      if (shape.counts) await countOn(tx, dialect, table, lastId)
    }
    // Their owners make them again when the site starts.
    if (madeAgain.length > 0) await tx.updateTable('kernel__cursor').set({ missed: 2 }).where('slug', 'in', madeAgain).execute()
    for (const slug of Object.keys(migrations)) {
      const ofSlug = Object.entries(tables).filter(([table]) => table.startsWith(prefixOf(slug)))
      say(`${slug}: ${ofSlug.reduce((sum, [, { rows }]) => sum + rows, 0)} rows`)
    }
  })
  if (dialect === 'postgres') await sql`analyze`.execute(connection.writer)
}

async function loadTable(tx: Tx, { table, columns }: Shape, file: string): Promise<number> {
  if (!existsSync(file)) return 0
  const most = Math.floor(MAX_VALUES / columns.length)
  let [stored, waiting, text] = [0, [] as Record<string, unknown>[], 0]
  const store = async () => {
    if (waiting.length === 0) return
    try {
      await tx.insertInto(table).values(waiting).execute()
    } catch (error) {
      throw new CommandError(`The table ${table} does not take a row of the archive (${(error as Error).message}); nothing was restored.`)
    }
    stored += waiting.length
    ;[waiting, text] = [[], 0]
  }
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    waiting.push(rowOf(line, table, columns))
    text += line.length
    if (waiting.length >= most || text > MAX_TEXT) await store()
  }
  await store()
  return stored
}

function rowOf(line: string, table: string, columns: readonly string[]): Record<string, unknown> {
  let row: Record<string, unknown> | null
  try {
    row = JSON.parse(line) as Record<string, unknown> | null
  } catch {
    row = null
  }
  const names = Object.keys(row ?? {})
  if (!row || names.length === 0 || names.some((name) => !columns.includes(name)))
    throw new CommandError(`A row of ${table} in the archive has other columns than the table; nothing was restored.`)
  return Object.fromEntries(names.map((name) => [name, unpacked(row[name])]))
}

/** The next row gets a number that none ever had. */
async function countOn(tx: Tx, dialect: 'sqlite' | 'postgres', table: string, lastId: number): Promise<void> {
  if (!Number.isSafeInteger(lastId) || lastId < 1) return
  if (dialect === 'postgres') await sql`select setval(pg_get_serial_sequence(${quoted(table)}, 'id'), ${lastId}::bigint)`.execute(tx)
  else {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${lastId})`.execute(tx)
  }
}
