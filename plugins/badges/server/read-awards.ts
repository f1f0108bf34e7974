import { rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { accountErrors, nobody, personByUsername, personCards } from '../../accounts/shared/api.ts'
import type { AnswerFacts } from '../../answers/shared/api.ts'
import { answerCards } from '../../answers/shared/api.ts'
import type { PostFacts } from '../../experiences/shared/api.ts'
import { experienceCards, isListed, postStatus } from '../../experiences/shared/api.ts'
import type { NoticeObject, ObjectName } from '../../notifications/shared/api.ts'
import { publicIds } from '../../site/shared/api.ts'
import type { AwardedObject } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import { badgeColumns, describer, requireBadge } from './read-badges.ts'
import type { Tables } from './tables.ts'
import { badgeStatus } from './tables.ts'

type Context = ReadContext<Tables>

const RECENT = 10
const UNSEEN = 5

async function requirePerson(ctx: Context, username: string): Promise<number> {
  const found = await ctx.call(personByUsername, { username })
  if (!found || found.card.status === 'deleted') throw accountErrors.not_found({ id: username })
  return found.id
}

/** `badge/awards/page`: who has a badge, the newest first, and for what. */
export async function readAwardsPage(
  ctx: Context,
  query: Static<typeof schemas.awards.query>,
): Promise<Static<typeof schemas.awards.reply>> {
  const badge = await requireBadge(ctx, query.badge_id)
  const all = ctx.db.selectFrom('badges__award').where('badge_id', '=', badge.id)
  const asked = query.username === undefined ? all : all.where('person_id', '=', await requirePerson(ctx, query.username))
  const { count } = await asked.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const { size, offset } = rowsOfPage(query)
  const rows = await asked
    .select(['person_id', 'object_kind', 'object_n', 'created_at'])
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const cards = await ctx.call(personCards, { ids: [...new Set(rows.map((row) => row.person_id))] })
  const objectOf = await visibleObjects(
    ctx,
    rows.map((row) => ({ kind: row.object_kind, n: row.object_n })),
  )
  const list = rows.map((row) => ({
    created_at: row.created_at,
    ...objectOf({ kind: row.object_kind, n: row.object_n }),
    author_user_info: cards[row.person_id] ?? nobody(row.person_id),
  }))
  return { count: Number(count), list }
}

const unnamed = { object_id: '', experience_id: '', answer_id: '', comment_id: '', object_type: '', url_title: '' }

/** What awards name, of that what everybody sees: two statements, however many there are. */
async function visibleObjects(ctx: Context, objects: readonly AwardedObject[]): Promise<(object: AwardedObject) => typeof unnamed> {
  const numbers = (kind: string) => [...new Set(objects.filter((object) => object.kind === kind).map(({ n }) => n))]
  const answers = await ctx.read(answerCards, { ns: numbers('answer') }, { otherwise: {} as Record<number, AnswerFacts> })
  const ns = [...new Set([...numbers('experience'), ...Object.values(answers).map(({ experience }) => experience)])]
  const posts = await ctx.read(experienceCards, { ns }, { otherwise: {} as Record<number, PostFacts> })
  const idOf = await publicIds(ctx)
  return ({ kind, n }) => {
    const answer = kind === 'answer' ? answers[n] : undefined
    const post = posts[kind === 'experience' ? n : (answer?.experience ?? 0)]
    const isShown = post && isListed(post)
    if (!isShown || (kind !== 'experience' && answer?.status !== postStatus.available)) return unnamed
    return {
      ...unnamed,
      object_id: idOf(kind, n),
      experience_id: idOf('experience', post.n),
      answer_id: kind === 'answer' ? idOf('answer', n) : '',
      object_type: kind,
      url_title: post.title,
    }
  }
}

/** How often somebody has each badge, the one they got last first. Badges that are switched off are left out. */
async function countedBadges(ctx: Context, username: string, limit?: number): Promise<Static<typeof schemas.personal.reply>> {
  const personId = await requirePerson(ctx, username)
  const counted = await ctx.db
    .selectFrom('badges__award as a')
    .innerJoin('badges__badge as b', 'b.id', 'a.badge_id')
    .select((eb) => ['a.badge_id', eb.fn.countAll<number>().as('count'), eb.fn.max('a.id').as('last')])
    .where('a.person_id', '=', personId)
    .where('b.status', '=', badgeStatus.active)
    .groupBy('a.badge_id')
    .orderBy('last', 'desc')
    .execute()
  const wanted = counted.slice(0, limit)
  const rows =
    wanted.length === 0
      ? []
      : await ctx.db
          .selectFrom('badges__badge')
          .select(badgeColumns)
          .where(
            'id',
            'in',
            wanted.map((row) => row.badge_id),
          )
          .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const { describe } = describer(ctx)
  const list = wanted.flatMap(({ badge_id, count }) => {
    const row = byId.get(badge_id)
    return row ? [{ ...describe(row).badge, earned_count: Number(count) }] : []
  })
  return { count: list.length, list }
}

/** `badge/user/awards`. */
export const readOfPerson = (ctx: Context, { username }: { username: string }) => countedBadges(ctx, username)
/** `badge/user/awards/recent`. */
export const readRecent = (ctx: Context, { username }: { username: string }) => countedBadges(ctx, username, RECENT)

/** What the person who asks got and was not shown yet, the first ones first. */
export async function readUnseen(ctx: Context): Promise<Static<typeof schemas.unseen.reply>> {
  const rows = await ctx.db
    .selectFrom('badges__award as a')
    .innerJoin('badges__badge as b', 'b.id', 'a.badge_id')
    .select(['a.id as award', 'b.id', 'b.name', 'b.definition', 'b.texts'])
    .where('a.person_id', '=', ctx.person?.id ?? 0)
    .where('a.is_seen', '=', 0)
    .where('b.status', '=', badgeStatus.active)
    .orderBy('a.id')
    .limit(UNSEEN)
    .execute()
  const { describe } = describer(ctx)
  return rows.map((row) => {
    const { badge, description } = describe(row)
    return { award_id: ctx.ids.encode('badge_award', row.award), ...badge, description }
  })
}

/** What notices say of awards: the badge. */
export async function fillNoticeObjects(ctx: Context, items: (ObjectName & { view?: NoticeObject | null })[]): Promise<void> {
  const own = items.filter(({ kind }) => kind === 'badge_award')
  if (own.length === 0) return
  const rows = await ctx.db
    .selectFrom('badges__award as a')
    .innerJoin('badges__badge as b', 'b.id', 'a.badge_id')
    .select(['a.id as award', 'a.person_id', 'b.id', 'b.name', 'b.definition', 'b.texts', 'b.status'])
    .where('a.id', 'in', [...new Set(own.map(({ n }) => n))])
    .execute()
  const byNumber = new Map(rows.map((row) => [row.award, row]))
  const { describe } = describer(ctx)
  for (const item of own) {
    const row = byNumber.get(item.n)
    if (!row || row.status !== badgeStatus.active) {
      item.view = null
      continue
    }
    const { badge, description } = describe(row)
    item.view = {
      id: ctx.ids.encode('badge_award', row.award),
      type: 'badge_award',
      title: badge.name,
      excerpt: description,
      path: `/badges/${badge.id}`,
      map: { badge_id: badge.id },
      authorId: row.person_id,
      isShown: true,
    }
  }
}
