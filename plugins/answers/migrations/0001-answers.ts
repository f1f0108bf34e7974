import { defineMigration, idColumn } from '@stoa/sdk/server'

/** Texts stand apart, so that lists and counts read small rows. */
export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('answers__answer')
      .addColumn(...idColumn(dialect))
      .addColumn('experience', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('editor_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('status', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('accepted', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('vote_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('comment_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('parent_listed', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('answers__text')
      .addColumn('answer_id', 'bigint', (column) => column.primaryKey())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('html', 'text', (column) => column.notNull())
      .addColumn('excerpt', 'text', (column) => column.notNull())
      .execute()
    const indexes: Record<string, string[]> = {
      parent: ['experience', 'status', 'accepted', 'vote_count', 'id'],
      person: ['person_id', 'experience'],
      person_votes: ['person_id', 'vote_count', 'id'],
      status: ['status', 'id'],
    }
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema.createIndex(`answers__answer_${name}`).on('answers__answer').columns(columns).execute()
    }
  },
})
