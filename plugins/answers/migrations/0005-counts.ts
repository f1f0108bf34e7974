import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'

/** Profiles counted all answers that stood; they count those that everybody can see. So many of each person's are to be taken off, in the background. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('answers__overcount')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('answers', 'integer', (column) => column.notNull())
      .execute()
    await sql`insert into answers__overcount (person_id, answers)
      select person_id, count(*) from answers__answer where status = 1 and parent_listed = 0 group by person_id`.execute(db)
  },
})
