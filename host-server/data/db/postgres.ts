import type { Duplex } from 'node:stream'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { Kysely, PostgresDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import type { Connection, OnStatement } from './connection.ts'
import type { Lines } from './postgres-lines.ts'
import { FOR_SHORT_STATEMENTS, openLines } from './postgres-lines.ts'
import { Plans, SIZES } from './postgres-plans.ts'
import type { Shapes } from './postgres-query.ts'
import { runNamed } from './postgres-query.ts'
import type { KernelTables } from './tables.ts'
import { timed } from './timed.ts'
import { OLDEST_POSTGRES, TooOld } from './why-refused.ts'
import { noteStatement } from './written.ts'

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
const sentBy = (client: pg.ClientBase) =>
  (client as unknown as { connection: { parsedStatements: Record<string, string>; stream: Duplex } }).connection

/** What is written from now on goes out at once when all have come who come now: each packet may wake the server. */
function sendTogether(stream: Duplex): void {
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Prepared on a connection. */
const STATEMENTS = 300

type Query = (text: string, values: readonly unknown[]) => Promise<pg.QueryResult>

/**
 * Names each statement once per server connection, so that it is parsed and planned once; forgotten ones are freed on the server. One that begins
 * with a comment is planned for its values each time: where they decide between an index and the whole table, no plan suits all.
 * @param isShared others use the connection too: nothing is waited for between naming a statement and sending it, so that nobody frees it meanwhile
 */
function withNamedStatements(client: pg.ClientBase, plans: Plans, isShared: boolean): Query {
  let count = 0
  let preparedAt = plans.age
  let forgotten: string[] = []
  const shapes: Shapes = new LRUCache({ max: STATEMENTS })
  const names = () =>
    new LRUCache<string, string>({
      max: STATEMENTS,
      memoMethod: () => `s${++count}`,
      dispose: (name) => void forgotten.push(name),
    })
  let name = names()

  /** Not in a failed transaction, which would refuse it. */
  function free(command: string, gone: string[]): Promise<unknown> {
    const { parsedStatements } = sentBy(client)
    for (const old of gone) delete parsedStatements[old]
    return client.query(command).catch(() => {})
  }

  /** @returns the name, and what has to be waited for before it is used */
  function prepared(text: string): { name: string; freed: Promise<unknown>[] } {
    const freed: Promise<unknown>[] = []
    if (preparedAt !== plans.age && client.getTransactionStatus() !== 'E') {
      preparedAt = plans.age
      forgotten = []
      name = names()
      freed.push(free('deallocate all', Object.keys(sentBy(client).parsedStatements)))
    }
    const found = name.memo(text)
    for (const old of forgotten.splice(0)) freed.push(free(`deallocate ${old}`, [old]))
    return { name: found, freed }
  }

  return async (text, values) => {
    if (!/^\s*(select|insert|update|delete|with)\b/i.test(text)) return await client.query(text, values as unknown[])
    plans.countStatement()
    const isAlone = isShared || client.getTransactionStatus() === 'I'
    const run = async () => {
      if (isShared) sendTogether(sentBy(client).stream)
      const { name, freed } = prepared(text)
      if (!isShared) await Promise.all(freed)
      return runNamed(client, { name, text, values: values as unknown[] }, shapes)
    }
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
}

const kyselyOver = (pool: Partial<PostgresPool>, onStatement?: OnStatement): Kysely<KernelTables> =>
  new Kysely<KernelTables>({ ...timed(onStatement), dialect: new PostgresDialect({ pool: pool as PostgresPool }) })

/** Statements of transactions. */
const noted =
  (query: Query): Query =>
  (text, values) => {
    noteStatement(text)
    return query(text, values)
  }

function kyselyOfPool(pool: pg.Pool, plans: Plans, onStatement?: OnStatement): Kysely<KernelTables> {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return kyselyOver(
    {
      options: pool.options,
      async connect() {
        const client = await pool.connect()
        const known = clients.get(client) ?? {
          query: noted(withNamedStatements(client, plans, false)),
          release: (destroy?: boolean) => client.release(destroy),
        }
        clients.set(client, known as unknown as PostgresPoolClient)
        return known as unknown as PostgresPoolClient
      },
      end: () => pool.end(),
    },
    onStatement,
  )
}

/** What has to be said on one connection, one after the other. */
const NEEDS_ITS_OWN = /^\s*(begin|start|commit|rollback|savepoint|release|set|declare|listen)\b/i

/** One that begins with a comment is planned each time, and reads too. */
const ONLY_READS = /^\s*(\/\*[^*]*\*\/\s*)?select\b/i

/** For statements that stand alone. */
function kyselyOfLines(lines: Lines, plans: Plans, onStatement?: OnStatement): Kysely<KernelTables> {
  const queries = new WeakMap<pg.Client, Query>()
  const client = {
    async query(text: string, values: readonly unknown[]) {
      if (NEEDS_ITS_OWN.test(text)) throw new Error(`Outside of a transaction there is no connection for "${text}"`)
      return lines.run(text, ONLY_READS.test(text), (line) => {
        const query = queries.get(line) ?? withNamedStatements(line, plans, true)
        queries.set(line, query)
        return query(text, values)
      })
    },
    release() {},
  }
  return kyselyOver({ connect: async () => client as unknown as PostgresPoolClient, end: lines.close }, onStatement)
}

/** A pool whose idle connections may die without ending the process. */
export function openPostgresPool(
  url: string,
  max: number,
  onFault: (error: Error) => void,
  onStatement?: OnStatement,
): { kysely: Kysely<KernelTables>; plans: Plans; close(): Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 60_000,
    application_name: 'stoa',
    onConnect: async (client) => void (await client.query(FOR_SHORT_STATEMENTS)),
  })
  pool.on('error', onFault)
  // One that is being closed has nobody else who hears that the server was quicker.
  pool.on('connect', (client) => client.on('error', () => {}))
  const plans = new Plans(async () => {
    const { rows } = await pool.query<{ name: string; bytes: number }>(SIZES)
    return new Map(rows.map(({ name, bytes }) => [name, bytes]))
  })
  return { kysely: kyselyOfPool(pool, plans, onStatement), plans, close: () => pool.end() }
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

/** Transactions at once; more wait for one of them to end. */
const WRITERS = 10

/** Opens the connections of the site; throws when the server does not answer. */
export async function openPostgres(url: string, onFault: (error: Error) => void, onStatement?: OnStatement): Promise<Connection> {
  const probe = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  await probe.connect()
  await probe.end()
  const { kysely: writer, plans, close } = openPostgresPool(url, WRITERS, onFault, onStatement)
  const lines = openLines({ connectionString: url, types, connectionTimeoutMillis: 10_000, application_name: 'stoa' }, onFault)
  const reader = kyselyOfLines(lines, plans, onStatement)
  let closed = false
  let listener: pg.Client | undefined
  let retry: NodeJS.Timeout | undefined

  /** Polling goes on beside it, so a lost listener only costs speed until it is back. */
  async function listen(fn: (topic: string) => void, onGap: () => void, isAgain = false): Promise<void> {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000, application_name: 'stoa listener' })
    const again = () => {
      if (closed || listener !== client) return
      listener = undefined
      retry = setTimeout(() => void listen(fn, onGap, true).catch(onFault), 1_000)
      retry.unref()
    }
    listener = client
    client.on('error', again)
    client.on('end', again)
    client.on('notification', ({ payload }) => fn(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      if (isAgain) onGap()
    } catch (error) {
      onFault(error as Error)
      again()
    }
  }

  return {
    dialect: 'postgres',
    config: { dialect: 'postgres', url },
    writer,
    reader,
    renewStatements: () => plans.renew(),
    // Its commit returns when it is on the disk.
    async durable() {},
    listen,
    async close() {
      closed = true
      clearTimeout(retry)
      await listener?.end().catch(() => {})
      await Promise.all([lines.close(), close()])
    },
  }
}
