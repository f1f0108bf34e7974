import { defineSeeder } from '@stoa/sdk/seed'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededAnswers } from '../../answers/shared/api.ts'
import type { SeededPosts } from '../../experiences/shared/api.ts'
import { emojis } from '../shared/schemas.ts'
import { NAMED } from './tables.ts'

const SHARE = 0.15
const MOST = 9
const DAYS_60 = 60 * 86_400

/** Reactions to some posts and answers, with their sums: hearts above all. */
export default defineSeeder({
  order: 53,
  async seed({ db, seeded, insert, random, skewed, now, log }) {
    const people = seeded<{ internal: SeededPeople }>('accounts').internal?.ids ?? [1]
    const made = {
      experience: seeded<{ internal: SeededPosts }>('experiences').internal,
      answer: seeded<{ internal: SeededAnswers }>('answers').internal,
    }
    let reactions = 0
    for (const [object_kind, objects] of Object.entries(made)) {
      for await (const some of objects?.each(db) ?? []) {
        const given = some.flatMap(({ n, createdAt }) => {
          if (random() >= SHARE) return []
          const emoji = emojis[skewed(emojis.length)] as string
          const start = Math.floor(random() * people.length)
          const count = 1 + skewed(Math.min(MOST, people.length))
          const from = Array.from({ length: count }, (_, step) => people[(start + step) % people.length] as number)
          return [
            {
              object_kind,
              object_n: n,
              emoji,
              from,
              created_at: createdAt + Math.floor(Math.min(DAYS_60, now - createdAt) * random() ** 2),
            },
          ]
        })
        if (given.length === 0) continue
        const rows = given.flatMap(({ from, ...reaction }) => from.map((person_id) => ({ ...reaction, person_id })))
        await insert('reactions__reaction', rows)
        await insert(
          'reactions__summary',
          given.map(({ from, created_at: _, ...reaction }) => ({
            ...reaction,
            count: from.length,
            first_people: JSON.stringify(from.slice(0, NAMED)),
          })),
        )
        reactions += rows.length
      }
    }
    log(`${reactions} reactions`)
    return { reactions }
  },
})
