import { createHash } from 'node:crypto'
import { job } from '@stoa/sdk'
import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { personCards } from '../../accounts/shared/api.ts'
import type { Notice, NoticeKind, Notices } from '../shared/api.ts'
import { noticeLive } from '../shared/api.ts'
import type { Capabilities, Receiver } from './capabilities.ts'
import { queueDeliveries } from './deliveries.ts'
import { noticeKinds } from './kinds.ts'
import { phraseOf } from './phrases.ts'
import { maySee, objectsOf } from './read-objects.ts'
import { frequenciesOf } from './settings.ts'
import { refreshAward } from './status.ts'
import type { Tables } from './tables.ts'
import { MOST_NOTICES } from './tables.ts'

const MOST_PEOPLE = 1000

interface Announcement {
  notice: Omit<Notice, 'to'>
  /** Id of the last person who was told. */
  after: number
}
const announceSome = job<Announcement>('notifications.announce')
/** People who are told in one transaction: 25 ms in which nobody else gets a turn. */
const AT_ONCE = 50
const LONGEST_KEY = 200
const LONGEST_VALUES = 2000
const LONGEST_TITLE = 300

export function createNotices(capabilities: Capabilities): Notices {
  const { ctx } = capabilities
  const notices: Notices = {
    async tell(notice) {
      const kind = noticeKinds(ctx.host).get(notice.kind)
      if (!kind) return
      check(notice)
      const { actorId = 0 } = notice
      const named = [...new Set(notice.to)].filter((id) => id > 0 && id !== actorId).sort((a, b) => a - b)
      // Asked before all else: of many followers most want to hear nothing of most kinds.
      const wanted = await asking(capabilities, kind, named)
      for (let at = 0; at < wanted.length; at += AT_ONCE) await tellSome(capabilities, kind, notice, wanted.slice(at, at + AT_ONCE))
    },

    async announce(notice) {
      if (noticeKinds(ctx.host).has(notice.kind) && (await choosersOf(ctx.db.query, notice.kind, 0, 1)).length > 0)
        await ctx.jobs.enqueue(announceSome, { notice, after: 0 })
    },

    async unread(ids) {
      if (ids.length === 0) return []
      const rows = await ctx.db.query
        .selectFrom('notifications__notice')
        .select('id')
        .where('id', 'in', [...ids])
        .where('is_read', '=', 0)
        .execute()
      return rows.map(({ id }) => id)
    },

    reviewsChanged: () => ctx.live.push(noticeLive.reviews, '', {}),
  }

  ctx.jobs.handle(announceSome, ({ notice, after }) =>
    ctx.db.write(async (tx) => {
      const to = await choosersOf(tx, notice.kind, after, AT_ONCE)
      await notices.tell({ ...notice, to })
      if (to.length === AT_ONCE) await ctx.jobs.enqueue(announceSome, { notice, after: to.at(-1) as number })
    }),
  )
  return notices
}

/** In one transaction, or the caller's. */
async function tellSome(capabilities: Capabilities, kind: NoticeKind, notice: Notice, ids: number[]): Promise<void> {
  const { ctx } = capabilities
  const { actorId = 0, object } = notice
  await ctx.db.write(async (tx) => {
    const [{ view } = { view: null }] = await ctx.read(objectsOf, { names: [object] })
    if (view === null) return
    const cards = await ctx.read(personCards, { ids })
    const refusing = await refusingOf(capabilities, actorId, ids)
    const receivers = ids.flatMap((id): Receiver[] => {
      const card = cards[id]
      if (card?.status !== 'normal' || refusing.has(id) || (view && !maySee(view, id))) return []
      return [{ id, language: card.language || ctx.site.language }]
    })
    const told: { receiver: Receiver; noticeId: number }[] = []
    for (const receiver of receivers) {
      const noticeId = await tellOne(ctx, tx, kind, notice, receiver, view?.title.slice(0, LONGEST_TITLE) ?? '')
      if (noticeId !== undefined) told.push({ receiver, noticeId })
    }
    await queueDeliveries(capabilities, tx, kind, notice, told)
  })
}

/** Who has chosen to hear of a kind, by id: who are told of what is announced. */
async function choosersOf(db: Kysely<Tables>, kind: string, after: number, most: number): Promise<number[]> {
  const rows = await db
    .selectFrom('notifications__setting')
    .select('person_id')
    .distinct()
    .where('kind', '=', kind)
    .where('frequency', '!=', 'off')
    .where('person_id', '>', after)
    .orderBy('person_id')
    .limit(most)
    .execute()
  return rows.map(({ person_id }) => person_id)
}

/** Who does not want to hear of this person. */
async function refusingOf({ filters }: Capabilities, actorId: number, personIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (actorId <= 0) return new Set()
  const found = await Promise.all(filters.current.map(({ service }) => service.refusing(actorId, personIds)))
  return new Set(found.flat())
}

/** Whom a kind reaches: everybody by their list; where it stands in none, who has a channel for it. */
async function asking({ ctx, channels }: Capabilities, kind: NoticeKind, personIds: number[]): Promise<number[]> {
  const keys = channels.current.map(({ service }) => service.key)
  if (kind.list || keys.length === 0) return kind.list ? personIds : []
  const frequencyOf = await frequenciesOf(ctx.db.query, kind, personIds)
  return personIds.filter((id) => keys.some((key) => frequencyOf(id, key) !== 'off'))
}

