import type { ServerContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { NoticeList } from '../shared/api.ts'
import { noticeErrors, noticeLive } from '../shared/api.ts'
import { noticeKinds } from './kinds.ts'
import { refreshAward } from './status.ts'
import type { Tables } from './tables.ts'

type Context = ServerContext<Tables>

/** Marks one notice as read; a second time changes nothing. @throws `error.notification.not_found` for what is not this person's */
export async function readOne(ctx: Context, personId: number, id: string): Promise<void> {
  const n = /^[1-9]\d{0,14}$/.test(id) ? Number(id) : 0
  await ctx.db.write(async (tx) => {
    await hold(tx, personId)
    const row = await tx
      .selectFrom('notifications__notice')
      .select(['id', 'kind', 'list', 'is_read', 'is_seen'])
      .where('id', '=', n)
      .where('person_id', '=', personId)
      .executeTakeFirst()
    if (!row) throw noticeErrors.not_found({ id })
    if (row.is_read === 1) return
    await tx
      .updateTable('notifications__notice')
      .set({ is_read: 1, is_seen: 1, ...(!staysOpen(ctx, row.kind) && { open_key: null }) })
      .where('id', '=', n)
      .execute()
    await refreshAward(tx, personId)
    await recount(ctx, tx, personId)
  })
}

/** Marks everything of a list as read. */
export async function readAll(ctx: Context, personId: number, list: NoticeList): Promise<void> {
  await ctx.db.write(async (tx) => {
    await hold(tx, personId)
    const rows = await tx
      .updateTable('notifications__notice')
      .set({ is_read: 1, is_seen: 1 })
      .where('person_id', '=', personId)
      .where('list', '=', list)
      .where('is_read', '=', 0)
      .returning(['id', 'kind'])
      .execute()
    const closed = rows.filter(({ kind }) => !staysOpen(ctx, kind)).map(({ id }) => id)
    if (closed.length > 0) await tx.updateTable('notifications__notice').set({ open_key: null }).where('id', 'in', closed).execute()
    await refreshAward(tx, personId)
    await recount(ctx, tx, personId)
  })
}

/** Clears a red dot: what it counted has been seen, and need not have been read. */
export async function clearDot(ctx: Context, personId: number, list: NoticeList): Promise<void> {
  await ctx.db.write(async (tx) => {
    await hold(tx, personId)
    await tx
      .updateTable('notifications__notice')
      .set({ is_seen: 1 })
      .where('person_id', '=', personId)
      .where('list', '=', list)
      .where('is_seen', '=', 0)
      .execute()
    await recount(ctx, tx, personId)
  })
}

const staysOpen = (ctx: Context, kind: string): boolean => noticeKinds(ctx.host).get(kind)?.gathers === 'always'

/** Whoever tells this person something meanwhile waits. */
async function hold(tx: Kysely<Tables>, personId: number): Promise<void> {
  await tx
    .insertInto('notifications__status')
    .values({ person_id: personId })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ person_id: personId }))
    .execute()
}

/** Makes the dots what is there. */
async function recount(ctx: Context, tx: Kysely<Tables>, personId: number): Promise<void> {
  const rows = await tx
    .selectFrom('notifications__notice')
    .select((eb) => ['list', eb.fn.countAll<number>().as('count')])
    .where('person_id', '=', personId)
    .where('is_seen', '=', 0)
    .groupBy('list')
    .execute()
  const count = (list: NoticeList) => Number(rows.find((row) => row.list === list)?.count ?? 0)
  const dots = { inbox: count('inbox'), achievement: count('achievement') }
  await tx.updateTable('notifications__status').set(dots).where('person_id', '=', personId).execute()
  await ctx.live.push(noticeLive.status, String(personId), dots)
}
