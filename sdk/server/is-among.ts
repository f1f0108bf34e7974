import type { Expression, RawBuilder } from 'kysely'
import { sql } from 'kysely'

/**
 * Whether a number is among those of a sub-query, as `ctx.filters` gives them. Each row is looked up by its own number; for `in`, SQLite would first
 * collect all that the sub-query finds.
 */
export const isAmong = (number: Expression<unknown>, ids: RawBuilder<number>): RawBuilder<boolean> =>
  sql<boolean>`exists (with among(id) as (${ids}) select 1 from among where among.id = ${number})`
