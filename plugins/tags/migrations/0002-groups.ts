import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'

/** Posts whose tags lists do not know yet: those that were tagged before lists were kept for each tag. They are told in the background. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('tags__ungrouped')
      .addColumn('experience_id', 'bigint', (column) => column.primaryKey())
      .execute()
    await sql`insert into tags__ungrouped (experience_id) select distinct experience_id from tags__relation`.execute(db)
  },
})
