import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('accounts__rank_difference')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('rank', 'bigint', (column) => column.notNull())
      .addColumn('ledger', 'bigint', (column) => column.notNull())
      .addColumn('found_at', 'bigint', (column) => column.notNull())
      .execute()
  },
})
