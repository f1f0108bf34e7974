import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    // One row while WeCom says of most members that they are gone, and nobody is suspended for it.
    await db.schema
      .createTable('user_center_wecom__brake')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('gone', 'integer', (column) => column.notNull())
      .addColumn('asked', 'integer', (column) => column.notNull())
      .execute()
  },
})
