import type { Migration } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import { lockMigrations } from './lock-migrations.ts'
import { isStillNeeded } from './nodes.ts'
import { prefixOf } from './table-prefix.ts'
import type { KernelTables } from './tables.ts'
import type { KernelDatabase } from './transactions.ts'

type Named = Migration & { name: string }

/** Creates the list of what has run. */
export async function createMigrationTable(database: KernelDatabase): Promise<void> {
  await database.separately(async (tx) => {
    await lockMigrations(tx, database.dialect)
    await sql`create table if not exists kernel__migration
      (slug text not null, name text not null, at bigint not null, primary key (slug, name))`.execute(tx)
  })
}

/**
 * Runs what has not run yet, in order of names, one transaction each.
 * @param until `expanded`: contracting steps at the end are left for a second call, when the version before has stopped
 * @returns false where a contracting step has to wait, since another node still runs code that does not know it; nothing after it has run then
 * @throws when another plugin has tables of these names, when a step touches a table that is not named `<slug>__…` (`-` written `_`), or when it fails; steps before it stay
 */
export async function migrate(
  database: KernelDatabase,
  slug: string,
  migrations: readonly Named[],
  now: () => number,
  until: 'expanded' | 'done' = 'done',
): Promise<boolean> {
  if (migrations.length === 0) return true
  const ordered = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1))
  const done = await database.query.selectFrom('kernel__migration').select('name').where('slug', '=', slug).execute()
  const names = new Set(done.map((row) => row.name))
  const pending = ordered.filter((step) => !names.has(step.name))
  if (names.size === 0) await refuseSharedTables(database, slug)
  if (until === 'expanded') while (pending.at(-1)?.contracts) pending.pop()
  for (const step of pending) {
    if (!(await runOnce(database, slug, step, now(), until === 'done'))) return false
    database.renewStatements()
  }
  return true
}

/** Slugs that differ in nothing but `-` and `_` would have the same tables, and so would one that has gone and left its data. */
async function refuseSharedTables(database: KernelDatabase, slug: string): Promise<void> {
  const rows = await database.query.selectFrom('kernel__migration').select('slug').distinct().where('slug', '!=', slug).execute()
  const other = rows.find((row) => prefixOf(row.slug) === prefixOf(slug))
  if (other) throw new Error(`The tables of ${slug} would be those of ${other.slug}, which has stored data here`)
}

/** The contracting step that keeps a version with these migrations from running on the present tables; undefined when none does. */
export async function contractedBeyond(
  database: KernelDatabase,
  slug: string,
  migrations: readonly { name: string }[],
): Promise<string | undefined> {
  const rows = await database.query
    .selectFrom('kernel__migration')
    .select('name')
    .where('slug', '=', slug)
    .where('contracts', '=', 1)
    .orderBy('name')
    .execute()
  return rows.find((row) => !migrations.some((step) => step.name === row.name))?.name
}

/** @param patiently a contracting step runs once no node needs what it takes away. @returns false where one does */
async function runOnce(database: KernelDatabase, slug: string, step: Named, at: number, patiently: boolean): Promise<boolean> {
  return await database.separately(async (tx) => {
    await lockMigrations(tx, database.dialect)
    const other = await tx
      .selectFrom('kernel__migration')
      .select('name')
      .where('slug', '=', slug)
      .where('name', '=', step.name)
      .executeTakeFirst()
    if (other) return true
    if (step.contracts && patiently && database.dialect === 'postgres' && (await isStillNeeded(tx, slug, step.name))) return false
    const before = await tables(tx, database.dialect)
    try {
      await step.up(tx, database.dialect)
    } catch (error) {
      throw new Error(`Migration ${slug}/${step.name} failed: ${(error as Error).message}`, { cause: error })
    }
    refuseForeign(slug, step.name, before, await tables(tx, database.dialect))
    // The column came with a later step of the kernel's own.
    await tx
      .insertInto('kernel__migration')
      .values({ slug, name: step.name, at, ...(step.contracts && { contracts: 1 }) })
      .execute()
    return true
  }, Number.POSITIVE_INFINITY)
}

/** Every table (and, on SQLite, index with its table) → its definition, as far as the database tells. */
async function tables(tx: Kysely<KernelTables>, dialect: 'sqlite' | 'postgres'): Promise<Map<string, string>> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql<{ owner: string; name: string; definition: string | null }>`
        select tbl_name as owner, type || ' ' || name as name, sql as definition from sqlite_master where name not like 'sqlite!_%' escape '!'`.execute(
          tx,
        )
      : await sql<{ owner: string; name: string; definition: string | null }>`
        select table_name as owner, table_name as name, string_agg(column_name || ' ' || data_type, ',' order by ordinal_position) as definition
        from information_schema.columns where table_schema = current_schema() group by table_name`.execute(tx)
  return new Map(rows.map((row) => [`${row.owner}\n${row.name}`, row.definition ?? '']))
}

function refuseForeign(slug: string, step: string, before: Map<string, string>, after: Map<string, string>): void {
  const prefix = prefixOf(slug)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
  for (const key of changed) {
    const owner = key.slice(0, key.indexOf('\n'))
    if (!owner.startsWith(prefix)) {
      throw new Error(`Migration ${slug}/${step} touches the table ${owner}; its tables must be named ${prefix}…`)
    }
  }
}
