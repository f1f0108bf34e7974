import type { Page } from '@stoa/sdk'
import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { accountErrors, personByUsername } from '../../accounts/shared/api.ts'
import type { PersonalAnswer, PersonalTop, TagView } from '../../experiences/shared/api.ts'
import { experienceCards } from '../../experiences/shared/api.ts'
import { tagsOf } from '../../tags/shared/api.ts'

import { publicIds } from './public-ids.ts'
import type { ProfileQuery } from './read-tokens.ts'
import type { AnswerRow, Tables } from './tables.ts'
import { answerColumns, answerStatus } from './tables.ts'

const TOP = 5

/** Answers of a person that everybody can see. */
const publicAnswers = (ctx: ReadContext<Tables>, personId: number) =>
  ctx.db
    .selectFrom('answers__answer')
    .where('person_id', '=', personId)
    // By the person in any case: what nearly all answers have in common must not choose the index.
    .where(sql<boolean>`+status = ${answerStatus.available}`)
    .where('parent_listed', '=', 1)

async function profileViews(ctx: ReadContext, rows: readonly AnswerRow[]): Promise<PersonalAnswer[]> {
  if (rows.length === 0) return []
  const ns = [...new Set(rows.map((row) => row.experience))]
  const [ids, cards, tags] = await Promise.all([
    publicIds(ctx),
    ctx.call(experienceCards, { ns }),
    ctx.read(tagsOf, { experiences: ns }, { otherwise: {} as Record<number, TagView[]> }),
  ])
  return rows.map((row) => ({
    answer_id: ids.answer(row.id),
    experience_id: ids.experience(row.experience),
    accepted: row.accepted ? 2 : 1,
    vote_count: row.vote_count,
    create_time: row.created_at,
    update_time: row.updated_at,
    experience_info: {
      title: cards[row.experience]?.title ?? '',
      url_title: cards[row.experience]?.urlTitle ?? '',
      tags: tags[row.experience] ?? [],
    },
  }))
}

/** `personal/answer/page`: newest first, or by votes for every other order. */
export async function answersOfPerson(ctx: ReadContext<Tables>, query: ProfileQuery): Promise<Page<PersonalAnswer>> {
  const found = await ctx.call(personByUsername, { username: query.username })
  if (!found) throw accountErrors.not_found({ id: query.username })
  const own = publicAnswers(ctx, found.id)
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { size, offset } = rowsOfPage(query)
  const ordered = query.order === 'newest' ? own.orderBy('id', 'desc') : own.orderBy('vote_count', 'desc').orderBy('id', 'desc')
  const rows = await ordered.select(answerColumns).limit(size).offset(offset).execute()
  return { count: Number(count), list: await profileViews(ctx, rows) }
}

/** Fills the best answers into `personal/qa/top`. */
export async function topAnswers(ctx: ReadContext<Tables>, items: PersonalTop[]): Promise<void> {
  for (const { personId, view } of items) {
    const rows = await publicAnswers(ctx, personId).select(answerColumns).orderBy('vote_count', 'desc').orderBy('id').limit(TOP).execute()
    view.answer = await profileViews(ctx, rows)
  }
}
