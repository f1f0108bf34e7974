import SQLite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import people from '../migrations/0001-people.ts'
import causes from '../migrations/0002-causes.ts'
import { createReputation } from '../server/reputation.ts'
import type { AccountTables } from '../server/tables.ts'

const NOON = 1_700_049_600

describe('reputation', () => {
  let query: Kysely<AccountTables>
  let now: number
  let reputation: ReturnType<typeof createReputation>

  beforeEach(async () => {
    query = new Kysely<AccountTables>({ dialect: new SqliteDialect({ database: new SQLite(':memory:') }) })
    now = NOON
    await people.up(query, 'sqlite')
    await causes.up(query, 'sqlite')
    const person = {
      username: 'ana',
      username_lower: 'ana',
      display_name: 'ana',
      display_lower: 'ana',
      email: '',
      email_hash: '',
      state: 'normal',
      role: 1,
    }
    await query
      .insertInto('accounts__profile')
      .values({ id: 7, ...person, rank: 1, created_at: now })
      .execute()
    const db = {
      dialect: 'sqlite' as const,
      query,
      write: <R>(fn: (tx: Kysely<AccountTables>) => Promise<R>) => fn(query),
    }
    reputation = createReputation({ db, now: () => now, emit: async () => undefined })
  })

  const rank = async () => (await query.selectFrom('accounts__profile').select('rank').where('id', '=', 7).executeTakeFirstOrThrow()).rank
  const change = (delta: number, reason = 'experience.voted_up', capped = true) =>
    reputation.change({ personId: 7, delta, reason, objectId: 'x', capped })
  const voted = (causeId: number) => ({ personId: 7, reason: 'experience.voted_up', objectId: 'x', causeId })
  const undo = (reason = 'experience.voted_up') => reputation.undo({ personId: 7, reason, objectId: 'x' })

  it('goes up and comes back by what was really given', async () => {
    expect(await change(10)).toBe(10)
    expect(await rank()).toBe(11)
    expect(await undo()).toBe(-10)
    expect(await undo()).toBe(0)
    expect(await rank()).toBe(1)
  })

  it('never falls below 1, and a trimmed loss comes back as small as it was', async () => {
    expect(await change(-2, 'experience.voted_down')).toBe(0)
    await change(1, 'other')
    expect(await change(-2, 'answer.voted_down')).toBe(-1)
    expect(await undo('answer.voted_down')).toBe(1)
    expect(await rank()).toBe(2)
  })

  it('counts no more gains after 200 in a day, accepted answers aside', async () => {
    for (let vote = 0; vote < 20; vote++) expect(await change(10)).toBe(10)
    expect(await change(10)).toBe(0)
    expect(await change(15, 'answer.accepted', false)).toBe(15)
    now += 86_400
    expect(await change(10)).toBe(10)
    expect(await rank()).toBe(226)
  })

  it('takes back the share of the cause that is named, though others count nothing under the cap', async () => {
    for (let voter = 1; voter <= 21; voter++) await reputation.change({ ...voted(voter), delta: 10 })
    expect(await reputation.undo(voted(21))).toBe(0)
    expect(await reputation.undo(voted(3))).toBe(-10)
    expect(await reputation.undo(voted(3))).toBe(0)
    expect(await rank()).toBe(191)
  })

  it('leaves with a deleted object and comes back with it', async () => {
    await change(10)
    await change(10)
    await change(-2, 'experience.voted_down')
    await reputation.change({ personId: 7, delta: 10, reason: 'experience.voted_up', objectId: 'y' })
    await reputation.withdraw('x')
    await reputation.withdraw('x')
    expect(await rank()).toBe(11)
    await reputation.giveBack('x')
    await reputation.giveBack('x')
    expect(await rank()).toBe(29)
  })

  it('does not grow by going and coming where the floor kept some of it', async () => {
    await change(10)
    await reputation.change({ personId: 7, delta: -8, reason: 'other', objectId: 'y' })
    await reputation.withdraw('x')
    expect(await rank()).toBe(1)
    await reputation.giveBack('x')
    expect(await rank()).toBe(3)
  })

  it('that was withdrawn does not come back once it is undone', async () => {
    await change(10)
    await reputation.withdraw('x')
    expect(await undo()).toBe(0)
    await reputation.giveBack('x')
    expect(await rank()).toBe(1)
  })

  it('pays off what the floor kept before anything comes back', async () => {
    await change(10)
    await reputation.change({ personId: 7, delta: -8, reason: 'experience.voted_down', objectId: 'y' })
    expect(await undo()).toBe(-2)
    expect(await rank()).toBe(1)
    await change(10)
    expect(await rank()).toBe(11)
    expect(await reputation.undo({ personId: 7, reason: 'experience.voted_down', objectId: 'y' })).toBe(0)
    expect(await rank()).toBe(11)
  })

  it('ignores people who are not there', async () => {
    expect(await reputation.change({ personId: 99, delta: 10, reason: 'x', objectId: 'x' })).toBe(0)
  })
})
