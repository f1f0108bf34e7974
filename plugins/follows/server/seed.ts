import { defineSeeder } from '@stoa/sdk/seed'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededFollowables } from '../shared/api.ts'
import { followable } from '../shared/api.ts'

const DAYS_60 = 60 * 86_400
/** Of what does not say how much it is followed. */
const USUAL = { share: 0.25, most: 8 }

/** Some people follow some of everything that can be followed. */
export default defineSeeder({
  order: 51,
  async seed({ db, seeded, services, insert, random, skewed, now, log }) {
    const people = seeded<{ internal: SeededPeople }>('accounts').internal
    const ids = people?.ids ?? [1]
    const following = new Map<number, number>()
    let follows = 0
    for (const { slug, service } of services(followable)) {
      const made = seeded<{ internal: SeededFollowables }>(slug).internal
      const { share, most } = made?.usual ?? USUAL
      for await (const some of made?.each(db) ?? []) {
        const followers = new Map<number, number>()
        const rows = some.flatMap(({ n, createdAt }) => {
          if (random() >= share) return []
          const count = 1 + skewed(Math.min(most, ids.length))
          const start = Math.floor(random() * ids.length)
          followers.set(n, count)
          return Array.from({ length: count }, (_, step) => {
            const person_id = ids[(start + step) % ids.length] as number
            following.set(person_id, (following.get(person_id) ?? 0) + 1)
            const created_at = createdAt + Math.floor(Math.min(DAYS_60, now - createdAt) * random() ** 2)
            return { object_kind: service.kind, object_n: n, person_id, created_at }
          })
        })
        if (rows.length > 0) await insert('follows__follow', rows)
        await made?.addFollowers(db, followers)
        follows += rows.length
      }
    }
    await people?.count(db, 'follow_count', following)
    log(`${follows} follows`)
    return { follows }
  },
})
