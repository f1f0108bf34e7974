import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('follows__follow')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      // In this order it also gives the followers of an object by number.
      .addUniqueConstraint('follows__follow_once', ['object_n', 'object_kind', 'person_id'])
      .execute()
    await db.schema.createIndex('follows__follow_person').on('follows__follow').columns(['person_id', 'object_kind', 'id']).execute()
  },
})
