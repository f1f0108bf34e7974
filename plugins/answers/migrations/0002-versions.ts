import { defineMigration } from '@stoa/sdk/server'

/** Grows with each change of the text: who edits says which version they saw. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('answers__text')
      .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()
  },
})
