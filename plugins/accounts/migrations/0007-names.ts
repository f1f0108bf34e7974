import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'

/** Usernames that people have and have had: one that was given up leads to its person, and is nobody else's. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('accounts__name')
      .addColumn('username_lower', 'text', (column) => column.primaryKey())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('taken_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('accounts__name_person').on('accounts__name').columns(['person_id', 'taken_at']).execute()
    await sql`insert into accounts__name (username_lower, person_id, taken_at) select username_lower, id, 0 from accounts__profile`.execute(
      db,
    )
  },
})
