import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'

/** What other plugins keep beside a post, as one JSON object by slug. Few posts have any: those are found by an index of their own. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('experiences__body')
      .addColumn('extensions', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute()
    await db.schema
      .createIndex('experiences__body_extended')
      .on('experiences__body')
      .column('post_id')
      .where(sql.ref('extensions'), '<>', sql.lit('{}'))
      .execute()
  },
})
