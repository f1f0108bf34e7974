import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('tags__tag')
      .addColumn(...idColumn(dialect))
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('display_lower', 'text', (column) => column.notNull())
      .addColumn('main_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('status', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('experience_count', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('author_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('description', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('original_text', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('parsed_text', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.createIndex('tags__tag_popular').on('tags__tag').columns(['main_id', 'status', 'experience_count', 'id']).execute()

    // The order of the columns in the key serves "tags of these posts"; the index serves "posts of this tag".
    await db.schema
      .createTable('tags__relation')
      .addColumn('experience_id', 'bigint', (column) => column.notNull())
      .addColumn('tag_id', 'bigint', (column) => column.notNull())
      .addColumn('position', 'integer', (column) => column.notNull())
      .addColumn('listed', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('tags__relation_pair', ['experience_id', 'tag_id'])
      .execute()
    await db.schema.createIndex('tags__relation_tag').on('tags__relation').columns(['tag_id', 'experience_id', 'listed']).execute()
  },
})
