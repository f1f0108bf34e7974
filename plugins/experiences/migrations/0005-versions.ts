import { defineMigration } from '@stoa/sdk/server'

/** Grows with each change of title, text or tags: who edits says which version they saw. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('experiences__body')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  },
})
