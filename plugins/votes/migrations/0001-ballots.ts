import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('votes__ballot')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('voter_id', 'bigint', (column) => column.notNull())
      .addColumn('direction', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('votes__ballot_once', ['object_n', 'object_kind', 'voter_id'])
      .execute()
    await db.schema.createIndex('votes__ballot_voter').on('votes__ballot').columns(['voter_id', 'object_kind', 'created_at']).execute()
    await db.schema.createIndex('votes__ballot_recent').on('votes__ballot').columns(['created_at', 'voter_id']).execute()
  },
})
