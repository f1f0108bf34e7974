import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    // By which other sites know people.
    await db.schema
      .createTable('accounts__identity')
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('external_id', 'text', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('accounts__identity_key', ['method', 'external_id'])
      .addUniqueConstraint('accounts__identity_person', ['person_id', 'method'])
      .execute()
    // Logins at other sites between their beginning and their end; only the browser that began one has what `browser_hash` is of.
    await db.schema
      .createTable('accounts__sign_in')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('stage', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull().unique())
      .addColumn('browser_hash', 'text', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull())
      .addColumn('kept', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    for (const column of ['expires_at', 'browser_hash', 'person_id'])
      await db.schema.createIndex(`accounts__sign_in_${column}`).on('accounts__sign_in').column(column).execute()
  },
})
