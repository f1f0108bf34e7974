import { defineMigration } from '@stoa/sdk/server'

/** When members opened which posts last. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('experiences__opened')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('post_id', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiences__opened_once', ['person_id', 'post_id'])
      .execute()
    await db.schema.createIndex('experiences__opened_last').on('experiences__opened').columns(['person_id', 'at']).execute()
  },
})
