import { defineMigration } from '@stoa/sdk/server'

/** With which version of the renderer the stored texts of a kind were made, and how far writing them anew has come. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('site__rendered')
      .addColumn('kind', 'text', (column) => column.primaryKey())
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .execute()
  },
})
