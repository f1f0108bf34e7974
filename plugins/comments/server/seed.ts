import type { SeedContext } from '@stoa/sdk/seed'
import { defineSeeder, inBatches } from '@stoa/sdk/seed'
import { escapeHtml } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededCommentables, SeededComments } from '../shared/api.ts'
import { commentable } from '../shared/api.ts'
import type { Tables } from './tables.ts'

/** Of what does not count its comments itself, most have none. */
const SHARE = 0.2
const MOST = 9
const DAYS_30 = 30 * 86_400

interface Place {
  kind: string
  n: number
  experience: number
  createdAt: number
  listed: boolean
  comments: number
}

/** Comments on whatever can be commented on: as many as it counts, or on some. */
export default defineSeeder({
  order: 45,
  async seed(context) {
    const { insert, log, db } = context
    const people = context.seeded<{ internal: SeededPeople }>('accounts').internal?.ids ?? [1]
    const first = (await context.lastId('comments__comment')) + 1
    let next = first
    for await (const places of placesOf(context)) {
      const rows = places.flatMap((place) => Array.from({ length: place.comments }, () => comment(context, next++, place, people)))
      if (rows.length > 0) await insert('comments__comment', rows)
    }
    await context.continueIds('comments__comment')
    log(`${next - first} comments`)
    const internal: SeededComments = { each: (tx) => each(tx as typeof db, first) }
    return { comments: next - first, internal }
  },
})

function each(db: SeedContext['db'], first: number): ReturnType<SeededComments['each']> {
  const rows = (db as Kysely<Tables>).selectFrom('comments__comment').select(['id', 'person_id', 'created_at', 'vote_count'])
  return inBatches(rows, first, (row) => ({ n: row.id, authorId: row.person_id, createdAt: row.created_at, votes: row.vote_count }))
}

async function* placesOf({ db, random, skewed, seeded, services }: SeedContext): AsyncGenerator<Place[]> {
  for (const { slug, service } of services(commentable)) {
    const made = seeded<{ internal: SeededCommentables }>(slug).internal
    for await (const some of made?.each(db) ?? []) {
      yield some.flatMap(({ n, experience = n, comments, ...object }) => {
        const count = comments ?? (random() < SHARE ? 1 + skewed(MOST) : 0)
        return count > 0 ? [{ ...object, kind: service.kind, n, experience, comments: count }] : []
      })
    }
  }
}

function comment({ random, skewed, text, now }: SeedContext, id: number, place: Place, people: number[]) {
  const words = text.sentence().slice(0, 500)
  return {
    id,
    object_kind: place.kind,
    object_n: place.n,
    experience: place.experience,
    person_id: people[skewed(people.length)] as number,
    vote_count: random() < 0.7 ? 0 : skewed(Math.min(5, people.length)),
    object_shown: Number(place.listed),
    created_at: place.createdAt + Math.floor(Math.min(DAYS_30, now - place.createdAt) * random() ** 3),
    original_text: words,
    parsed_text: `<p>${escapeHtml(words)}</p>`,
  }
}
