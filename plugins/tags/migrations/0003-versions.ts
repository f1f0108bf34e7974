import { defineMigration } from '@stoa/sdk/server'

/** Grows with each change of name or text: who edits says which version they saw. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('tags__tag')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  },
})
