import { defineSeeder } from '@stoa/sdk/seed'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededBookmarkables } from '../shared/api.ts'
import { bookmarkable } from '../shared/api.ts'

const SHARE = 0.2
const MOST = 12
const DAYS_60 = 60 * 86_400

/** A fifth of what can be bookmarked has been, mostly by one or two. */
export default defineSeeder({
  order: 52,
  async seed({ db, seeded, services, insert, random, skewed, now, log }) {
    const people = seeded<{ internal: SeededPeople }>('accounts').internal?.ids ?? [1]
    let bookmarks = 0
    for (const { slug, service } of services(bookmarkable)) {
      const made = seeded<{ internal: SeededBookmarkables }>(slug).internal
      for await (const some of made?.each(db) ?? []) {
        const counts = new Map<number, number>()
        const rows = some.flatMap(({ n, createdAt }) => {
          if (random() >= SHARE) return []
          const count = 1 + skewed(Math.min(MOST, people.length))
          const start = Math.floor(random() * people.length)
          counts.set(n, count)
          return Array.from({ length: count }, (_, step) => ({
            object_kind: service.kind,
            object_n: n,
            person_id: people[(start + step) % people.length] as number,
            created_at: createdAt + Math.floor(Math.min(DAYS_60, now - createdAt) * random() ** 2),
          }))
        })
        if (rows.length > 0) await insert('bookmarks__bookmark', rows)
        await made?.addBookmarks(db, counts)
        bookmarks += rows.length
      }
    }
    log(`${bookmarks} bookmarks`)
    return { bookmarks }
  },
})
