import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('badges__badge')
      .addColumn(...idColumn(dialect))
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('definition', 'text', (column) => column.notNull())
      .addColumn('texts', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('award_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('past_after', 'bigint')
      .addColumn('is_contributed', 'integer', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('badges__award')
      .addColumn(...idColumn(dialect))
      .addColumn('badge_id', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('award_key', 'text', (column) => column.notNull())
      .addColumn('object_kind', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('object_n', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('is_seen', 'integer', (column) => column.notNull())
      .addUniqueConstraint('badges__award_once', ['badge_id', 'person_id', 'award_key'])
      .execute()
    const award = (name: string) => db.schema.createIndex(`badges__award_${name}`).on('badges__award')
    await award('badge').columns(['badge_id', 'id']).execute()
    await award('person').columns(['person_id', 'id']).execute()
  },
})
