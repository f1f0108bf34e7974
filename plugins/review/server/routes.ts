import type { Person } from '@stoa/sdk'
import { isStaff } from '@stoa/sdk'
import type { Route, Static } from '@stoa/sdk/server'
import { route } from '@stoa/sdk/server'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { Verdict } from '../shared/api.ts'
import { reviewCalls } from '../shared/api.ts'
import * as schemas from '../shared/schemas.ts'
import type { Deciding } from './decide.ts'
import { decide, decisionOf, settle } from './decide.ts'
import { reasonText } from './gate.ts'
import type { ItemRow } from './tables.ts'
import { itemColumns, itemStatus } from './tables.ts'

type Pending = Static<typeof schemas.pending.reply>
type Query = Static<typeof schemas.pending.query>

/** Things that are passed over in one call because nothing is left of them. */
const MOST_GONE = 20
const WAITING = 11

/** All calls of this plugin. */
export function reviewRoutes(deciding: Deciding): Route[] {
  return [
    route(reviewCalls.pending, schemas.pending, {
      access: 'active',
      summary: 'What waits to be published, one a page; nothing for those who decide about nothing.',
      handle: ({ query, person }) => pending(deciding, person, query),
    }),
    route(reviewCalls.decide, schemas.decide, {
      access: 'staff',
      summary: 'Publishes what waits, or deletes it.',
      handle: ({ body, person }) => decide(deciding, person, decisionOf(body)),
    }),
  ]
}

/** One of those that wait, the oldest first, and how many there are. With `object_id` the page does not matter. */
async function rowAt({ ctx, owners }: Deciding, { page, object_id }: Query): Promise<{ count: number; row: ItemRow | undefined }> {
  const kinds = owners.current.map(({ service }) => service.kind)
  const object = object_id ? ctx.ids.decode(object_id) : undefined
  if (kinds.length === 0 || object === null) return { count: 0, row: undefined }
  const waiting = ctx.db.query
    .selectFrom('review__item')
    .where('status', '=', itemStatus.waiting)
    .where('object_kind', 'in', kinds)
    .$if(object !== undefined, (query) => query.where('object_n', '=', object?.n ?? 0).where('object_kind', '=', object?.kind ?? ''))
  const { count } = await waiting.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const row = await waiting
    .select(itemColumns)
    .orderBy('id')
    .limit(1)
    .offset(object ? 0 : page - 1)
    .executeTakeFirst()
  return { count: Number(count), row }
}

async function pending(deciding: Deciding, person: Person, query: Query): Promise<Pending> {
  if (!isStaff(person)) return { count: 0, list: [] }
  const { ctx, owners } = deciding
  for (let passed = 0; ; passed += 1) {
    const { count, row } = await rowAt(deciding, query)
    if (!row) return { count, list: [] }
    const { object_kind: kind, object_n: n, author_id } = row
    const object = await owners.current.find(({ service }) => service.kind === kind)?.service.find(n, person)
    if (!object || object.status !== WAITING) {
      // Somebody else took care of it.
      if (passed === MOST_GONE) return { count, list: [] }
      await settle(deciding, { kind, n })
      continue
    }
    const reasons = JSON.parse(row.reasons) as Verdict['reasons']
    const cards = await ctx.read(personCards, { ids: [author_id] })
    const item = {
      review_id: row.id,
      created_at: object.createdAt,
      object_id: ctx.ids.encode(kind, n),
      experience_id: object.experience_id,
      answer_id: object.answer_id,
      comment_id: object.comment_id,
      object_type: kind,
      title: object.title,
      url_title: object.url_title,
      original_text: object.content,
      parsed_text: object.html,
      about: object.about,
      tags: object.tags?.map((tag) => ({ ...tag, main_tag_slug_name: '', recommend: false, reserved: false })) ?? null,
      object_status: object.status,
      object_show_status: object.show,
      author_user_info: cards[author_id] ?? nobody(author_id),
      submit_at: row.created_at,
      submitter_display_name: reasons.map(({ name }) => ctx.host.texts.text(name)).join(', '),
      reason: reasonText(ctx, reasons),
    }
    return { count, list: [item] }
  }
}
