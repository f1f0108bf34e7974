import type { Site, TestPerson } from '@stoa/sdk/testing'
import { startSite } from '@stoa/sdk/testing'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { accept, answered } from '../../answers/testing/index.ts'
import { posted } from '../../experiences/testing/index.ts'

const PEOPLE = 8

const onPostgres = describe.runIf(process.env.STOA_TEST_DATABASE === 'postgres')
onPostgres('badges that come back while people earn them', () => {
  let site: Site
  /** Somebody else who writes, and one who looks on. */
  let other: pg.Client
  let rows: pg.Pool
  let people: TestPerson[]

  beforeAll(async () => {
    let databaseUrl: string | undefined
    site = await startSite({
      restore: async (into) => {
        databaseUrl = into.databaseUrl
      },
    })
    other = new pg.Client({ connectionString: databaseUrl })
    await other.connect()
    rows = new pg.Pool({ connectionString: databaseUrl })
    await (await site.admin()).put('/answer/admin/api/setting/privileges', { level: 1 })
    people = await Promise.all(Array.from({ length: PEOPLE }, (_, n) => site.member(`person${n}`)))
  })
  afterAll(async () => {
    await other.end()
    await rows.end()
    await site.close()
  })

  it('hold no badge while they wait for one with a lower number', async () => {
    const numbers = (await rows.query('select id from badges__badge order by id')).rows.map(({ id }) => Number(id))
    await site.switch('badges', false)
    // The table no longer lies in the order of its numbers.
    await rows.query('vacuum full badges__badge')
    await rows.query('update badges__badge set award_count = award_count where id = $1', [numbers[0]])
    const waiting = async () =>
      (
        await rows.query(
          `select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%badges__badge%'`,
        )
      ).rows[0].n
    await other.query('begin')
    try {
      await other.query('select id from badges__badge where id = $1 for update', [numbers[0]])
      await site.switch('badges', true)
      // What was missed is to be looked up, and what badges there are is stored.
      await expect.poll(waiting, { timeout: 20_000 }).toBe(2)
      await other.query('select id from badges__badge where id = $1 for update nowait', [numbers.at(-1)])
    } finally {
      await other.query('rollback')
    }
    await site.idle()
    expect(site.errors).toEqual([])
  })

  it('are given once each, whoever finds them first, and are counted', async () => {
    const [asker, ...others] = people as [TestPerson, ...TestPerson[]]
    const deeds = async (person: TestPerson) => {
      const id = await posted(asker)
      const answer = await answered(person, id)
      await accept(asker, id, answer)
      await person.post('/answer/api/v1/vote/up', { object_id: id })
      await person.put('/answer/api/v1/user/info', { display_name: person.name, username: person.name, bio: 'I like trains.' })
    }
    await Promise.all(others.map(deeds))
    const back = async () => {
      for (let round = 0; round < 3; round++) {
        await site.switch('badges', false)
        await site.switch('badges', true)
      }
    }
    await Promise.all([back(), ...others.map(deeds), ...others.map(deeds)])
    await site.idle()
    const { rows: counts } = await rows.query(
      `select b.name, b.award_count as counted, count(a.id)::int as given, count(distinct a.person_id)::int as people
      from badges__badge b join badges__award a on a.badge_id = b.id group by b.id order by b.name`,
    )
    const of = (name: string, given: number, persons: number) => ({ name: `badges.${name}`, counted: given, given, people: persons })
    expect(counts).toEqual([
      of('autobiographer', others.length, others.length),
      of('first_upvote', others.length, others.length),
      of('scholar', 1, 1),
      of('solved', others.length, others.length),
    ])
    expect(site.errors).toEqual([])
  })
})
