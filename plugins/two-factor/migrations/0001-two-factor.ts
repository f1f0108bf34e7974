import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('two_factor__secret')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('enabled_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('last_step', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('two_factor__recovery')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('two_factor__recovery_key', ['person_id', 'code_hash'])
      .execute()
  },
})
