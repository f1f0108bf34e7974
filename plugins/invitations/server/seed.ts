import { defineSeeder } from '@stoa/sdk/seed'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededPosts } from '../../experiences/shared/api.ts'

const SHARE = 0.1

/** Authors of some posts without answers have invited one or two people. */
export default defineSeeder({
  order: 54,
  async seed({ db, seeded, insert, random, now, log }) {
    const people = seeded<{ internal: SeededPeople }>('accounts').internal?.ids ?? []
    const posts = seeded<{ internal: SeededPosts }>('experiences').internal
    let invitations = 0
    for await (const some of posts?.each(db) ?? []) {
      const rows = some.flatMap(({ n, authorId, createdAt, answers, listed }) => {
        if (answers > 0 || !listed || random() >= SHARE) return []
        const start = Math.floor(random() * people.length)
        const invited = [people[start], people[(start + 1) % people.length]].filter((id) => id !== undefined && id !== authorId)
        const created_at = Math.min(now, createdAt + Math.floor(random() * 86_400))
        return [...new Set(invited)].map((person_id) => ({ experience: n, person_id, by_id: authorId, created_at }))
      })
      if (rows.length > 0) await insert('invitations__invitation', rows)
      invitations += rows.length
    }
    log(`${invitations} invitations`)
    return { invitations }
  },
})
