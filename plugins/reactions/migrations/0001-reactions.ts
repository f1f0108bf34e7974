import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('reactions__reaction')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('emoji', 'text', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('reactions__reaction_once', ['object_n', 'object_kind', 'person_id', 'emoji'])
      .execute()
    await db.schema
      .createIndex('reactions__reaction_first')
      .on('reactions__reaction')
      .columns(['object_n', 'object_kind', 'emoji', 'id'])
      .execute()
    await db.schema.createIndex('reactions__reaction_person').on('reactions__reaction').columns(['person_id', 'id']).execute()
    await db.schema
      .createTable('reactions__summary')
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('emoji', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('first_people', 'text', (column) => column.notNull().defaultTo('[]'))
      .addPrimaryKeyConstraint('reactions__summary_key', ['object_n', 'object_kind', 'emoji'])
      .execute()
  },
})
