import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'

export interface TestServer {
  /** Address with a user who may create databases. */
  url: string
  /** Ends what was started for this run. */
  stop(): void
}

const isRoot = process.getuid?.() === 0

/**
 * A PostgreSQL server for tests: `STOA_TEST_PG`, one that answers on this machine, one started from installed programs,
 * or one installed for it (as root on Debian).
 * @returns undefined when there is no way to have one
 */
export async function findPostgres(): Promise<TestServer | undefined> {
  const given = process.env.STOA_TEST_PG
  if (given) {
    if (!(await answers(given))) throw new Error(`STOA_TEST_PG is set, but no PostgreSQL server lets us in there`)
    return { url: given, stop: () => {} }
  }
  for (const url of ['postgres://postgres@127.0.0.1:5432/postgres', 'postgres://postgres:postgres@127.0.0.1:5432/postgres']) {
    if (await answers(url)) return { url, stop: () => {} }
  }
  const programs = installedPrograms() ?? installPrograms()
  return programs === undefined ? undefined : startServer(programs)
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Folder of `initdb` and `pg_ctl`, newest version first. */
function installedPrograms(): string | undefined {
  const versions = existsSync('/usr/lib/postgresql') ? readdirSync('/usr/lib/postgresql').sort((a, b) => Number(b) - Number(a)) : []
  const folders = [...versions.map((version) => `/usr/lib/postgresql/${version}/bin`), '/usr/local/bin', '/opt/homebrew/bin']
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'pg_ctl')))
}

function installPrograms(): string | undefined {
  if (!isRoot || !existsSync('/usr/bin/apt-get')) return undefined
  try {
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, timeout: 300_000 } as const
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], options)
  } catch {
    return undefined
  }
  return installedPrograms()
}

/** A cluster of its own in a temporary folder; PostgreSQL refuses to run as root, so then it runs as `postgres`. */
async function startServer(programs: string): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-pg-'))
  const run = (program: string, ...args: string[]) => {
    const path = join(programs, program)
    const [file, all] = isRoot ? ['runuser', ['-u', 'postgres', '--', path, ...args]] : [path, args]
    execFileSync(file as string, all as string[], { stdio: 'ignore', cwd: folder })
  }
  if (isRoot) execFileSync('chown', ['postgres', folder])
  const port = await freePort()
  run('initdb', '-D', join(folder, 'data'), '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8')
  run(
    'pg_ctl',
    '-D',
    join(folder, 'data'),
    '-w',
    '-l',
    join(folder, 'log'),
    '-o',
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`,
    'start',
  )
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop() {
      run('pg_ctl', '-D', join(folder, 'data'), '-m', 'immediate', 'stop')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
