import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, describe } from 'vitest'
import type { TestDatabase } from '../../sdk/testing/database.ts'
import { createDatabase } from '../../sdk/testing/database.ts'
import type { DataOptions, KernelData } from './index.ts'
import { openData } from './index.ts'

const server = process.env.STOA_TEST_PG ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Which databases to test: `STOA_TEST_DATABASE`, else both, as far as PostgreSQL answers. */
async function databases(): Promise<('sqlite' | 'postgres')[]> {
  const chosen = process.env.STOA_TEST_DATABASE
  if (chosen === 'sqlite' || chosen === 'postgres') return [chosen]
  const client = new pg.Client({ connectionString: server, connectionTimeoutMillis: 2_000 })
  try {
    await client.connect()
    await client.end()
    return ['sqlite', 'postgres']
  } catch (error) {
    console.warn(`PostgreSQL tests of the data layer were left out: ${server} does not answer (${(error as Error).message})`)
    return ['sqlite']
  }
}

const available = await databases()

/** An empty data directory with its database, and a clock that stands still. */
export interface TestStore {
  dialect: 'sqlite' | 'postgres'
  dataDir: string
  databaseUrl: string | undefined
  /** Unix seconds; tests move it. */
  time: number
  logged: string[]
  open(options?: Partial<DataOptions>): Promise<KernelData>
}

/** Describes behaviour on each database. `store` makes a fresh one; what it opened is closed after the test. `only`: makes no sense elsewhere. */
export function describeOnEach(title: string, body: (store: () => Promise<TestStore>) => void, only?: 'sqlite' | 'postgres'): void {
  describe.each(available.filter((dialect) => !only || dialect === only))(`${title} (%s)`, (dialect) => {
    const opened: KernelData[] = []
    const made: { dataDir: string; database: TestDatabase | undefined }[] = []

    afterEach(async () => {
      await Promise.all([...opened].map((data) => data.close()))
      for (const { dataDir, database } of made.splice(0)) {
        await database?.drop()
        rmSync(dataDir, { recursive: true })
      }
    })

    body(async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'stoa-data-'))
      const database = dialect === 'postgres' ? await createDatabase(server) : undefined
      made.push({ dataDir, database })
      const store: TestStore = {
        dialect,
        dataDir,
        databaseUrl: database?.url,
        time: 1_800_000_000,
        logged: [],
        async open(options = {}) {
          const data = await openData({
            dataDir,
            ...(database && { databaseUrl: database.url }),
            now: () => store.time,
            leaseSeconds: 1,
            log: (level, message, details) => void store.logged.push(`${level} ${message} ${JSON.stringify(details ?? {})}`),
            ...options,
          })
          const close = data.close
          opened.push(data)
          return Object.assign(data, {
            close: () => {
              opened.splice(opened.indexOf(data), 1)
              return close()
            },
          })
        },
      }
      return store
    })
  })
}

/** A promise with its key, for tests that await what code under test does. */
export function signal<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  return Promise.withResolvers<T>()
}

/** A table `notes__note (id, text)` of a plugin `notes`. */
export async function withNotes(data: KernelData): Promise<void> {
  const { idColumn } = await import('@stoa/sdk/server')
  await data.migrate('notes', [
    {
      name: '0001-notes',
      async up(db, dialect) {
        await db.schema
          .createTable('notes__note')
          .addColumn(...idColumn(dialect))
          .addColumn('text', 'text', (c) => c.notNull().unique())
          .execute()
      },
    },
  ])
}
