import { defineMigration } from '@stoa/sdk/server'

/** Documents and their text follow in the next step, which replaced how they were kept here. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('search__progress')
      .addColumn('kind', 'text', (column) => column.primaryKey())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .execute()
  },
})
