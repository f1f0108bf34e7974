import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'

/** Last line of the seed. */
export interface Seeded {
  posts: number
  search: Record<string, string>
}

/** Who administers the seeded site. */
export const ADMIN = { email: 'admin@example.org', password: 'bench-password' }

const ROOT = resolve(import.meta.dirname, '..', '..')

/**
 * A site with so many posts below `build/`; filled once, later runs measure the same data.
 * @param databaseUrl of an empty database; default: SQLite in that folder
 * @throws when the seed fails
 */
export async function seededSite(posts: number, databaseUrl?: string): Promise<{ dataDir: string; seeded: Seeded }> {
  const dataDir = join(ROOT, 'build', databaseUrl ? `bench-${posts}-postgres` : `bench-${posts}`)
  const note = join(dataDir, 'seeded.json')
  if (!existsSync(note)) {
    rmSync(dataDir, { recursive: true, force: true })
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writeFileSync(note, await seed(dataDir, posts, databaseUrl))
  }
  return { dataDir, seeded: JSON.parse(readFileSync(note, 'utf8')) as Seeded }
}

/** Name of the PostgreSQL database that belongs to a seeded folder. */
const databaseOf = (posts: number): string => `stoa_bench_${posts}`

/** A seeded site on a PostgreSQL server, in a database that is made with it and kept as it. @throws when the seed fails */
export async function seededOnPostgres(posts: number, server: string): Promise<{ dataDir: string; databaseUrl: string; seeded: Seeded }> {
  const databaseUrl = addressOf(server, databaseOf(posts))
  const folder = join(ROOT, 'build', `bench-${posts}-postgres`)
  const isThere = await onServer(server, `select 1 from pg_database where datname = '${databaseOf(posts)}'`)
  // One is of no use without the other.
  if (isThere === 0 || !existsSync(join(folder, 'seeded.json'))) {
    rmSync(folder, { recursive: true, force: true })
    await onServer(server, `drop database if exists ${databaseOf(posts)} with (force)`)
    await onServer(server, `create database ${databaseOf(posts)}`)
  }
  return { databaseUrl, ...(await seededSite(posts, databaseUrl)) }
}

/** A copy of a seeded PostgreSQL database, to be written to; one from before is replaced. @returns its address, and what drops it */
export async function copyOnPostgres(posts: number, server: string): Promise<{ databaseUrl: string; drop(): Promise<void> }> {
  const copy = `${databaseOf(posts)}_written`
  const drop = async () => void (await onServer(server, `drop database if exists ${copy} with (force)`))
  await drop()
  await onServer(server, `create database ${copy} template ${databaseOf(posts)}`)
  return { databaseUrl: addressOf(server, copy), drop }
}

function addressOf(server: string, database: string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

async function onServer(server: string, statement: string): Promise<number> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}

async function seed(dataDir: string, posts: number, databaseUrl: string | undefined): Promise<string> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    STOA_DATA: dataDir,
    STOA_LANG: 'zh_CN',
    STOA_SITE_NAME: 'Bench',
    STOA_ADMIN_NAME: 'admin',
    STOA_ADMIN_EMAIL: ADMIN.email,
    STOA_ADMIN_PASSWORD: ADMIN.password,
  }
  for (const name of ['PORT', 'HOST', 'DATABASE_URL', 'SMTP_URL', 'STOA_SITE_URL', 'STOA_RATE_LIMITS', 'STOA_TRUST_PROXY']) delete env[name]
  if (databaseUrl) env.DATABASE_URL = databaseUrl
  const run = join(ROOT, 'host-server', 'cli', 'run.mjs')
  const child = spawn(process.execPath, [run, 'seed', '--posts', String(posts)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data) => {
    output += data
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The seed ended with ${code}`)
  return output.trim().split('\n').at(-1) as string
}

/** Running numbers of open posts, spread over all. */
export function openPosts(dataDir: string, count: number): number[] {
  const db = new Database(join(dataDir, 'stoa.db'), { readonly: true })
  try {
    const next = db
      .prepare<number[], number>('select id from experiences__post where id >= ? and +status = 1 and show = 1 order by id limit 1')
      .pluck()
    const last = db.prepare<[], number>('select max(id) from experiences__post').pluck().get() as number
    const found = Array.from({ length: count }, (_, index) => next.get(1 + Math.floor((index * last) / count)))
    return [...new Set(found.filter((n) => typeof n === 'number'))]
  } finally {
    db.close()
  }
}
