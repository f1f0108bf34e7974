import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('guestbook__entry')
      .addColumn(...idColumn(dialect))
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
  },
})
