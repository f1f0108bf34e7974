import { defineMigration } from '@stoa/sdk/server'

/** Settings groups as the owner saved them; a group without a row has its defaults. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('site__setting')
      .addColumn('group_name', 'text', (column) => column.primaryKey())
      .addColumn('content', 'text', (column) => column.notNull())
      .execute()
  },
})
