import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('invitations__invitation')
      .addColumn(...idColumn(dialect))
      .addColumn('experience', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('by_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('withdrawn', 'integer', (column) => column.notNull().defaultTo(0))
      .addUniqueConstraint('invitations__invitation_once', ['experience', 'person_id'])
      .execute()
    await db.schema.createIndex('invitations__invitation_person').on('invitations__invitation').column('person_id').execute()
    await db.schema.createIndex('invitations__invitation_by').on('invitations__invitation').column('by_id').execute()
  },
})
