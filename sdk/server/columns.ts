/**
 * Tables that are the same on SQLite and PostgreSQL. A migration written with these few rules runs on both:
 *
 *     await db.schema.createTable('votes__ballot')
 *       .addColumn(...idColumn(dialect))                                          // running number, primary key
 *       .addColumn('person_id', 'bigint', (column) => column.notNull())          // ids of others and unix seconds: bigint
 *       .addColumn('is_up', 'integer', (column) => column.notNull().defaultTo(0)) // booleans and counters: integer
 *       .addColumn('note', 'text', (column) => column.notNull().defaultTo(''))   // any text: text
 *       .execute()
 *
 * `bigint` comes back as a number on both. Ask for the id of a new row with `returning`, which both know
 * (`insertId` of a result stays empty on PostgreSQL); {@link insertedId} does it for you:
 *
 *     const { id } = await tx.insertInto('votes__ballot').values({ … }).returning('id').executeTakeFirstOrThrow()
 */
import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely'
import { sql } from 'kysely'

export type Dialect = 'sqlite' | 'postgres'

type IdColumn = [name: 'id', type: 'integer' | 'bigint', build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder]

/** Arguments of `addColumn` for a primary key `id` that counts up from 1 and never gives a number twice: `.addColumn(...idColumn(dialect))`. */
export function idColumn(dialect: Dialect): IdColumn {
  return dialect === 'sqlite'
    ? ['id', 'integer', (column) => column.primaryKey().autoIncrement()]
    : ['id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey()]
}

/** The same as a step around the builder: `withId(db.schema.createTable('votes__ballot'), dialect).addColumn(…)`. */
export function withId<T extends string, C extends string>(
  table: CreateTableBuilder<T, C>,
  dialect: Dialect,
): CreateTableBuilder<T, C | 'id'> {
  return table.addColumn(...idColumn(dialect))
}

/**
 * Stores one row and returns its new `id`.
 * @param tx a transaction; `table` must have been made with {@link idColumn}
 */
// biome-ignore lint/suspicious/noExplicitAny: any table of any plugin
export async function insertedId(tx: Kysely<any>, table: string, values: Record<string, unknown>): Promise<number> {
  const row = await tx.insertInto(table).values(values).returning('id').executeTakeFirstOrThrow()
  return row.id as number
}

/** After rows were stored with ids of one's own (seeds, imports): lets PostgreSQL go on counting behind the highest. Nothing to do on SQLite. */
// biome-ignore lint/suspicious/noExplicitAny: any table of any plugin
export async function continueIds(tx: Kysely<any>, dialect: Dialect, table: string): Promise<void> {
  if (dialect === 'sqlite') return
  await sql`select setval(pg_get_serial_sequence(${table}, 'id'), coalesce(max(id), 1), count(*) > 0) from ${sql.table(table)}`.execute(tx)
}
