import { defineMigration } from '@stoa/sdk/server'

/** Views that are not counted in the posts' rows yet. */
export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('experiences__view')
      .addColumn('post_id', dialect === 'sqlite' ? 'integer' : 'bigint', (column) => column.primaryKey())
      .addColumn('n', 'integer', (column) => column.notNull())
      .execute()
  },
})
