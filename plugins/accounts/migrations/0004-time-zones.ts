import { defineMigration } from '@stoa/sdk/server'

/** The zone that a person reads times in; empty: where the browser is, or the site. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('accounts__profile')
      .addColumn('time_zone', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
  },
})
