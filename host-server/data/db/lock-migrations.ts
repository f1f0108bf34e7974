import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { KernelTables } from './tables.ts'

/** Until the transaction ends nobody else changes tables: several nodes start at once on PostgreSQL; SQLite has one writer anyway. */
export async function lockMigrations(tx: Kysely<KernelTables>, dialect: 'sqlite' | 'postgres'): Promise<void> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(7307001)`.execute(tx)
}
