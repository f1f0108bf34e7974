import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Connection } from './connection.ts'
import type { KernelTables } from './tables.ts'

const INT8 = 20
const NUMERIC = 1700
const CHANNEL = 'stoa'

/** Counts, sums and ids as numbers: ids are safe integers by decision, and SQLite answers numbers too. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/** Names each statement once per server connection, so that it is parsed and planned once; forgotten ones are freed on the server. */
function withNamedStatements(client: pg.PoolClient): PostgresPoolClient {
  let count = 0
  const names = new LRUCache<string, string>({
    max: 300,
    memoMethod: () => `s${++count}`,
    dispose: (forgotten) => void client.query(`deallocate ${forgotten}`).catch(() => {}),
  })
  const query = (text: string, values: readonly unknown[]) =>
    /^\s*(select|insert|update|delete|with)\b/i.test(text)
      ? client.query({ name: names.memo(text), text, values: values as unknown[] })
      : client.query(text, values as unknown[])
  return { query, release: (destroy?: boolean) => client.release(destroy) } as unknown as PostgresPoolClient
}

function kyselyOver(pool: pg.Pool): Kysely<KernelTables> {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const named = {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? withNamedStatements(client)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
  return new Kysely<KernelTables>({ dialect: new PostgresDialect({ pool: named as unknown as PostgresPool }) })
}

/** A pool whose idle connections may die without ending the process. */
export function openPostgresPool(
  url: string,
  max: number,
  onFault: (error: Error) => void,
): { kysely: Kysely<KernelTables>; close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'stoa',
  })
  pool.on('error', onFault)
  return { kysely: kyselyOver(pool), close: () => pool.end() }
}

/** Opens the pool of the site; throws when the server does not answer. */
export async function openPostgres(url: string, onFault: (error: Error) => void): Promise<Connection> {
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await probe.connect()
  await probe.end()
  const { kysely, close } = openPostgresPool(url, 12, onFault)
  let closed = false
  let listener: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  /** Polling goes on beside it, so a lost listener only costs speed until it is back. */
  async function listen(fn: (topic: string) => void): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'stoa listener' })
    const again = () => {
      if (closed || listener !== client) return
      listener = undefined
      retry = setTimeout(() => void listen(fn).catch(onFault), 1_000)
      retry.unref()
    }
    listener = client
    client.on('error', again)
    client.on('end', again)
    client.on('notification', ({ payload }) => fn(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
    } catch (error) {
      onFault(error as Error)
      again()
    }
  }

  return {
    dialect: 'postgres',
    config: { dialect: 'postgres', url },
    writer: kysely,
    reader: kysely,
    // Its commit returns when it is on the disk.
    async durable() {},
    listen,
    async close() {
      closed = true
      clearTimeout(retry)
      await listener?.end().catch(() => {})
      await close()
    },
  }
}
