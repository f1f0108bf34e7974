import { defineMigration, idColumn } from '@stoa/sdk/server'
import { sql } from 'kysely'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('review__item')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('author_id', 'bigint', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('reasons', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('decided_by', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('decided_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('note', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    const index = (name: string) => db.schema.createIndex(`review__item_${name}`).on('review__item')
    await index('waiting').unique().columns(['object_kind', 'object_n']).where(sql.ref('status'), '=', sql.lit(1)).execute()
    await index('queue').columns(['status', 'id']).execute()
    await index('object').columns(['object_n', 'object_kind']).execute()
    await index('author').columns(['author_id']).execute()
  },
})
