import type { Kysely } from 'kysely'
import type { ReaderConfig } from './connection.ts'
import { openPostgresPool } from './postgres.ts'
import { openSqliteReader } from './sqlite.ts'

export interface Reader {
  // biome-ignore lint/suspicious/noExplicitAny: tables of all plugins
  db: Kysely<any>
  dialect: 'sqlite' | 'postgres'
  /** Another number after every commit; absent where asking costs as much as reading. */
  version?: () => number
  /** Frees what is kept of the file; absent where there is none. */
  shrink?: () => void
  close(): Promise<void>
}

/**
 * Opens the database for reading, in a read worker. Statements are compiled once per worker.
 * @returns the handle and its end; on SQLite any write through it fails
 */
export function openReader(config: ReaderConfig): Reader {
  if (config.dialect === 'postgres') {
    const { kysely, close } = openPostgresPool(config.url, 4, () => {})
    return { db: kysely, dialect: 'postgres', close }
  }
  const { kysely, version, shrink, close } = openSqliteReader(config.file)
  return { db: kysely, dialect: 'sqlite', version, shrink, close: async () => close() }
}
