import type { SelectQueryBuilder } from 'kysely'
import type { Dialect } from './columns.ts'

/**
 * Holds the rows of a query until the transaction ends: `query.$call(forUpdate(ctx.db.dialect))`. Others who would change or hold them wait. Who holds several
 * takes them in one order (`orderBy('id')`), so that of two each does not wait for the other. SQLite has one writer at a time anyway.
 */
export const forUpdate =
  (dialect: Dialect) =>
  <DB, T extends keyof DB, O>(query: SelectQueryBuilder<DB, T, O>): SelectQueryBuilder<DB, T, O> =>
    dialect === 'postgres' ? query.forUpdate() : query
