/** One statement, sent as it stands; what it answers. */
export type Ask = (statement: string) => Promise<Record<string, unknown>[]>

/** A table, as far as its rows can be carried to another database. */
export interface Shape {
  table: string
  /** Those that are written; generated ones make themselves. */
  columns: string[]
  /** Of the primary key, in its order. */
  key: string[]
  /** Has a running number `id` that never comes twice. */
  counts: boolean
  /** Holds a full-text index: means nothing to another database, and is made again by its owner. */
  isFullText: boolean
}

interface ColumnRow {
  table: string
  name: string
  /** Place in the primary key from 1 on; 0: none. */
  key: number
  generated: number
  counts: number
  fulltext: number
}

const SQLITE = `select t.name as "table", c.name, c.pk as key, c.hidden in (2, 3) as generated,
    c.name = 'id' and m.sql like '%autoincrement%' as counts, t.type = 'virtual' as fulltext
  from pragma_table_list t join sqlite_master m on m.name = t.name, pragma_table_xinfo(t.name) c
  where t.schema = 'main' and t.type in ('table', 'virtual') and t.name not like 'sqlite!_%' escape '!' order by t.name, c.cid`

const POSTGRES = `select c.table_name as "table", c.column_name as name, coalesce(array_position(i.indkey::int[], a.attnum::int) + 1, 0)::int as key,
    (c.is_generated = 'ALWAYS')::int as generated, (c.column_name = 'id' and c.is_identity = 'YES')::int as counts,
    (c.udt_name = 'tsvector')::int as fulltext
  from information_schema.columns c
  join pg_class r on r.relname = c.table_name and r.relkind in ('r', 'p') and r.relnamespace = current_schema()::regnamespace
  join pg_attribute a on a.attrelid = r.oid and a.attname = c.column_name
  left join pg_index i on i.indrelid = r.oid and i.indisprimary
  where c.table_schema = current_schema() order by c.table_name, c.ordinal_position`

/** Every table of a database with its columns, in order of names. */
export async function shapesOf(ask: Ask, dialect: 'sqlite' | 'postgres'): Promise<Map<string, Shape>> {
  const rows = (await ask(dialect === 'sqlite' ? SQLITE : POSTGRES)) as unknown as ColumnRow[]
  const ofTables = Map.groupBy(rows, ({ table }) => table)
  return new Map(
    [...ofTables].map(([table, columns]) => [
      table,
      {
        table,
        columns: columns.filter(({ generated }) => !generated).map(({ name }) => name),
        key: columns
          .filter(({ key }) => key > 0)
          .sort((a, b) => a.key - b.key)
          .map(({ name }) => name),
        counts: columns.some(({ counts }) => counts),
        isFullText: columns.some(({ fulltext }) => fulltext),
      },
    ]),
  )
}

/** A name in a statement. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
