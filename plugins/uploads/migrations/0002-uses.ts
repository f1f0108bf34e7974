import { defineMigration } from '@stoa/sdk/server'

/** Where a file is shown, as far as its uploader shows it: what is shown nowhere any more is public no longer. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('uploads__use')
      .addColumn('path', 'text', (column) => column.notNull())
      .addColumn('holder', 'text', (column) => column.notNull())
      .addColumn('shown', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('uploads__use_pk', ['holder', 'path'])
      .execute()
    await db.schema.createIndex('uploads__use_path').on('uploads__use').column('path').execute()
  },
})
