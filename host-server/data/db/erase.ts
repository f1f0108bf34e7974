import type { EventToken } from '@stoa/sdk'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { prefixOf } from './table-prefix.ts'
import type { KernelTables } from './tables.ts'
import type { KernelDatabase } from './transactions.ts'

/** The kernel's own event: what a plugin has stored was deleted. */
export const erased: EventToken<{ slug: string }> = { kind: 'event', id: '@erased', whileOff: 'replay' }

const isPluginSlug = (slug: string): boolean => slug !== 'kernel' && /^[a-z0-9]+([-_][a-z0-9]+)*$/.test(slug)

/** Names of a plugin's tables; full-text indexes first, since they take their shadow tables along. */
async function tablesOf(db: Kysely<KernelTables>, dialect: 'sqlite' | 'postgres', slug: string): Promise<string[]> {
  const prefix = prefixOf(slug)
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ name: string }>`select name from sqlite_master where type = 'table' and substr(name, 1, length(${prefix})) = ${prefix}
          order by sql not like 'create virtual%'`.execute(db)
      : await sql<{ name: string }>`select table_name as name from information_schema.tables
          where table_schema = current_schema() and left(table_name, length(${prefix})) = ${prefix}`.execute(db)
  return rows.map(({ name }) => name)
}

/** What a plugin's triggers ran. */
async function dropFunctions(db: Kysely<KernelTables>, slug: string): Promise<void> {
  const prefix = prefixOf(slug)
  const { rows } = await sql<{ signature: string }>`select oid::regprocedure::text as signature from pg_proc
    where pronamespace = current_schema()::regnamespace and left(proname, length(${prefix})) = ${prefix}`.execute(db)
  for (const { signature } of rows) await sql`drop function ${sql.raw(signature)}`.execute(db)
}

/** Deletes everything a plugin has stored: its tables, settings, migrations, events, jobs, timers and what it keeps for a short time. Uploaded files stay: nothing tells whose they are. */
export async function erasePlugin(database: KernelDatabase, slug: string): Promise<void> {
  if (!isPluginSlug(slug)) throw new Error(`${slug} is no plugin whose data could be deleted`)
  await database.separately(async (tx) => {
    const names = await tablesOf(tx, database.dialect, slug)
    for (const name of names) {
      // A full-text index takes its shadow tables along.
      const drop = tx.schema.dropTable(name).ifExists()
      await (database.dialect === 'postgres' ? drop.cascade() : drop).execute()
    }
    if (database.dialect === 'postgres') await dropFunctions(tx, slug)
    for (const table of [
      'kernel__migration',
      'kernel__setting',
      'kernel__member_setting',
      'kernel__cursor',
      'kernel__timer',
      'kernel__once',
      'kernel__event',
    ] as const) {
      await tx.deleteFrom(table).where('slug', '=', slug).execute()
    }
    await tx.deleteFrom('kernel__job').where('kind', 'like', `${slug}.%`).execute()
  }, Number.POSITIVE_INFINITY)
  database.renewStatements()
}

/** Plugins that have tables, or settings; what is named like them and is the kernel's is nobody's. */
export async function hasDataOf(database: KernelDatabase, slug: string): Promise<boolean> {
  if (!isPluginSlug(slug)) return false
  if ((await tablesOf(database.query, database.dialect, slug)).length > 0) return true
  const row = await database.query.selectFrom('kernel__setting').select('slug').where('slug', '=', slug).executeTakeFirst()
  return row !== undefined
}

/** Every plugin that has made tables, whether it is there or was removed. */
export async function slugsWithData(database: KernelDatabase): Promise<string[]> {
  const rows = await database.query.selectFrom('kernel__migration').select('slug').distinct().orderBy('slug').execute()
  return rows.map(({ slug }) => slug).filter(isPluginSlug)
}
