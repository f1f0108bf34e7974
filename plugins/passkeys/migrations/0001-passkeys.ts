import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('passkeys__credential')
      .addColumn(...idColumn(dialect))
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('credential_id', 'text', (column) => column.notNull().unique())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('counter', 'bigint', (column) => column.notNull())
      .addColumn('transports', 'text', (column) => column.notNull().defaultTo('[]'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('passkeys__credential_person').on('passkeys__credential').columns(['person_id', 'id']).execute()
    // One registration of a person at a time; it is taken when the browser answers.
    await db.schema
      .createTable('passkeys__registration')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
  },
})
