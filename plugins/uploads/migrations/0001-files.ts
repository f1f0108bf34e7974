import { defineMigration, idColumn } from '@stoa/sdk/server'

/** Every stored file, whoever holds it: what an owner can look up and a later clean-up can work through. */
export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('uploads__file')
      .addColumn(...idColumn(dialect))
      .addColumn('path', 'text', (column) => column.notNull().unique())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('bytes', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('uploads__file_person').on('uploads__file').columns(['person_id', 'created_at']).execute()
  },
})
