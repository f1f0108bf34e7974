import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('bookmarks__bookmark')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('bookmarks__bookmark_once', ['object_n', 'object_kind', 'person_id'])
      .execute()
    await db.schema.createIndex('bookmarks__bookmark_person').on('bookmarks__bookmark').columns(['person_id', 'id']).execute()
  },
})
