import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import type { ReaderConfig } from '../../data/db/connection.ts'
import type { Ask } from './shapes.ts'

/** Rows that are in memory at a time. */
const BATCH = 500

/** A database as it was at one moment, while others write. */
export interface Snapshot {
  dialect: 'sqlite' | 'postgres'
  ask: Ask
  /** The rows of a query, in batches. */
  rows(query: string): AsyncIterable<Record<string, unknown>[]>
  close(): Promise<void>
}

export function openSnapshot(config: ReaderConfig): Promise<Snapshot> | Snapshot {
  return config.dialect === 'sqlite' ? openSqlite(config.file) : openPostgres(config.url)
}

/** Writers go on beside it: their pages wait in the log until it ends. */
function openSqlite(path: string): Snapshot {
  const file = new SqliteFile(path, { readonly: true, fileMustExist: true })
  file.pragma('busy_timeout = 5000')
  file.exec('begin')
  // The moment is that of the first read.
  file.prepare('select count(*) from sqlite_master').get()
  return {
    dialect: 'sqlite',
    ask: async (statement) => file.prepare<[], Record<string, unknown>>(statement).all(),
    async *rows(query) {
      let batch: Record<string, unknown>[] = []
      for (const row of file.prepare<[], Record<string, unknown>>(query).iterate()) {
        if (batch.push(row) < BATCH) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async close() {
      file.close()
    },
  }
}

/** Numbers as numbers while they keep their value, flags as SQLite has them, everything else as PostgreSQL writes it. */
const parsers = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.BYTEA, pg.types.getTypeParser(pg.types.builtins.BYTEA)],
  [pg.types.builtins.BOOL, (text) => Number(text === 't')],
])
for (const oid of [pg.types.builtins.INT2, pg.types.builtins.INT4, pg.types.builtins.FLOAT4, pg.types.builtins.FLOAT8])
  parsers.set(oid, Number)
for (const oid of [pg.types.builtins.INT8, pg.types.builtins.NUMERIC])
  parsers.set(oid, (text) => (String(Number(text)) === text ? Number(text) : text))

async function openPostgres(url: string): Promise<Snapshot> {
  const getTypeParser = ((oid: number) => parsers.get(oid) ?? String) as pg.CustomTypesConfig['getTypeParser']
  const client = new pg.Client({ connectionString: url, application_name: 'stoa export', types: { getTypeParser } })
  await client.connect()
  await client.query('begin isolation level repeatable read, read only')
  const ask: Ask = async (statement) => (await client.query<Record<string, unknown>>(statement)).rows
  return {
    dialect: 'postgres',
    ask,
    async *rows(query) {
      await client.query(`declare batches no scroll cursor for ${query}`)
      for (;;) {
        const batch = await ask(`fetch ${BATCH} from batches`)
        if (batch.length === 0) break
        yield batch
      }
      await client.query('close batches')
    },
    close: () => client.end(),
  }
}
