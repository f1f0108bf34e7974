import type { SeedContext } from '@stoa/sdk/seed'
import { defineSeeder, inBatches } from '@stoa/sdk/seed'
import { escapeHtml } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { SeededPeople } from '../../accounts/shared/api.ts'
import type { SeededPost, SeededPosts } from '../../experiences/shared/api.ts'
import type { SeededAnswers } from '../shared/api.ts'
import type { Tables } from './tables.ts'

const DAYS_30 = 30 * 86_400

/** As many answers as each post counts, by different people; where one was accepted, it is the first or second. */
export default defineSeeder({
  order: 40,
  async seed(context) {
    const { insert, seeded, log, db } = context
    const posts = seeded<{ internal: SeededPosts }>('experiences').internal
    const people = seeded<{ internal: SeededPeople }>('accounts').internal
    const ids = people?.ids ?? [1]
    const written = new Map<number, number>()
    const first = (await context.lastId('answers__answer')) + 1
    let next = first
    for await (const some of posts?.each(db) ?? []) {
      const made = some
        .filter((post) => post.answers > 0)
        .map((post) => {
          next += post.answers
          return { post, rows: answersOf(context, post, next - post.answers, ids) }
        })
      const rows = made.flatMap((entry) => entry.rows)
      if (rows.length === 0) continue
      await insert('answers__answer', rows)
      await insert(
        'answers__text',
        rows.map((row) => textOf(context, row.id)),
      )
      await posts?.settle(
        db,
        made.map((entry) => settled(entry.post, entry.rows)),
      )
      for (const row of rows) if (row.parent_listed) written.set(row.person_id, (written.get(row.person_id) ?? 0) + 1)
    }
    await context.continueIds('answers__answer')
    await people?.count(db, 'answer_count', written)
    log(`${next - first} answers`)
    const internal: SeededAnswers = { each: (db) => each(db as Kysely<Tables>, first) }
    return { answers: next - first, internal }
  },
})

function each(db: Kysely<Tables>, first: number): ReturnType<SeededAnswers['each']> {
  const rows = db
    .selectFrom('answers__answer')
    .select(['id', 'experience', 'person_id', 'created_at', 'vote_count', 'comment_count', 'parent_listed'])
  return inBatches(rows, first, (row) => ({
    n: row.id,
    experience: row.experience,
    authorId: row.person_id,
    createdAt: row.created_at,
    votes: row.vote_count,
    comments: row.comment_count,
    listed: row.parent_listed === 1,
  }))
}

function answersOf({ random, skewed, now }: SeedContext, post: SeededPost, first: number, people: number[]) {
  const start = skewed(people.length)
  const voters = people.length - 1
  const accepted = post.accepted ? Math.min(post.answers - 1, random() < 0.7 ? 0 : 1) : -1
  let at = post.createdAt
  return Array.from({ length: post.answers }, (_, index) => {
    at += Math.floor(Math.min(DAYS_30, now - at) * random() ** 4)
    return {
      id: first + index,
      experience: post.n,
      person_id: people[(start + index) % people.length] as number,
      status: 1,
      accepted: Number(index === accepted),
      vote_count: random() < 0.04 ? -Math.min(1, voters) : random() < 0.4 ? 0 : Math.min(voters, skewed(12) + Number(index === accepted)),
      comment_count: random() < 0.8 ? 0 : 1 + skewed(4),
      parent_listed: Number(post.listed),
      created_at: at,
    }
  })
}

function textOf({ text, skewed }: SeedContext, id: number) {
  const language = text.language()
  const paragraphs = Array.from({ length: 1 + skewed(4) }, () =>
    Array.from({ length: 1 + skewed(5) }, () => text.sentence(language)).join(' '),
  )
  return {
    answer_id: id,
    content: paragraphs.join('\n\n'),
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    excerpt: paragraphs.join(' ').slice(0, 240),
  }
}

function settled(post: SeededPost, rows: ReturnType<typeof answersOf>) {
  const last = rows.at(-1) as (typeof rows)[number]
  return {
    n: post.n,
    lastAnswer: last.id,
    personId: last.person_id,
    at: last.created_at,
    acceptedAnswer: rows.find((row) => row.accepted === 1)?.id ?? 0,
    answerVotes: rows.reduce((sum, row) => sum + row.vote_count, 0),
  }
}
