import type { Expression, RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { FilterToken } from '../shared/index.ts'
import type { ReadContext } from './plugin.ts'

/**
 * Whether a number is among those of a sub-query, as `ctx.filters` gives them. Each row is looked up by its own number; for `in`, SQLite would first
 * collect all that the sub-query finds.
 */
export const isAmong = (number: Expression<unknown>, ids: RawBuilder<number>): RawBuilder<boolean> =>
  sql<boolean>`exists (with among(id) as (${ids}) select 1 from among where among.id = ${number})`

/**
 * Whether a row is about something that is shown: of one of these kinds, and in what each answer to a filter gives of it. Where nobody answers for a kind, all of
 * it is. @param of columns of the kind and of the running number
 */
export async function isShown(
  ctx: Pick<ReadContext, 'filters'>,
  filter: FilterToken<{ kind: string }>,
  kinds: readonly string[],
  of: { kind: Expression<unknown>; n: Expression<unknown> },
): Promise<RawBuilder<boolean>> {
  const each = await Promise.all(
    kinds.map(async (kind) => [sql`${of.kind} = ${kind}`, ...(await ctx.filters(filter, { kind })).map((ids) => isAmong(of.n, ids))]),
  )
  return each.length === 0
    ? sql<boolean>`1 = 0`
    : sql<boolean>`(${sql.join(
        each.map((all) => sql`(${sql.join(all, sql` and `)})`),
        sql` or `,
      )})`
}
