import type { Page } from '@stoa/sdk'
import { isStaff, rowsOfPage } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import { countedPage, statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceCards, experienceErrors, experienceView, isLive } from '../../experiences/shared/api.ts'
import type { AnswerFacts, AnswerView, AnswerWithExperience } from '../shared/api.ts'
import { answerErrors } from '../shared/api.ts'
import { orderNames } from '../shared/schemas.ts'
import { answerViews, selectFull } from './answer-view.ts'
import type { PageQuery } from './read-tokens.ts'
import { answerNumber, experienceNumber, maySee } from './rows.ts'
import type { Tables } from './tables.ts'
import { answerStatus } from './tables.ts'

type OrderName = (typeof orderNames)[number]

/** Columns of each order with their direction. Source: behaviour reference 5. */
const orders: Record<OrderName, [column: 'accepted' | 'vote_count' | 'id', direction: 'asc' | 'desc'][]> = {
  default: [
    ['accepted', 'desc'],
    ['vote_count', 'desc'],
    ['id', 'asc'],
  ],
  updated: [['id', 'desc']],
  created: [['id', 'asc']],
  vote: [
    ['vote_count', 'desc'],
    ['id', 'asc'],
  ],
}

/** Posts that the person may see, by number; deleted and pending ones are for their author and staff. */
export async function visiblePosts(ctx: ReadContext, ns: number[]): Promise<Map<number, PostFacts>> {
  const posts = Object.values(await ctx.call(experienceCards, { ns: [...new Set(ns)] }))
  const isVisible = ({ status, authorId }: PostFacts) => isLive({ status }) || isStaff(ctx.person) || ctx.person?.id === authorId
  return new Map(posts.filter(isVisible).map((post) => [post.n, post]))
}

/** Answers of a post: all of them for staff, else what stands and the caller's own. */
type Seen = { post: number; person: number }
type PageOf = Seen & { size: number; offset: number }

function seenIn(db: Kysely<Tables>, { post, person }: Seen, seesAll: boolean) {
  const all = db.selectFrom('answers__answer').where('experience', '=', post)
  return seesAll ? all : all.where((eb) => eb.or([eb('status', '=', answerStatus.available), eb('person_id', '=', person)]))
}

const countOf = (seesAll: boolean) =>
  statement((db: Kysely<Tables>, seen: Seen) => seenIn(db, seen, seesAll).select((eb) => eb.fn.countAll<number>().as('count')))

const pageIn = (order: OrderName, seesAll: boolean) =>
  statement((db: Kysely<Tables>, { post, person, size, offset }: PageOf) => {
    let rows = selectFull({ db }).where('a.experience', '=', post)
    if (!seesAll) rows = rows.where((eb) => eb.or([eb('a.status', '=', answerStatus.available), eb('a.person_id', '=', person)]))
    for (const [column, direction] of orders[order]) rows = rows.orderBy(`a.${column}`, direction)
    return rows.limit(size).offset(offset)
  })

const anyOf = (seesAll: boolean) => statement((db: Kysely<Tables>, seen: Seen) => seenIn(db, seen, seesAll).select('id').limit(1))

const statements = (seesAll: boolean) => ({
  count: countOf(seesAll),
  any: anyOf(seesAll),
  page: Object.fromEntries(orderNames.map((order) => [order, pageIn(order, seesAll)])) as Record<OrderName, ReturnType<typeof pageIn>>,
})
const forStaff = statements(true)
const forOthers = statements(false)

/** Whether the person who asks sees an answer of a post. */
export async function hasSeen(ctx: ReadContext<Tables>, post: number): Promise<boolean> {
  const asked = isStaff(ctx.person) ? forStaff : forOthers
  return (await asked.any(ctx.db, { post, person: ctx.person?.id ?? 0 })).length > 0
}

/** `answer/page`: what stands, and for their author and staff also what waits or was deleted. */
export async function answersOf(ctx: ReadContext<Tables>, query: PageQuery): Promise<Page<AnswerView>> {
  if (query.experience_id === '') return { count: 0, list: [] }
  const n = experienceNumber(ctx.ids, query.experience_id)
  const post = n === undefined ? undefined : (await visiblePosts(ctx, [n])).get(n)
  if (!post) throw experienceErrors.not_found({ id: query.experience_id })
  const seen = { post: post.n, person: ctx.person?.id ?? 0 }
  const { size, offset } = rowsOfPage(query)
  const asked = isStaff(ctx.person) ? forStaff : forOthers
  const { rows, count } = await countedPage(
    { size, offset },
    () => asked.page[query.order](ctx.db, { ...seen, size, offset }),
    async () => Number((await asked.count(ctx.db, seen))[0]?.count ?? 0),
  )
  return { count, list: await answerViews(ctx, rows, { actions: true, comments: query.with_comments ?? false }) }
}

/** `answer/info`: one answer with its experience; null when the person may not see one of them. */
export async function infoOf(
  ctx: ReadContext<Tables>,
  { n, actions = false }: { n: number; actions?: boolean },
): Promise<AnswerWithExperience | null> {
  const row = await selectFull(ctx).where('a.id', '=', n).executeTakeFirst()
  if (!row || !maySee(ctx.person, row)) return null
  const experience = await ctx.call(experienceView, { n: row.experience })
  const [info] = await answerViews(ctx, [row], { actions })
  if (!experience || !info) return null
  // The protocol leaves these to the experience's own call.
  return { info, experience: { ...experience, description: '', member_actions: null, extends_actions: null } }
}

/** The same by public id. @throws `error.answer.not_found` */
export async function requiredInfo(ctx: ReadContext<Tables>, { id }: { id: string }) {
  const n = answerNumber(ctx.ids, id)
  const found = n === undefined ? null : await infoOf(ctx, { n })
  if (!found) throw answerErrors.not_found({ id })
  return found
}

/** The same by running number. */
export async function writtenInfo(ctx: ReadContext<Tables>, answer: { n: number; actions: boolean }): Promise<AnswerWithExperience> {
  const found = await infoOf(ctx, answer)
  if (!found) throw answerErrors.not_found({ id: answer.n })
  return found
}

/** Facts for other plugins' reads. */
export async function cardsOf(ctx: ReadContext<Tables>, { ns }: { ns: number[] }): Promise<Record<number, AnswerFacts>> {
  const rows = ns.length === 0 ? [] : await selectFull(ctx).where('a.id', 'in', ns).execute()
  return Object.fromEntries(
    rows.map((row) => [
      row.id,
      {
        n: row.id,
        id: ctx.ids.encode('answer', row.id),
        experience: row.experience,
        authorId: row.person_id,
        status: row.status,
        accepted: row.accepted === 1,
        voteCount: row.vote_count,
        createdAt: row.created_at,
        html: row.html,
      },
    ]),
  )
}

/** Accepted answers in the order of their numbers, for whoever looks through all of them. */
export async function acceptedAfter(
  ctx: ReadContext<Tables>,
  { after, limit }: { after: number; limit: number },
): Promise<{ n: number; experience: number; authorId: number }[]> {
  return ctx.db
    .selectFrom('answers__answer')
    .select(['id as n', 'experience', 'person_id as authorId'])
    .where('id', '>', after)
    .where('accepted', '=', 1)
    .where('status', '=', answerStatus.available)
    .orderBy('id')
    .limit(limit)
    .execute()
}
