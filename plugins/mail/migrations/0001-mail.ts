import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('mail__undelivered')
      .addColumn(...idColumn(dialect))
      .addColumn('mail_key', 'text', (column) => column.notNull().unique())
      .addColumn('to_address', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('again_job', 'text', (column) => column.notNull())
      .addColumn('again_payload', 'text', (column) => column.notNull())
      .addColumn('first_at', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('busy_until', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('mail__undelivered_last').on('mail__undelivered').columns(['last_at', 'id']).execute()

    await db.schema
      .createTable('mail__outgoing')
      .addColumn(...idColumn(dialect))
      .addColumn('message_key', 'text', (column) => column.notNull().unique())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('message', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('sending_since', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('mail__outgoing_created').on('mail__outgoing').column('created_at').execute()

    await db.schema
      .createTable('mail__week')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('began_at', 'bigint', (column) => column.notNull())
      .addColumn('posts', 'integer', (column) => column.notNull())
      .execute()
  },
})
