import { setImmediate as pause } from 'node:timers/promises'
import type { SeedContext } from '@stoa/sdk/seed'
import type { Provided } from '@stoa/sdk/server'
import { continueIds } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { createSeedText } from '../../sdk/seed/seed-text.ts'
import { hashPassword } from '../data/identity/passwords.ts'
import type { Kernel } from '../kernel.ts'

/** Values in one statement; SQLite takes 32,766 and PostgreSQL 65,535. */
const MAX_VALUES = 15_000

/** Mulberry32: small, fast, good enough for texts, and the same everywhere. @param seed any text */
export function randomNumbers(seed: string): () => number {
  let state = [...seed].reduce((hash, char) => Math.imul(hash ^ (char.codePointAt(0) as number), 16_777_619), 2_166_136_261)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface SeedOptions {
  kernel: Kernel
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  db: Kysely<any>
  slug: string
  posts: number
  results: ReadonlyMap<string, Record<string, unknown>>
}

/** What one seeder gets; its random numbers are its own, so that they do not depend on which others run. */
export function createSeedContext({ kernel, db, slug, posts, results }: SeedOptions): SeedContext {
  const random = randomNumbers(slug)
  const { dialect } = kernel.data

  async function insert(table: string, rows: Record<string, unknown>[]): Promise<void> {
    const most = Math.max(1, Math.floor(MAX_VALUES / Object.keys(rows[0] ?? { one: 1 }).length))
    for (let at = 0; at < rows.length; ) {
      const left = rows.length - at
      // Few lengths, so that few statements are kept prepared: each of them takes megabytes.
      const size = left >= most ? most : 2 ** Math.floor(Math.log2(left))
      await db
        .insertInto(table)
        .values(rows.slice(at, at + size))
        .execute()
      at += size
      // SQLite answers at once: without a pause timers, signals and what waits to be freed would wait until the seeder has ended.
      await pause()
    }
  }

  async function lastId(table: string): Promise<number> {
    const row = await db
      .selectFrom(table)
      .select((build) => build.fn.max<number | null>('id').as('last'))
      .executeTakeFirst()
    return row?.last ?? 0
  }

  return {
    db,
    dialect,
    posts,
    random,
    skewed: (below) => Math.floor(below * random() ** 3),
    text: createSeedText(random),
    ids: kernel.view().ids,
    now: Math.floor(Date.now() / 1000),
    insert,
    lastId,
    continueIds: (table) => continueIds(db, dialect, table),
    async principals(logins) {
      const first = (await lastId('kernel__principal')) + 1
      const passwordHash = await hashPassword('seed-password')
      const createdAt = Math.floor(Date.now() / 1000)
      const rows = logins.map((login, index) => ({
        id: first + index,
        login,
        password_hash: passwordHash,
        role: 1,
        state: 'normal',
        created_at: createdAt,
      }))
      await insert('kernel__principal', rows)
      await continueIds(db, dialect, 'kernel__principal')
      return rows.map(({ id }) => id)
    },
    read: (token, params) => kernel.read(token, params),
    services: <T>(token: { id: string }) => kernel.view().services(token.id, 'kernel') as Provided<T>[],
    seeded: (other) => (results.get(other) ?? {}) as never,
    log: (message) => console.log(`${slug}: ${message}`),
  }
}
