import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('tags__tag')
      .addColumn('follow_count', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
})