function check({ kind, to, key, object, values = {} }: Notice): void {
  const problem =
    to.length > MOST_PEOPLE
      ? `more than ${MOST_PEOPLE} people`
      : key === '' || key.length > LONGEST_KEY
        ? 'a key of no or too many characters'
        : !Number.isSafeInteger(object.n) || object.kind === ''
          ? 'an object that is none'
          : JSON.stringify(values).length > LONGEST_VALUES
            ? 'too many values'
            : undefined
  if (problem) throw new Error(`A notice of ${kind} has ${problem}`)
}

/** @returns id of the notice, 0 for a kind without a list; undefined when the person was told before */
async function tellOne(
  ctx: ServerContext<Tables>,
  tx: Kysely<Tables>,
  kind: NoticeKind,
  notice: Notice,
  { id: person_id, language }: Receiver,
  title: string,
): Promise<number | undefined> {
  const { actorId = 0, amount = 0, object, under = object, values = {} } = notice
  const now = ctx.now()
  const act = { person_id, kind: kind.once ?? kind.name, act_key: actKey(notice.key) }
  const isNew = await tx
    .insertInto('notifications__act')
    .values({ ...act, notice_id: 0, actor_id: actorId, created_at: now })
    .onConflict((conflict) => conflict.columns(['person_id', 'kind', 'act_key']).doNothing())
    .returning('person_id')
    .executeTakeFirst()
  if (!isNew) return undefined
  if (!kind.list) return 0
  // Before anything of this person is read: of two at once, the second waits here and sees what the first did.
  await tx
    .insertInto('notifications__status')
    .values({ person_id })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ person_id }))
    .execute()
  const open_key = kind.gathers === 'never' ? null : `${kind.name} ${under.kind} ${under.n}`
  const open =
    open_key === null
      ? undefined
      : await tx
          .selectFrom('notifications__notice')
          .select(['id', 'people', 'amount', 'is_seen'])
          .where('person_id', '=', person_id)
          .where('open_key', '=', open_key)
          .executeTakeFirst()
  const details = JSON.stringify(values)
  const latest = { object_kind: object.kind, object_n: object.n, actor_id: actorId, details, title, updated_at: now }
  const phrase = (people: number, sum: number) =>
    phraseOf((key, params) => ctx.host.texts.text(key, params, language), kind, { actorId, people, amount: sum, details: values })
  let id: number
  if (open) {
    id = open.id
    const isSamePerson =
      actorId > 0 &&
      (await tx
        .selectFrom('notifications__act')
        .select('person_id')
        .where('notice_id', '=', id)
        .where('actor_id', '=', actorId)
        .limit(1)
        .executeTakeFirst())
    const people = open.people + (isSamePerson ? 0 : 1)
    const sum = open.amount + amount
    if (sum === 0 && open.amount !== 0) {
      // What was given was taken back.
      await tx.deleteFrom('notifications__notice').where('id', '=', id).execute()
      if (open.is_seen === 0) await addToDot(ctx, tx, person_id, kind.list, -1)
      return id
    }
    const isNewAgain = kind.gathers !== 'always' && open.is_seen === 1
    await tx
      .updateTable('notifications__notice')
      .set({ ...latest, people, amount: sum, phrase: phrase(people, sum), ...(isNewAgain && { is_seen: 0 }) })
      .where('id', '=', id)
      .execute()
    if (isNewAgain) await addToDot(ctx, tx, person_id, kind.list, 1)
  } else {
    ;({ id } = await tx
      .insertInto('notifications__notice')
      .values({
        ...latest,
        person_id,
        list: kind.list,
        tab: kind.tab ?? '',
        kind: kind.name,
        amount,
        award: notice.award ? JSON.stringify(notice.award) : null,
        phrase: phrase(1, amount),
        open_key,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow())
    await addToDot(ctx, tx, person_id, kind.list, 1)
    await dropOldest(ctx, tx, person_id, kind.list)
    if (notice.award) await refreshAward(tx, person_id)
  }
  await tx
    .updateTable('notifications__act')
    .set({ notice_id: id })
    .where('person_id', '=', person_id)
    .where('kind', '=', act.kind)
    .where('act_key', '=', act.act_key)
    .execute()
  return id
}

/** Keys may name who acted; of those who are erased nothing is left. */
const actKey = (key: string): string => createHash('sha256').update(key).digest('base64url')

async function addToDot(
  ctx: ServerContext<Tables>,
  tx: Kysely<Tables>,
  personId: number,
  list: 'inbox' | 'achievement',
  delta: number,
): Promise<void> {
  const { inbox, achievement } = await tx
    .updateTable('notifications__status')
    .set((eb) => ({ [list]: eb(list, '+', delta) }))
    .where('person_id', '=', personId)
    .returning(['inbox', 'achievement'])
    .executeTakeFirstOrThrow()
  await ctx.live.push(noticeLive.status, String(personId), { inbox, achievement })
}

/** What has more than {@link MOST_NOTICES} newer ones goes. */
async function dropOldest(ctx: ServerContext<Tables>, tx: Kysely<Tables>, personId: number, list: 'inbox' | 'achievement'): Promise<void> {
  const old = await tx
    .selectFrom('notifications__notice')
    .select(['id', 'is_seen'])
    .where('person_id', '=', personId)
    .where('list', '=', list)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .offset(MOST_NOTICES)
    .execute()
  if (old.length === 0) return
  await tx
    .deleteFrom('notifications__notice')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute()
  const unseen = old.filter(({ is_seen }) => is_seen === 0).length
  if (unseen > 0) await addToDot(ctx, tx, personId, list, -unseen)
  if (list === 'achievement') await refreshAward(tx, personId)
}
