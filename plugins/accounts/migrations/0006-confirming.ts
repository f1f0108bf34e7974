import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    // Logins and confirmations that have begun; only the browser that began one has what the hash is of.
    await db.schema
      .createTable('accounts__attempt')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('intent', 'text', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'integer', (column) => column.notNull())
      .addColumn('method', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('kept', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('tries', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('accounts__attempt_expiry').on('accounts__attempt').column('expires_at').execute()
    await db.schema.createIndex('accounts__attempt_person').on('accounts__attempt').column('person_id').execute()
    // For whom the password alone is not enough, and which plugin checks the rest.
    await db.schema
      .createTable('accounts__demand')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('accounts__demand_key', ['person_id', 'slug'])
      .execute()
    await db.schema
      .createTable('accounts__confirmation')
      .addColumn('session_hash', 'text', (column) => column.primaryKey())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('accounts__confirmation_time').on('accounts__confirmation').column('confirmed_at').execute()
    await db.schema.createIndex('accounts__confirmation_person').on('accounts__confirmation').column('person_id').execute()
    // Guesses at somebody's codes since a moment, whoever makes them.
    await db.schema
      .createTable('accounts__guess')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute()
  },
})
