import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('plain_search__document')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('facts', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('plain_search__document_key', ['kind', 'n'])
      .execute()
  },
})
