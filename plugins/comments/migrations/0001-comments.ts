import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('comments__comment')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('experience', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('reply_comment', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('reply_person', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('status', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('vote_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('post_listed', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('object_shown', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('original_text', 'text', (column) => column.notNull())
      .addColumn('parsed_text', 'text', (column) => column.notNull())
      .execute()
    const indexes: Record<string, string[]> = {
      object: ['object_n', 'object_kind', 'status', 'id'],
      experience: ['experience'],
      person: ['person_id', 'status', 'id'],
    }
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema.createIndex(`comments__comment_${name}`).on('comments__comment').columns(columns).execute()
    }
  },
})
