import { defineMigration } from '@stoa/sdk/server'

/**
 * Documents belong to an object of any kind. Those from before belong to experiences, as the default says, so no row is written. All are looked
 * through once in the background: what happened since the events of before were last delivered is found by that.
 */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('search__document')
      .addColumn('parent_kind', 'text', (column) => column.notNull().defaultTo('experience'))
      .execute()
    await db.updateTable('search__progress').set({ position: 0, done: 0 }).where('kind', 'not like', '@%').execute()
  },
})
