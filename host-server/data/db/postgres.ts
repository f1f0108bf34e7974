import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Connection, OnStatement } from './connection.ts'
import type { KernelTables } from './tables.ts'
import { timed } from './timed.ts'
import { OLDEST_POSTGRES, TooOld } from './why-refused.ts'

const INT8 = 20
const NUMERIC = 1700
const CHANNEL = 'stoa'

/** Counts, sums and ids as numbers: ids are safe integers by decision, and SQLite answers numbers too. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    oid === INT8 || oid === NUMERIC ? Number : pg.types.getTypeParser(oid, format)) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * "cached plan must not change result type": the tables of a prepared `select *` have other columns by now. It is refused before it runs; the
 * server's words for it depend on its language, the place in its source does not.
 */
export const isOutdatedStatement = (error: unknown): boolean => {
  const { code, routine } = (error ?? {}) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** What pg remembers of statements it has sent, name → text; it never forgets one by itself. */
const sentBy = (client: pg.PoolClient) => (client as unknown as { connection: { parsedStatements: Record<string, string> } }).connection

/**
 * Names each statement once per server connection, so that it is parsed and planned once; forgotten ones are freed on the server. One that begins
 * with a comment is planned for its values each time: where they decide between an index and the whole table, no plan suits all.
 * @param age another number whenever tables have changed: statements from before are prepared anew
 */
function withNamedStatements(client: pg.PoolClient, age: () => number): PostgresPoolClient {
  let count = 0
  let preparedAt = age()
  let forgotten: string[] = []
  const names = () =>
    new LRUCache<string, string>({
      max: 300,
      memoMethod: () => `s${++count}`,
      dispose: (name) => void forgotten.push(name),
    })
  let name = names()

  /** Not in a failed transaction, which would refuse it. */
  async function free(command: string, gone: string[]): Promise<void> {
    await client.query(command).catch(() => {})
    const { parsedStatements } = sentBy(client)
    for (const old of gone) delete parsedStatements[old]
  }

  async function prepared(text: string): Promise<string> {
    if (preparedAt !== age() && client.getTransactionStatus() !== 'E') {
      preparedAt = age()
      forgotten = []
      name = names()
      await free('deallocate all', Object.keys(sentBy(client).parsedStatements))
    }
    const found = name.memo(text)
    for (const old of forgotten.splice(0)) await free(`deallocate ${old}`, [old])
    return found
  }

  async function query(text: string, values: readonly unknown[]): Promise<pg.QueryResult> {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return await client.query(text, values as unknown[])
    const isAlone = client.getTransactionStatus() === 'I'
    const run = async () => client.query({ name: await prepared(text), text, values: values as unknown[] })
    try {
      return await run()
    } catch (error) {
      if (!isOutdatedStatement(error)) throw error
      // Another process changed the tables. Refused inside a transaction, that begins anew as a whole, with new statements.
      preparedAt = Number.NaN
      if (!isAlone) throw error
      return await run()
    }
  }
  return { query, release: (destroy?: boolean) => client.release(destroy) } as unknown as PostgresPoolClient
}

function kyselyOver(pool: pg.Pool, age: () => number, onStatement?: OnStatement): Kysely<KernelTables> {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const named = {
    options: pool.options,
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client) ?? withNamedStatements(client, age)
      clients.set(client, known)
      return known
    },
    end: () => pool.end(),
  }
  return new Kysely<KernelTables>({ ...timed(onStatement), dialect: new PostgresDialect({ pool: named as unknown as PostgresPool }) })
}

/** A pool whose idle connections may die without ending the process. */
export function openPostgresPool(
  url: string,
  max: number,
  onFault: (error: Error) => void,
  onStatement?: OnStatement,
): { kysely: Kysely<KernelTables>; renewStatements(): void; close(): Promise<void> } {
  let age = 0
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'stoa',
  })
  pool.on('error', onFault)
  // One that is being closed has nobody else who hears that the server was quicker.
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    kysely: kyselyOver(pool, () => age, onStatement),
    renewStatements: () => void age++,
    close: () => pool.end(),
  }
}

/** Whether a site could live there: it answers, is not too old, and tables may be made. Leaves nothing behind. @throws when one of it is not so */
export async function probePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'stoa' })
  // What is said after it has failed to connect is said already.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string; server_version_num: string }>(
      `select current_setting('server_version') as server_version, current_setting('server_version_num') as server_version_num`,
    )
    const { server_version = '', server_version_num = '0' } = rows[0] ?? {}
    if (Number(server_version_num) < OLDEST_POSTGRES * 10_000) throw new TooOld(server_version)
    await client.query('begin')
    await client.query('create table stoa_probe (id bigint)')
    await client.query('rollback')
  } finally {
    await client.end()
  }
}

/** Opens the pool of the site; throws when the server does not answer. */
export async function openPostgres(url: string, onFault: (error: Error) => void, onStatement?: OnStatement): Promise<Connection> {
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await probe.connect()
  await probe.end()
  const { kysely, renewStatements, close } = openPostgresPool(url, 12, onFault, onStatement)
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
    renewStatements,
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
