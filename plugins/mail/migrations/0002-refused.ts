import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('mail__refused')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('refusals', 'integer', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('mail__refused_address').on('mail__refused').column('address').execute()
  },
})
