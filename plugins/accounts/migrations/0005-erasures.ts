import { defineMigration } from '@stoa/sdk/server'

/** Who is to be forgotten where, who leaves when, and the archives that people asked for. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('accounts__erasure')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('stand_in_id', 'bigint', (column) => column.notNull())
      .addColumn('removes_content', 'integer', (column) => column.notNull())
      .addColumn('done_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('accounts__erasure_pk', ['person_id', 'slug'])
      .execute()
    await db.schema
      .createTable('accounts__data_holder')
      .addColumn('slug', 'text', (column) => column.primaryKey())
      .execute()
    await db.schema
      .createTable('accounts__leaving')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('removes_content', 'integer', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('accounts__archive')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('path', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
})
