import { defineMigration, idColumn } from '@stoa/sdk/server'
import { sql } from 'kysely'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('reports__report')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('author_id', 'bigint', (column) => column.notNull())
      .addColumn('reason_type', 'integer', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('handled_by', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('handled_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('flagged_type', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('flagged_content', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    const index = (name: string) => db.schema.createIndex(`reports__report_${name}`).on('reports__report')
    const isOpen = [sql.ref('status'), '=', sql.lit(1)] as const
    // One open flag of a person on an object.
    await index('once')
      .unique()
      .columns(['object_kind', 'object_n', 'person_id'])
      .where(...isOpen)
      .execute()
    await index('open').columns(['status', 'object_kind', 'object_n', 'id']).execute()
    await index('object').columns(['object_n', 'object_kind']).execute()
    await index('person').columns(['person_id', 'id']).execute()
  },
})
