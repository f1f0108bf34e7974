import { job } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely, Selectable } from 'kysely'
import { personCards } from '../../accounts/shared/api.ts'
import type { Channel, ChannelItem, ChannelMessage, Frequency, Notice, NoticeKind } from '../shared/api.ts'
import { noticeKinds } from './kinds.ts'
import { detailsIn, phraseOf, sentenceOf } from './phrases.ts'
import { maySee, objectsOf } from './read-objects.ts'
import { frequenciesOf } from './settings.ts'
import type { DeliveryTable, Tables } from './tables.ts'
import type { Capabilities, Receiver } from './tell.ts'
import { unsubscribeLink } from './unsubscribe.ts'

type Soon = Exclude<Frequency, 'off'>
interface Round {
  personId: number
  channel: string
  frequency: Soon
}
const deliver = job<Round>('notifications.deliver')

/** Somebody who is reading just now needs no mail: channels wait so long. */
const GRACE = 60
const DAY = 86_400
const WEEK = 7 * DAY
/** What gathered is sent from seven o'clock UTC, weekly on Mondays (the first of January 1970 was a Thursday); within an hour, one after another. */
const MORNING = 7 * 3600
const MONDAY = 4 * DAY
/** Items of one message, and messages of one transaction. */
const MOST_ITEMS = 50
const LONGEST_TITLE = 300

function dueAt(now: number, frequency: Soon, personId: number): number {
  if (frequency === 'immediately') return now + GRACE
  const [period, start] = frequency === 'daily' ? [DAY, MORNING] : [WEEK, MONDAY + MORNING]
  const offset = start + (personId % 3600)
  return offset + Math.ceil((now + GRACE - offset) / period) * period
}

/** Puts down what channels are to bring of a notice; in the caller's transaction. */
export async function queueDeliveries(
  { ctx, channels }: Capabilities,
  tx: Kysely<Tables>,
  kind: NoticeKind,
  notice: Notice,
  told: readonly { receiver: Receiver; noticeId: number }[],
): Promise<void> {
  if (channels.current.length === 0 || told.length === 0) return
  const frequencyOf = await frequenciesOf(
    tx,
    kind,
    told.map(({ receiver }) => receiver.id),
  )
  const now = ctx.now()
  for (const { service } of channels.current) {
    for (const { receiver, noticeId } of told) {
      const frequency = frequencyOf(receiver.id, service.key)
      if (frequency === 'off') continue
      const round: Round = { personId: receiver.id, channel: service.key, frequency }
      const waiting = await tx
        .selectFrom('notifications__delivery')
        .select('due_at')
        .where('person_id', '=', receiver.id)
        .where('channel', '=', service.key)
        .where('frequency', '=', frequency)
        .where('due_at', '>', now)
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      // What is waiting for its time takes the new one along: its job stands already.
      const due_at = waiting?.due_at ?? dueAt(now, frequency, receiver.id)
      await tx
        .insertInto('notifications__delivery')
        .values({
          person_id: receiver.id,
          channel: service.key,
          frequency,
          kind: kind.name,
          notice_id: noticeId,
          object_kind: notice.object.kind,
          object_n: notice.object.n,
          actor_id: notice.actorId ?? 0,
          amount: notice.amount ?? 0,
          details: JSON.stringify(notice.values ?? {}),
          created_at: now,
          due_at,
        })
        .execute()
      if (!waiting) await ctx.jobs.enqueue(deliver, round, { runAt: due_at, key: keyOf(round, due_at) })
    }
  }
}

const keyOf = ({ personId, channel, frequency }: Round, at: number): string => `notifications ${personId} ${channel} ${frequency} ${at}`

/** Hands channels what is due. */
export function startDeliveries({ ctx, channels }: Capabilities): void {
  const channelOf = (key: string): Channel | undefined => channels.current.find(({ service }) => service.key === key)?.service

  ctx.jobs.handle(deliver, async (round) => {
    const channel = channelOf(round.channel)
    if (!channel) return
    for (;;) {
      const taken = await ctx.db.write((tx) => deliverSome(ctx, tx, channel, round))
      if (taken < MOST_ITEMS || ctx.plugin.signal.aborted) return
    }
  })

  // A job that was given up, or found its channel off: what it should have taken is taken up again.
  ctx.jobs.every('overdue', 900, async () => {
    const rows = await ctx.db.query
      .selectFrom('notifications__delivery')
      .select(['person_id', 'channel', 'frequency'])
      .distinct()
      .where('due_at', '<', ctx.now() - 900)
      .limit(500)
      .execute()
    for (const { person_id, channel, frequency } of rows) {
      if (!channelOf(channel)) continue
      const round: Round = { personId: person_id, channel, frequency: frequency as Soon }
      await ctx.jobs.enqueue(deliver, round, { key: keyOf(round, 0) })
    }
  })
}

