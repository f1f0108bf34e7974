import type { SeedContext } from '@stoa/sdk/seed'
import { defineSeeder } from '@stoa/sdk/seed'
import type { Kysely } from 'kysely'
import type { SeededPeople } from '../shared/api.ts'
import { emailHash } from './profiles.ts'
import type { AccountTables } from './tables.ts'

const POSTS_PER_PERSON = 12
const YEARS_2 = 2 * 365 * 86_400
const WEEK = 7 * 86_400

/** People: most are quiet, few have much reputation; some earned part of it this week. Ids come in the order of activity, busiest first. */
export default defineSeeder({
  order: 10,
  async seed(context) {
    const { posts, principals, insert, log } = context
    const count = Math.max(20, Math.ceil(posts / POSTS_PER_PERSON))
    const first = (await context.lastId('accounts__profile')) + 1
    const logins = Array.from({ length: count }, (_, index) => `seed${first + index}@example.org`)
    const ids = await principals(logins)
    const people = ids.map((id, index) => person(context, id, logins[index] as string, index))
    await insert('accounts__profile', people)
    await insert(
      'accounts__name',
      people.map(({ id, username_lower }) => ({ username_lower, person_id: id, taken_at: 0 })),
    )
    await insert(
      'accounts__reputation',
      people
        .filter((row) => row.rank > 1)
        .slice(0, 200)
        .map((row) => earned(context, row)),
    )
    log(`${count} people`)
    const internal: SeededPeople = { ids, count: countUp }
    return { people: count, internal }
  },
})

/** People with the same amount are counted up together: there are few different amounts. */
const countUp: SeededPeople['count'] = async (db: Kysely<AccountTables>, counter, amounts) => {
  const byAmount = Map.groupBy(amounts, ([, amount]) => amount)
  for (const [amount, people] of byAmount) {
    for (let at = 0; at < people.length; at += 1000) {
      await db
        .updateTable('accounts__profile')
        .set((eb) => ({ [counter]: eb(counter, '+', amount) }))
        .where(
          'id',
          'in',
          people.slice(at, at + 1000).map(([id]) => id),
        )
        .execute()
    }
  }
}

function person({ random, text, now }: SeedContext, id: number, login: string, index: number) {
  const name = text.name().slice(0, 30)
  const username = `seed${id}`
  return {
    id,
    username,
    username_lower: username,
    display_name: name,
    display_lower: name.toLowerCase(),
    email: login,
    email_hash: emailHash(login),
    state: 'normal',
    role: 1,
    bio: '',
    bio_html: '',
    // No picture of theirs: seeded pages must not ask other sites.
    avatar_type: 'none',
    // The sum of a life here: a tenth of the people have nearly all of it.
    rank: 1 + Math.floor((2000 * random()) / (1 + index / 10)),
    created_at: now - Math.floor(random() * YEARS_2),
    last_login_at: now - Math.floor(random() * WEEK * 8),
  }
}

function earned({ random, now }: SeedContext, { id, rank }: { id: number; rank: number }) {
  return {
    person_id: id,
    delta: Math.min(rank - 1, 10 * (1 + Math.floor(random() * 6))),
    reason: 'seed',
    object_id: '',
    created_at: now - Math.floor(random() * WEEK),
  }
}
