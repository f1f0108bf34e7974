import { defineMigration } from '@stoa/sdk/server'

/** A code counts for the person as they were when it was asked for, and is remembered once it was used. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('accounts__mail_code')
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('accounts__mail_code')
      .addColumn('used_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
})
