import type { Page } from '@stoa/sdk'
import { read, rowsOfPage } from '@stoa/sdk'
import type { ReadContext, Static } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { Award } from '../shared/api.ts'
import { waitingReviews } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'
import { noticeKinds } from './kinds.ts'
import { detailsIn, phraseOf } from './phrases.ts'
import { maySee, readObjects } from './read-objects.ts'
import type { Tables } from './tables.ts'

type Query = Static<typeof schemas.page.query>
type Notice = Static<typeof schemas.page.reply>['list'][number]
type Status = Static<typeof schemas.statusReply>

export const noticesOfCaller = read<Query, Page<Notice>>('notifications.ofCaller')
export const statusOfCaller = read<Record<never, never>, Status>('notifications.statusOfCaller')

/** Neither a title nor a link: it is deleted, or not for the reader any more. */
const gone = { object_id: '0', object_map: { experience: '0', answer: '0', comment: '' }, path: '' }

/** `notification/page`: newest first, with titles and names as they are now. */
export async function readNotices(ctx: ReadContext<Tables>, query: Query): Promise<Page<Notice>> {
  const me = ctx.person?.id ?? 0
  let own = ctx.db.selectFrom('notifications__notice').where('person_id', '=', me).where('list', '=', query.type)
  if (query.type === 'inbox' && query.inbox_type !== 'all') own = own.where('tab', '=', query.inbox_type)
  const { size, offset } = rowsOfPage(query)
  const { count } = await own.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = await own
    .select([
      'id',
      'kind',
      'object_kind',
      'object_n',
      'actor_id',
      'people',
      'amount',
      'details',
      'title',
      'phrase',
      'is_read',
      'updated_at',
    ])
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  const objects = await readObjects(ctx, { names: rows.map(({ object_kind, object_n }) => ({ kind: object_kind, n: object_n })) })
  const actors = [...new Set(rows.map(({ actor_id }) => actor_id).filter((id) => id > 0))]
  const cards = actors.length > 0 ? await ctx.call(personCards, { ids: actors }) : {}
  const kinds = noticeKinds(ctx)
  const list = rows.map((row, index): Notice => {
    const { id, object_kind, actor_id, people, amount, updated_at } = row
    const view = objects[index]?.view
    const kind = kinds.get(row.kind)
    const told = { actorId: actor_id, people, amount, details: detailsIn(row.details) }
    const object_info =
      view && maySee(view, me)
        ? { title: view.title, object_id: view.id, object_map: view.map, object_type: view.type, path: view.path }
        : // Its owner is off: nobody can say more than what was said then.
          { ...gone, title: view === undefined ? row.title : ctx.text('notification.gone'), object_type: object_kind }
    return {
      id: String(id),
      ...(actor_id > 0 && { user_info: cards[actor_id] ?? nobody(actor_id) }),
      object_info,
      rank: amount,
      notification_action: kind ? phraseOf((key, params) => ctx.text(key, params), kind, told) : row.phrase,
      is_read: row.is_read === 1,
      update_time: updated_at,
      kind: row.kind,
      people,
    }
  })
  return { count: Number(count), list }
}

const ownStatus = statement((db: Kysely<Tables>, { personId }: { personId: number }) =>
  db.selectFrom('notifications__status').select(['inbox', 'achievement', 'award_id', 'award']).where('person_id', '=', personId),
)
const nothing = { inbox: 0, achievement: 0, award_id: 0, award: null }

/** `notification/status`: asked by clients every few seconds, so it is one row, and what owners of queues know without looking. */
export async function readStatus(ctx: ReadContext<Tables>): Promise<Status> {
  const [row = nothing] = await ownStatus(ctx.db, { personId: ctx.person?.id ?? 0 })
  const reviews = { open: 0, may: false }
  await ctx.decorate(waitingReviews, [reviews])
  return {
    inbox: row.inbox,
    achievement: row.achievement,
    revision: reviews.open,
    can_revision: reviews.may,
    badge_award: row.award ? awardOf(ctx, row.award_id, JSON.parse(row.award) as Award) : null,
  }
}

const awardOf = (ctx: ReadContext, noticeId: number, { badgeId, name, icon, level }: Award) => ({
  notification_id: String(noticeId),
  badge_id: badgeId,
  name: ctx.text(name),
  icon,
  level,
})
