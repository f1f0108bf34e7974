import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Client } from 'pg'

export interface Place {
  table: string
  column: string
}

/** Looks into the database of a running site, whichever it is. */
export interface EveryRow {
  /** The next person gets this number. */
  countPeopleFrom(id: number): Promise<void>
  /** Tables of plugins with their columns. */
  columns(): Promise<Place[]>
  /** Columns of plugins' tables in which one of the texts stands, in any case; a number counts as its digits. */
  holding(texts: readonly string[]): Promise<Place[]>
  /** Jobs that wait or are given up, with the text in them. */
  jobsWith(text: string): Promise<number>
  close(): Promise<void>
}

/** @param databaseUrl of PostgreSQL; undefined for a site with an embedded database */
export async function openEveryRow(dataDir: string, databaseUrl: string | undefined): Promise<EveryRow> {
  const sqlite = databaseUrl === undefined ? new Sqlite(join(dataDir, 'stoa.db')) : undefined
  const client = databaseUrl === undefined ? undefined : new Client({ connectionString: databaseUrl })
  await client?.connect()
  const all = async (sql: string): Promise<Record<string, unknown>[]> =>
    sqlite ? (sqlite.prepare(sql).all() as Record<string, unknown>[]) : ((await client?.query(sql))?.rows ?? [])

  const tables = async () =>
    (
      await all(
        sqlite
          ? "select name from sqlite_master where type = 'table' order by name"
          : "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
      )
    )
      .map(({ name }) => String(name))
      .filter((name) => name.includes('__') && !name.startsWith('kernel__'))
  const namesOf = async (table: string) =>
    (
      await all(
        sqlite
          ? `select name from pragma_table_info('${table}')`
          : `select column_name as name from information_schema.columns where table_name = '${table}'`,
      )
    ).map(({ name }) => String(name))

  return {
    async countPeopleFrom(id) {
      const values = `(${id}, 'before-everybody', 1, 'deleted', 0)`
      const insert = `insert into kernel__principal (id, login, role, state, created_at) values ${values}`
      if (sqlite) sqlite.prepare(insert).run()
      else {
        await client?.query(insert)
        await client?.query(`select setval(pg_get_serial_sequence('kernel__principal', 'id'), ${id})`)
      }
    },
    async columns() {
      const found: Place[] = []
      for (const table of await tables()) for (const column of await namesOf(table)) found.push({ table, column })
      return found
    },
    async holding(texts) {
      const wanted = texts.map((text) => text.toLowerCase())
      const found = new Map<string, Place>()
      for (const table of await tables())
        for (const row of await all(`select * from "${table}"`))
          for (const [column, value] of Object.entries(row)) {
            const text = (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)).toLowerCase()
            if (wanted.some((one) => text.includes(one))) found.set(`${table}.${column}`, { table, column })
          }
      return [...found.values()]
    },
    jobsWith: async (text) =>
      (await all('select payload, reason from kernel__job')).filter((row) => JSON.stringify(row).includes(text)).length,
    async close() {
      sqlite?.close()
      await client?.end()
    },
  }
}
