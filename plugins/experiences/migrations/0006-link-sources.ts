import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'

/**
 * Which text below a post links where: its own, an answer, its closing as a duplicate. `experiences__link` keeps each pair of posts once, and
 * `linked_count` counts those pairs whose first post stands in public lists.
 */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('experiences__link_source')
      .addColumn('from_post', 'bigint', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('to_post', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiences__link_source_entry', ['from_post', 'source', 'to_post'])
      .execute()
    await sql`insert into experiences__link_source (from_post, source, to_post) select from_post, 'text', to_post from experiences__link`.execute(
      db,
    )
    await sql`update experiences__post set linked_count = (
      select count(*) from experiences__link join experiences__post as linking on linking.id = from_post
      where to_post = experiences__post.id and linking.tier > 0
    ) where id in (select to_post from experiences__link)`.execute(db)
    await sql`update experiences__group set linked_count = (select linked_count from experiences__post where id = post_id)
      where post_id in (select to_post from experiences__link)`.execute(db)
  },
})
