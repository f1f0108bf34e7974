import type { TestDatabase } from '@stoa/sdk/testing'
import { createDatabase } from '@stoa/sdk/testing'
import SQLite from 'better-sqlite3'
import { Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import people from '../migrations/0001-people.ts'
import causes from '../migrations/0002-causes.ts'
import differences from '../migrations/0008-rank-differences.ts'
import { checkReputation, correctReputation } from '../server/check-reputation.ts'
import { createReputation } from '../server/reputation.ts'
import type { AccountTables } from '../server/tables.ts'
import { ledgerOnly } from '../server/tables.ts'

const NOON = 1_700_049_600
const PEOPLE = [1, 2, 3, 4]
const OBJECTS = ['a', 'b', 'c', 'd', 'e']

/** The same numbers for the same seed. */
function dice(seed: number) {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)] as T
}

describe('the rank of everybody', () => {
  const isPostgres = process.env.STOA_TEST_DATABASE === 'postgres'
  const dialect = isPostgres ? ('postgres' as const) : ('sqlite' as const)
  let own: TestDatabase | undefined
  let query: Kysely<AccountTables>
  let now = NOON
  let warned: string[] = []

  /** The embedded database has one writer at a time, as the kernel has it. */
  let last: Promise<unknown> = Promise.resolve()
  const write = <R>(fn: (tx: Kysely<AccountTables>) => Promise<R>): Promise<R> => {
    if (isPostgres) return query.transaction().execute(fn)
    const next = last.then(() => fn(query))
    last = next.catch(() => undefined)
    return next
  }
  const tools = () => ({
    db: { dialect, query, write } as never,
    now: () => now,
    emit: async () => undefined,
    log: { info: () => {}, error: () => {}, warn: (message: string) => void warned.push(message) },
  })

  beforeAll(async () => {
    if (isPostgres) {
      own = await createDatabase(process.env.STOA_TEST_PG ?? '')
      pg.types.setTypeParser(20, Number)
      const pool = new pg.Pool({ connectionString: own.url })
      // The database is dropped with connections that are about to end.
      pool.on('error', () => {})
      query = new Kysely({ dialect: new PostgresDialect({ pool }) })
    } else query = new Kysely({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    for (const migration of [people, causes, differences]) await migration.up(query, dialect)
  })
  afterAll(async () => {
    await query.destroy()
    await own?.drop()
  })

  beforeEach(async () => {
    now = NOON
    warned = []
    for (const table of ['accounts__reputation', 'accounts__profile', 'accounts__rank_difference'] as const)
      await query.deleteFrom(table).execute()
    for (const id of PEOPLE) {
      const name = `p${id}`
      const person = { username: name, username_lower: name, display_name: name, display_lower: name, email: '', email_hash: '' }
      await query
        .insertInto('accounts__profile')
        .values({ id, ...person, state: 'normal', role: 1, rank: 1, created_at: now })
        .execute()
      const beginning = { person_id: id, delta: 1, reason: ledgerOnly.start, object_id: '', created_at: 0 }
      await query.insertInto('accounts__reputation').values(beginning).execute()
    }
  })

  /** Rank and sum of what stands, of each. */
  const books = async () => {
    const rows = await query
      .selectFrom('accounts__profile as p')
      .leftJoin('accounts__reputation as r', (join) => join.onRef('r.person_id', '=', 'p.id').on('r.is_cancelled', '=', 0))
      .select(['p.id', 'p.rank', sql<number>`coalesce(sum(r.delta), 0)`.as('sum')])
      .groupBy(['p.id', 'p.rank'])
      .orderBy('p.id')
      .execute()
    return rows.map(({ rank, sum: total }) => [rank, Number(total)] as const)
  }
  const ranks = async () => (await books()).map(([rank]) => rank)

  it.each([1, 7, 42, 2026])(
    'is the sum of their records after any votes, votes taken back, deletions and restorations (seed %i)',
    async (seed) => {
      const roll = dice(seed)
      const reputation = createReputation(tools())
      const cast = new Map<string, { personId: number; reason: string; objectId: string; causeId: number }>()
      for (let step = 0; step < 150; step++) {
        const [author, voter, object] = [roll(PEOPLE), roll(PEOPLE), roll(OBJECTS)]
        // One author an object, one vote a voter and object, as votes keep it.
        const personId = PEOPLE[OBJECTS.indexOf(object) % PEOPLE.length] ?? author
        const key = `${object} ${voter}`
        const before = cast.get(key)
        const act = roll(['vote', 'vote', 'vote', 'back', 'delete', 'restore', 'accept', 'day'])
        if (act === 'vote' || act === 'back') {
          if (before) await reputation.undo(before)
          cast.delete(key)
        }
        if (act === 'vote') {
          const isUp = roll([true, false])
          const vote = { personId, reason: `experience.voted_${isUp ? 'up' : 'down'}`, objectId: object, causeId: voter }
          await reputation.change({ ...vote, delta: isUp ? 10 : -2 })
          cast.set(key, vote)
        }
        if (act === 'accept')
          await reputation.change({ personId, reason: 'answer.accepted', objectId: object, delta: roll([15, -9]), capped: false })
        if (act === 'delete') await reputation.withdraw(object)
        if (act === 'restore') await reputation.giveBack(object)
        if (act === 'day') now += 86_400
        for (const [rank, total] of await books()) {
          expect(rank, `step ${step}: ${act}`).toBe(total)
          expect(rank, `step ${step}: ${act}`).toBeGreaterThanOrEqual(1)
        }
      }
      expect(await checkReputation(tools())).toEqual([])
    },
  )

  it('does not grow by deleting and restoring again and again', async () => {
    const reputation = createReputation(tools())
    await reputation.change({ personId: 1, reason: 'experience.voted_up', objectId: 'a', delta: 10 })
    await reputation.change({ personId: 1, reason: 'experience.voted_down', objectId: 'b', delta: -8 })
    const before = await ranks()
    for (let round = 0; round < 5; round++) {
      await reputation.withdraw('a')
      await reputation.giveBack('a')
    }
    expect(await ranks()).toEqual(before)
  })

  it('is moved once by two who take the same vote back at the same moment', async () => {
    const reputation = createReputation(tools())
    for (const causeId of [2, 3]) await reputation.change({ personId: 1, reason: 'experience.voted_up', objectId: 'a', delta: 10, causeId })
    const vote = { personId: 1, reason: 'experience.voted_up', objectId: 'a', causeId: 2 }
    await Promise.all([reputation.undo(vote), reputation.undo(vote), reputation.withdraw('a')])
    await reputation.giveBack('a')
    expect(await ranks()).toEqual([11, 1, 1, 1])
  })

  it('is checked: what does not add up is found, said and set right', async () => {
    await createReputation(tools()).change({ personId: 2, reason: 'experience.voted_up', objectId: 'a', delta: 10 })
    await query.updateTable('accounts__profile').set({ rank: 500 }).where('id', '=', 2).execute()
    expect(await checkReputation(tools())).toEqual([2])
    expect(await query.selectFrom('accounts__rank_difference').select(['person_id', 'rank', 'ledger']).execute()).toEqual([
      { person_id: 2, rank: 500, ledger: 11 },
    ])
    expect(warned).toHaveLength(1)
    await correctReputation(tools())
    expect(await ranks()).toEqual([1, 11, 1, 1])
    expect(await query.selectFrom('accounts__rank_difference').select('person_id').execute()).toEqual([])
  })

  it('is checked by several at once without one refusing another', async () => {
    await query.updateTable('accounts__profile').set({ rank: 500 }).where('id', '=', 2).execute()
    expect(await Promise.all(Array.from({ length: 8 }, () => checkReputation(tools())))).toEqual(Array(8).fill([2]))
    expect(await query.selectFrom('accounts__rank_difference').select('person_id').execute()).toEqual([{ person_id: 2 }])
  })

  it('is set right without a change that comes meanwhile being lost', async () => {
    const reputation = createReputation(tools())
    await query.updateTable('accounts__profile').set({ rank: 500 }).where('id', '=', 2).execute()
    await checkReputation(tools())
    const votes = OBJECTS.map((objectId) => reputation.change({ personId: 2, reason: 'experience.voted_up', objectId, delta: 10 }))
    await Promise.all([correctReputation(tools()), ...votes])
    expect(await ranks()).toEqual([1, 51, 1, 1])
  })

  it('of people from before beginnings were recorded is taken as it is, once', async () => {
    await query.deleteFrom('accounts__reputation').execute()
    await query.updateTable('accounts__profile').set({ rank: 321 }).where('id', '=', 3).execute()
    expect(await checkReputation(tools())).toEqual([])
    expect(await ranks()).toEqual([1, 1, 321, 1])
    expect(await books()).toEqual((await ranks()).map((rank) => [rank, rank]))
    await query.updateTable('accounts__profile').set({ rank: 322 }).where('id', '=', 3).execute()
    expect(await checkReputation(tools())).toEqual([3])
  })
})
