import { defineMigration } from '@stoa/sdk/server'

/**
 * Posts that are listed together, such as those of a tag, with a copy of what lists sort by: a list of a group is then one walk along an index too,
 * where it would otherwise look at each of its posts, or at most of the site's.
 */
export default defineMigration({
  async up(db) {
    const table = 'experiences__group'
    const numbers = ['created_at', 'active_at', 'hot_score', 'vote_count', 'view_count', 'linked_count'] as const
    let group = db.schema
      .createTable(table)
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('post_id', 'bigint', (column) => column.notNull())
      .addColumn('tier', 'integer', (column) => column.notNull())
      .addColumn('open_tier', 'integer', (column) => column.notNull())
    for (const name of numbers) group = group.addColumn(name, 'bigint', (column) => column.notNull())
    await group.addPrimaryKeyConstraint('experiences__group_pair', ['post_id', 'name']).execute()

    // `hot` carries the time of its window at the end, here and below, so that no row has to be looked at; `author` what counts posts.
    const indexes: Record<string, string[]> = {
      newest: ['tier', 'created_at', 'post_id'],
      active: ['tier', 'active_at', 'created_at', 'post_id'],
      hot: ['tier', 'hot_score', 'post_id', 'created_at'],
      score: ['tier', 'vote_count', 'view_count', 'post_id'],
      frequent: ['tier', 'linked_count', 'post_id'],
      unanswered: ['open_tier', 'created_at', 'post_id'],
    }
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema
        .createIndex(`${table}_${name}`)
        .on(table)
        .columns(['name', ...columns])
        .execute()
    }
    const wider: Record<string, string[]> = {
      hot: ['tier', 'hot_score', 'id', 'created_at'],
      author: ['author_id', 'created_at', 'id', 'tier'],
    }
    for (const [name, columns] of Object.entries(wider)) {
      await db.schema.dropIndex(`experiences__post_${name}`).execute()
      await db.schema.createIndex(`experiences__post_${name}`).on('experiences__post').columns(columns).execute()
    }
  },
})
