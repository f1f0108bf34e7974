import { defineMigration, idColumn } from '@stoa/sdk/server'
import { sql } from 'kysely'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('history__revision')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('root_kind', 'text', (column) => column.notNull())
      .addColumn('root_n', 'bigint', (column) => column.notNull())
      .addColumn('editor_id', 'bigint', (column) => column.notNull())
      .addColumn('status', 'integer', (column) => column.notNull())
      .addColumn('position', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('base_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('stored_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('reviewer_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('reviewed_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('summary', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('text', 'text', (column) => column.notNull())
      .execute()
    const revision = (name: string) => db.schema.createIndex(`history__revision_${name}`).on('history__revision')
    await revision('object').columns(['object_n', 'object_kind', 'position']).execute()
    await revision('root').columns(['root_n', 'root_kind', 'stored_at']).execute()
    await revision('editor').columns(['editor_id', 'status']).execute()
    // One suggested edit waits at a time.
    await revision('waiting').unique().columns(['object_kind', 'object_n']).where(sql.ref('status'), '=', sql.lit(1)).execute()

    await db.schema
      .createTable('history__note')
      .addColumn(...idColumn(dialect))
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('root_kind', 'text', (column) => column.notNull())
      .addColumn('root_n', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('taken_back_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('html', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.createIndex('history__note_object').on('history__note').columns(['object_n', 'object_kind', 'created_at']).execute()
    await db.schema.createIndex('history__note_root').on('history__note').columns(['root_n', 'root_kind', 'created_at']).execute()
  },
})
