import { defineSeeder } from '@stoa/sdk/server'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededAnswers } from '../../answers/shared/api.ts'
import type { SeededComments } from '../../comments/shared/api.ts'
import type { SeededPosts } from '../../experiences/shared/api.ts'

const DAYS_60 = 60 * 86_400

interface Voted {
  n: number
  authorId: number
  createdAt: number
  votes: number
}

/** The ballots behind the sums that posts, answers and comments already have. */
export default defineSeeder({
  order: 50,
  async seed({ db, seeded, insert, random, now, log }) {
    const people = seeded<{ internal: SeededPeople }>('accounts').internal?.ids ?? [1]
    const kinds: [string, AsyncIterable<Voted[]> | undefined][] = [
      ['experience', seeded<{ internal: SeededPosts }>('experiences').internal?.each(db)],
      ['answer', seeded<{ internal: SeededAnswers }>('answers').internal?.each(db)],
      ['comment', seeded<{ internal: SeededComments }>('comments').internal?.each(db)],
    ]
    let waiting: Record<string, unknown>[] = []
    let count = 0
    const store = async () => {
      count += waiting.length
      if (waiting.length > 0) await insert('votes__ballot', waiting)
      waiting = []
    }
    const castOn = (object_kind: string, { n, authorId, createdAt, votes }: Voted) => {
      const start = Math.floor(random() * people.length)
      let left = Math.abs(votes)
      for (let step = 0; left > 0 && step < people.length; step++) {
        const voter_id = people[(start + step) % people.length] as number
        if (voter_id === authorId) continue
        left -= 1
        const created_at = createdAt + Math.floor(Math.min(DAYS_60, now - createdAt) * random() ** 2)
        waiting.push({ object_kind, object_n: n, voter_id, direction: Math.sign(votes), created_at })
      }
    }
    for (const [kind, objects] of kinds) {
      for await (const some of objects ?? []) {
        for (const object of some) castOn(kind, object)
        await store()
      }
    }
    log(`${count} votes`)
    return { votes: count }
  },
})