/** Takes what is due for one person off the list and hands it to the channel, or drops it. @returns how many were taken off */
async function deliverSome(ctx: ServerContext<Tables>, tx: Kysely<Tables>, channel: Channel, round: Round): Promise<number> {
  const { personId, frequency } = round
  const due = tx
    .selectFrom('notifications__delivery')
    .select('id')
    .where('person_id', '=', personId)
    .where('channel', '=', channel.key)
    .where('frequency', '=', frequency)
    .where('due_at', '<=', ctx.now())
    .orderBy('id')
    .limit(frequency === 'immediately' ? MOST_ITEMS : 1000)
  const rows = (await tx.deleteFrom('notifications__delivery').where('id', 'in', due).returningAll().execute()).sort((a, b) => a.id - b.id)
  const first = rows[0]
  if (!first) return 0
  const card = (await ctx.read(personCards, { ids: [personId] }))[personId]
  if (card?.status !== 'normal' || (channel.reaches && !(await channel.reaches(personId)))) return rows.length
  const language = card.language || ctx.site.language
  const items = await itemsOf(ctx, tx, rows, round, language)
  const send = async (name: number, some: ChannelItem[], more: number, what: string) => {
    const unsubscribeUrl = await unsubscribeLink(ctx, tx, { personId, channel: channel.key, what })
    const message: ChannelMessage = { key: `${channel.key} ${name}`, personId, language, frequency, items: some, more, unsubscribeUrl }
    await channel.take(message)
  }
  if (frequency === 'immediately') {
    for (const { delivery, item } of items) await send(delivery, [item], 0, item.kind)
  } else if (items.length > 0) {
    const newest = items.map(({ item }) => item).reverse()
    await send(first.id, newest.slice(0, MOST_ITEMS), Math.max(0, newest.length - MOST_ITEMS), frequency)
  }
  return frequency === 'immediately' ? rows.length : 0
}

type DeliveryRow = Selectable<DeliveryTable>

/** What a message says of one thing. */
interface Left extends Pick<DeliveryRow, 'kind' | 'object_kind' | 'object_n' | 'actor_id' | 'amount' | 'details'> {
  delivery: number
  /** Of the notice, or 0. */
  id: number
  people: number
  at: number
}

/** What of it is still to be brought: not read meanwhile, still wanted, still there for this person. One item a notice. */
async function itemsOf(
  ctx: ServerContext<Tables>,
  tx: Kysely<Tables>,
  rows: readonly DeliveryRow[],
  { personId, channel, frequency }: Round,
  language: string,
): Promise<{ delivery: number; item: ChannelItem }[]> {
  const kinds = noticeKinds(ctx.host)
  const text = (key: string, params?: Record<string, unknown>) => ctx.host.texts.text(key, params, language)
  const noticeIds = [...new Set(rows.flatMap(({ notice_id }) => (notice_id > 0 ? [notice_id] : [])))]
  const found =
    noticeIds.length === 0
      ? []
      : await tx
          .selectFrom('notifications__notice')
          .select(['id', 'kind', 'object_kind', 'object_n', 'actor_id', 'people', 'amount', 'details', 'is_read', 'updated_at'])
          .where('id', 'in', noticeIds)
          .execute()
  const notices = new Map(found.map((notice) => [notice.id, notice]))
  const wanted = new Map<string, boolean>()
  for (const name of new Set(rows.map(({ kind }) => kind))) {
    const kind = kinds.get(name)
    wanted.set(name, kind !== undefined && (await frequenciesOf(tx, kind, [personId]))(personId, channel) === frequency)
  }
  const done = new Set<number>()
  const left = rows.flatMap((row): Left[] => {
    if (!wanted.get(row.kind)) return []
    if (row.notice_id === 0) return [{ ...row, delivery: row.id, id: 0, at: row.created_at, people: 1 }]
    const notice = notices.get(row.notice_id)
    if (!notice || notice.is_read === 1 || done.has(notice.id)) return []
    done.add(notice.id)
    return [{ ...notice, delivery: row.id, at: notice.updated_at }]
  })
  const views = await ctx.read(objectsOf, { names: left.map(({ object_kind, object_n }) => ({ kind: object_kind, n: object_n })) })
  const cards = await ctx.read(personCards, { ids: [...new Set(left.map(({ actor_id }) => actor_id).filter((id) => id > 0))] })
  return left.flatMap((row, index) => {
    const view = views[index]?.view
    const kind = kinds.get(row.kind)
    if (!kind || !view || !maySee(view, personId)) return []
    const told = { actorId: row.actor_id, people: row.people, amount: row.amount, details: detailsIn(row.details) }
    const name = row.actor_id > 0 ? (cards[row.actor_id]?.display_name ?? '') : ''
    const item: ChannelItem = {
      id: row.id,
      kind: row.kind,
      title: sentenceOf(text, name, phraseOf(text, kind, told)),
      about: view.title.slice(0, LONGEST_TITLE),
      summary: view.excerpt,
      url: `${ctx.site.url}${view.path}`,
      at: row.at,
    }
    return [{ delivery: row.delivery, item }]
  })
}
