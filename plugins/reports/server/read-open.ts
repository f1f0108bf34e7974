import { read } from '@stoa/sdk'
import type { ReadContext } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import type { PersonCard } from '../../accounts/shared/api.ts'
import { nobody, personCards } from '../../accounts/shared/api.ts'
import type { Reason } from '../../site/shared/api.ts'
import { reasonsOf } from '../../site/shared/api.ts'
import type { ReportRow, Tables } from './tables.ts'
import { reportColumns, reportStatus } from './tables.ts'

/** Flags of one object that are shown; more are counted only. */
const MOST = 20

export interface Flag {
  submit_at: number
  submitter_user: PersonCard
  reason: Reason | null
  reason_content: string
}
/** All that waits of some kinds, and of the object on that page who flagged it and why: the newest flag first. */
export const openFlags = read<
  { page: number; kinds: readonly string[] },
  { count: number; first: { id: number; kind: string; n: number; author: PersonCard; flags: Flag[] } | null }
>('reports.open')

/** Objects with an open flag. @param kinds default all */
export async function countOpen(db: Kysely<Tables>, kinds?: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom(
      db
        .selectFrom('reports__report')
        .select(['object_kind', 'object_n'])
        .distinct()
        .where('status', '=', reportStatus.open)
        .$if(kinds !== undefined, (query) => query.where('object_kind', 'in', kinds ?? []))
        .as('open'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function readOpen(ctx: ReadContext<Tables>, { page, kinds }: { page: number; kinds: readonly string[] }) {
  if (kinds.length === 0) return { count: 0, first: null }
  const count = await countOpen(ctx.db, kinds)
  const newest = await ctx.db
    .selectFrom('reports__report')
    .select((eb) => ['object_kind as kind', 'object_n as n', eb.fn.max('id').as('id')])
    .where('status', '=', reportStatus.open)
    .where('object_kind', 'in', kinds)
    .groupBy(['object_kind', 'object_n'])
    .orderBy('id', 'desc')
    .limit(1)
    .offset(page - 1)
    .executeTakeFirst()
  if (!newest) return { count, first: null }
  const { kind, n, id } = newest
  const rows = await ctx.db
    .selectFrom('reports__report')
    .select(reportColumns)
    .where('status', '=', reportStatus.open)
    .where('object_kind', '=', kind)
    .where('object_n', '=', n)
    .orderBy('id', 'desc')
    .limit(MOST)
    .execute()
  const authorId = rows[0]?.author_id ?? 0
  const cards = await ctx.call(personCards, { ids: [...new Set([authorId, ...rows.map((row) => row.person_id)])] })
  const reasons = (await ctx.call(reasonsOf, { objectType: kind, action: 'flag' })) ?? []
  const flagOf = (row: ReportRow): Flag => ({
    submit_at: row.created_at,
    submitter_user: cards[row.person_id] ?? nobody(row.person_id),
    reason: reasons.find(({ reason_type }) => reason_type === row.reason_type) ?? null,
    reason_content: row.content,
  })
  return { count, first: { id: Number(id), kind, n, author: cards[authorId] ?? nobody(authorId), flags: rows.map(flagOf) } }
}
