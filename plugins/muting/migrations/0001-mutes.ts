import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('muting__mute')
      .addColumn(...idColumn(dialect))
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('muted_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('muting__mute_once', ['muted_id', 'person_id'])
      .execute()
    await db.schema.createIndex('muting__mute_person').on('muting__mute').columns(['person_id', 'id']).execute()
  },
})
