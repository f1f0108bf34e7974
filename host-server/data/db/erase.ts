import { sql } from 'kysely'
import type { KernelDatabase } from './transactions.ts'

/** Deletes everything a plugin has stored: its tables, settings, migrations, events, jobs and timers. Uploaded files stay: nothing tells whose they are. */
export async function erasePlugin(database: KernelDatabase, slug: string): Promise<void> {
  const prefix = `${slug.replaceAll('-', '_')}__`
  await database.separately(async (tx) => {
    const { rows } =
      database.dialect === 'sqlite'
        ? await sql<{ name: string }>`select name from sqlite_master where type = 'table' and substr(name, 1, length(${prefix})) = ${prefix}
            order by sql not like 'create virtual%'`.execute(tx)
        : await sql<{ name: string }>`select table_name as name from information_schema.tables
            where table_schema = current_schema() and left(table_name, length(${prefix})) = ${prefix}`.execute(tx)
    for (const { name } of rows) {
      // A full-text index takes its shadow tables along.
      const drop = tx.schema.dropTable(name).ifExists()
      await (database.dialect === 'postgres' ? drop.cascade() : drop).execute()
    }
    for (const table of ['kernel__migration', 'kernel__setting', 'kernel__cursor', 'kernel__timer', 'kernel__event'] as const) {
      await tx.deleteFrom(table).where('slug', '=', slug).execute()
    }
    await tx.deleteFrom('kernel__job').where('kind', 'like', `${slug}.%`).execute()
  }, Number.POSITIVE_INFINITY)
  database.renewStatements()
}
