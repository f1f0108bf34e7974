import { defineSeeder } from '@stoa/sdk/seed'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededVotables } from '../shared/api.ts'
import { votable } from '../shared/api.ts'

const DAYS_60 = 60 * 86_400

interface Voted {
  n: number
  authorId: number
  createdAt: number
  votes: number
}

/** The ballots behind the sums that things to vote on already have. */
export default defineSeeder({
  order: 50,
  async seed({ db, seeded, services, insert, random, now, log }) {
    const people = seeded<{ internal: SeededPeople }>('accounts').internal?.ids ?? [1]
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
    for (const { slug, service } of services(votable)) {
      const made = seeded<{ internal: SeededVotables }>(slug).internal
      for await (const some of made?.each(db) ?? []) {
        for (const object of some) castOn(service.kind, object)
        await store()
      }
    }
    log(`${count} votes`)
    return { votes: count }
  },
})
