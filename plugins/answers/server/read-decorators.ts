import type { Decorated } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { excerptAround, statement } from '@stoa/sdk/server'
import type { Kysely, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { ExperienceView } from '../../experiences/shared/api.ts'
import { experienceCards, postStatusWord } from '../../experiences/shared/api.ts'
import type { SearchResult } from '../../search/shared/api.ts'
import { publicIds } from './public-ids.ts'
import { hasSeen } from './read-answers.ts'
import type { Tables } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'

const ownAnswers = statement((db: Kysely<Tables>, { person, ns }: { person: number; ns: readonly number[] }) =>
  db
    .selectFrom('answers__answer')
    .select((eb) => ['experience', eb.fn.min<number>('id').as('first')])
    .where('person_id', '=', person)
    .where('experience', 'in', ns)
    .where('status', '!=', answerStatus.deleted)
    .groupBy('experience'),
)

/**
 * Tells people whether they answered, and with what, so that clients offer editing instead of a second form; and beside posts without answers that
 * stand, that there are some which this person sees.
 */
export async function findOwnAnswers(ctx: ReadContext<Tables>, items: readonly Decorated<ExperienceView>[]): Promise<() => void> {
  const { person } = ctx
  if (!person) return () => {}
  const [seen, own, ids] = await Promise.all([
    Promise.all(items.map(({ n, view }) => view.answer_count === 0 && hasSeen(ctx, n))),
    ownAnswers(ctx.db, { person: person.id, ns: items.map(({ n }) => n) }),
    publicIds(ctx),
  ])
  const first = new Map(own.map((row) => [row.experience, Number(row.first)]))
  return () => {
    for (const [index, { n, view }] of items.entries()) {
      if (seen[index]) view.beside = { ...view.beside, answers: true }
      const answer = first.get(n)
      if (answer === undefined) continue
      view.answered = true
      view.first_answer_id = ids.answer(answer)
    }
  }
}

/** Fills search results that are answers; what is gone meanwhile stays empty. */
export async function fillResults(ctx: ReadContext<Tables>, results: SearchResult[]): Promise<void> {
  const own = results.filter((result) => result.kind === 'answer')
  if (own.length === 0) return
  const rows = await ctx.db
    .selectFrom('answers__answer as a')
    .innerJoin('answers__text as t', 't.answer_id', 'a.id')
    .select([...answerColumns.map((column) => `a.${column}` as const), 't.html'])
    .where(
      'a.id',
      'in',
      own.map((result) => result.n),
    )
    .where('a.status', '=', answerStatus.available)
    .where('a.parent_listed', '=', 1)
    .execute()
  const ns = [...new Set(rows.map((row) => row.experience))]
  const [ids, posts, people] = await Promise.all([
    publicIds(ctx),
    ctx.call(experienceCards, { ns }),
    ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.person_id))] }),
  ])
  const byNumber = new Map(rows.map((row) => [row.id, row]))
  for (const { n, words, view } of own) {
    const row = byNumber.get(n)
    const post = row && posts[row.experience]
    if (!row || !post) continue
    const { id, username, rank, display_name, status } = people[row.person_id] ?? nobody(row.person_id)
    view.object_type = 'answer'
    view.object = {
      id: ids.answer(n),
      experience_id: ids.experience(row.experience),
      title: post.title,
      url_title: post.urlTitle,
      excerpt: excerptAround(row.html, words),
      created_at: row.created_at,
      vote_count: row.vote_count,
      accepted: row.accepted === 1,
      answer_count: 0,
      user_info: { id, username, rank, display_name, status },
      tags: [],
      status: postStatusWord[row.status] ?? '',
    }
  }
}

/** Posts to which somebody has an answer that is there. */
export async function answeredPosts(
  _ctx: ReadContext<Tables>,
  { answeredBy }: { answeredBy?: number | undefined },
): Promise<RawBuilder<number> | undefined> {
  if (answeredBy === undefined) return undefined
  return sql<number>`select experience from answers__answer where person_id = ${answeredBy} and status = ${answerStatus.available}`
}
