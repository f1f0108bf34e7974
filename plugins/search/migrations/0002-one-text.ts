import { defineMigration } from '@stoa/sdk/server'
import { textIndexOf } from '../server/text-index.ts'

/** Titles, texts, tags and authors in one index. What an older site has is dropped and indexed again in the background. */
export default defineMigration({
  async up(db, dialect) {
    for (const table of ['title', 'text', 'tag', 'document']) await db.schema.dropTable(`search__${table}`).ifExists().execute()
    await db.deleteFrom('search__progress').execute()
    await db.schema
      .createTable('search__document')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('n', 'bigint', (column) => column.notNull())
      .addColumn('experience', 'bigint', (column) => column.notNull())
      .addColumn('votes', 'integer', (column) => column.notNull())
      .addColumn('answers', 'integer', (column) => column.notNull())
      .addColumn('views', 'integer', (column) => column.notNull())
      .addColumn('accepted', 'integer', (column) => column.notNull())
      .addColumn('visible', 'integer', (column) => column.notNull())
      .addColumn('active_at', 'bigint', (column) => column.notNull())
      .addColumn('text_hash', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('search__document_object').on('search__document').columns(['kind', 'n']).unique().execute()
    await db.schema.createIndex('search__document_experience').on('search__document').columns(['experience']).execute()
    await db.schema.createIndex('search__document_votes').on('search__document').columns(['votes', 'id']).execute()
    await db.schema.createIndex('search__document_active').on('search__document').columns(['active_at', 'id']).execute()
    await textIndexOf(dialect).create(db)
  },
})
