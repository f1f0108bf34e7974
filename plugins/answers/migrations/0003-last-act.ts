import { defineMigration } from '@stoa/sdk/server'

/** Who deleted an answer or brought it back last, and whether it was not its author. */
export default defineMigration({
  async up(db) {
    for (const name of ['acted_by', 'acted_by_staff', 'acted_at'])
      await db.schema
        .alterTable('answers__answer')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
  },
})
