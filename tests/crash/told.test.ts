import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import SqliteFile from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomNumbers } from '../../host-server/cli/seed-context.ts'
import type { KillableSite } from './killable-site.ts'
import { ADMIN, API, killableSite, until } from './killable-site.ts'

/** Kills the site while people are told and awarded. `STOA_CRASH_SEED` repeats a run. */
const seed = process.env.STOA_CRASH_SEED ?? String(Date.now())
const random = randomNumbers(seed)
const ROUNDS = 3
const MEMBERS = 6

let site: KillableSite
beforeAll(async () => {
  site = await killableSite()
}, 120_000)
afterAll(() => site.remove())

/** Of the site's own tables; every column is a number or text. */
async function rows(sql: string): Promise<Record<string, number | string>[]> {
  if (site.databaseUrl === undefined) {
    const file = new SqliteFile(join(site.dataDir, 'stoa.db'), { readonly: true })
    try {
      return file.prepare(sql).all() as Record<string, number>[]
    } finally {
      file.close()
    }
  }
  const client = new pg.Client({ connectionString: site.databaseUrl })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
const count = async (sql: string): Promise<number> => Number((await rows(sql))[0]?.count)

describe('a site that is killed while people are told and awarded', () => {
  it(`tells and awards everything once (STOA_CRASH_SEED=${seed})`, async () => {
    await site.start()
    const owner = await site.signIn()
    const people = Array.from({ length: MEMBERS }, (_, n) => `member${n},member${n}@example.org,Member12345`).join('\n')
    expect((await site.call('POST', `${ADMIN}/users`, { users: people }, owner)).status).toBe(200)
    const { data } = await site.call('GET', `${ADMIN}/setting/privileges`, undefined, owner)
    const custom_privileges = (data.options[0].privileges as { key: string }[]).map(({ key }) => ({ key, value: 1 }))
    expect((await site.call('PUT', `${ADMIN}/setting/privileges`, { level: 99, custom_privileges }, owner)).status).toBe(200)
    const tags = [{ slug_name: 'told', display_name: 'told', original_text: '' }]
    const posts: string[] = []
    for (let n = 0; n < 4; n++) {
      const post = { title: `Who hears of this, asked the ${n}th?`, content: 'Everybody, and everybody once.', tags }
      posts.push((await site.call('POST', `${API}/experience`, post, owner)).data.id)
    }
    const tokens = await Promise.all(Array.from({ length: MEMBERS }, (_, n) => site.signIn(`member${n}@example.org`, 'Member12345')))

    let said = 0
    for (let round = 1; round <= ROUNDS; round++) {
      let isGone = false
      const begun = Promise.withResolvers<void>()
      const busy = tokens.map((token, member) =>
        until(
          () => isGone,
          async (n) => {
            const object_id = posts[(n + member) % posts.length]
            const original_text = `In round ${round} member ${member} said this ${n} times.`
            if ((await site.call('POST', `${API}/comment`, { object_id, original_text }, token)).status === 200) {
              said++
              begun.resolve()
            }
            await site.call('POST', `${API}/vote/up`, { object_id }, token)
          },
        ),
      )
      await begun.promise
      await delay(random() * 800)
      await site.kill()
      isGone = true
      await Promise.all(busy)
      await site.start()
    }
    expect(said).toBeGreaterThan(0)
    // What a badge is for was done by people who were not asked again since.
    const voters = await count('select count(distinct voter_id) as count from votes__ballot')
    const comments = await count('select count(*) as count from comments__comment')
    expect(comments).toBeGreaterThanOrEqual(said)
    const awards = () =>
      count("select count(*) as count from badges__award a join badges__badge b on b.id = a.badge_id where b.name = 'badges.first_upvote'")
    const told = () => count("select count(*) as count from notifications__act where kind like 'comment%'")
    const notices = () => count("select count(*) as count from notifications__notice where kind = 'badges.awarded'")
    // What was deserved while nobody looked is given in silence.
    const all = () => count('select count(*) as count from badges__award where is_seen = 0')
    await expect
      .poll(async () => [await awards(), await told(), (await notices()) - (await all())], { timeout: 60_000 })
      .toEqual([voters, comments, 0])

    // Sums that are kept beside what they are sums of.
    expect(
      await rows('select id from badges__badge b where award_count != (select count(*) from badges__award a where a.badge_id = b.id)'),
    ).toEqual([])
    expect(
      await rows(`select person_id from notifications__status s where inbox !=
        (select count(*) from notifications__notice n where n.person_id = s.person_id and n.list = 'inbox' and n.is_seen = 0)`),
    ).toEqual([])
    const twice = await rows(
      "select object_n from notifications__notice where kind = 'badges.awarded' group by object_n having count(*) > 1",
    )
    expect(twice).toEqual([])
  }, 300_000)
})
