import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('admin__saved')
      .addColumn('page', 'text', (column) => column.primaryKey())
      .addColumn('saved_at', 'bigint', (column) => column.notNull())
      .addColumn('saved_by', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('admin__saved_by').on('admin__saved').column('saved_by').execute()
  },
})
