import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    // What WeCom has said of people who log in by it, and when.
    await db.schema
      .createTable('user_center_wecom__member')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('is_gone', 'integer', (column) => column.notNull())
      .addColumn('is_suspended', 'integer', (column) => column.notNull())
      .addColumn('departments', 'text', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('user_center_wecom__department')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('read_at', 'bigint', (column) => column.notNull())
      .execute()
  },
})
