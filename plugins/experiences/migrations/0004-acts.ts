import { defineMigration } from '@stoa/sdk/server'

/** What was done last to the state of a post: one row for its closing, one for its deletion, one for its place in lists, one for its pin. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('experiences__act')
      .addColumn('post_id', 'bigint', (column) => column.notNull())
      .addColumn('side', 'text', (column) => column.notNull())
      .addColumn('act', 'text', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('by_staff', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiences__act_side', ['post_id', 'side'])
      .execute()
  },
})
