import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('mail__undelivered')
      .addColumn('person_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('mail__undelivered_person').on('mail__undelivered').column('person_id').execute()
  },
})
