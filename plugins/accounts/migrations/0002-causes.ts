import { defineMigration } from '@stoa/sdk/server'

/** Reputation by its cause, and by the object that may be deleted. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('accounts__reputation')
      .addColumn('cause_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('accounts__reputation_object').on('accounts__reputation').column('object_id').execute()
  },
})
