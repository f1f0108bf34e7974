import { defineMigration, idColumn } from '@stoa/sdk/server'
import { sql } from 'kysely'

/**
 * `tier` and `open_tier` say where a post stands in public lists: 0 not at all, 1 listed, 2 pinned. Every list is then one walk along one
 * index (`tier desc, <order> desc, id desc`), pinned posts first without a second query. The database computes them, so they cannot drift.
 */
export default defineMigration({
  async up(db, dialect) {
    const count = (name: string) => (table: ReturnType<typeof db.schema.createTable>) =>
      table.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
    let post = db.schema
      .createTable('experiences__post')
      .addColumn(...idColumn(dialect))
      .addColumn('author_id', 'bigint', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('show', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('pin', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('active_at', 'bigint', (column) => column.notNull())
    for (const name of [
      'edited_at',
      'editor_id',
      'answered_at',
      'answerer_id',
      'last_answer',
      'accepted_answer',
      'vote_count',
      'answer_count',
      'answer_votes',
      'view_count',
      'collection_count',
      'follow_count',
      'linked_count',
      'hot_score',
    ]) {
      post = count(name)(post)
    }
    await post
      .addColumn('tier', 'integer', (column) =>
        column.generatedAlwaysAs(sql`case when "status" in (1, 2) and "show" = 1 then "pin" else 0 end`).stored().notNull(),
      )
      .addColumn('open_tier', 'integer', (column) =>
        column
          .generatedAlwaysAs(sql`case when "status" = 1 and "show" = 1 and "answer_count" = 0 then "pin" else 0 end`)
          .stored()
          .notNull(),
      )
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('url_title', 'text', (column) => column.notNull())
      .addColumn('excerpt', 'text', (column) => column.notNull())
      .execute()

    const indexes: Record<string, string[]> = {
      newest: ['tier', 'created_at', 'id'],
      active: ['tier', 'active_at', 'created_at', 'id'],
      hot: ['tier', 'hot_score', 'id'],
      score: ['tier', 'vote_count', 'view_count', 'id'],
      frequent: ['tier', 'linked_count', 'id'],
      unanswered: ['open_tier', 'created_at', 'id'],
      author: ['author_id', 'created_at', 'id'],
      status: ['status', 'created_at', 'id'],
    }
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema.createIndex(`experiences__post_${name}`).on('experiences__post').columns(columns).execute()
    }

    await db.schema
      .createTable('experiences__body')
      .addColumn('post_id', 'bigint', (column) => column.primaryKey())
      .addColumn('close_type', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('closed_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('close_message', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('html', 'text', (column) => column.notNull())
      .execute()

    await db.schema
      .createTable('experiences__link')
      .addColumn('from_post', 'bigint', (column) => column.notNull())
      .addColumn('to_post', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiences__link_pair', ['from_post', 'to_post'])
      .execute()
    await db.schema.createIndex('experiences__link_target').on('experiences__link').columns(['to_post', 'from_post']).execute()

    await db.schema
      .createTable('experiences__counter')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('listed', 'bigint', (column) => column.notNull())
      .addColumn('open', 'bigint', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .execute()
    await db.insertInto('experiences__counter').values({ id: 1, listed: 0, open: 0, version: 0 }).execute()
  },
})
