import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('audit__entry')
      .addColumn(...idColumn(dialect))
      .addColumn('actor_id', 'bigint', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_id', 'text', (column) => column.notNull())
      .addColumn('object_label', 'text', (column) => column.notNull())
      .addColumn('object_path', 'text', (column) => column.notNull())
      .addColumn('note', 'text', (column) => column.notNull())
      .addColumn('phrases', 'text', (column) => column.notNull())
      .addColumn('changes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    const entry = (name: string) => db.schema.createIndex(`audit__entry_${name}`).on('audit__entry')
    await entry('actor').columns(['actor_id', 'id']).execute()
    await entry('action').columns(['action', 'id']).execute()
    await entry('object').columns(['object_id', 'object_kind', 'id']).execute()
    await entry('created').columns(['created_at', 'id']).execute()

    await db.schema
      .createTable('audit__action')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('phrases', 'text', (column) => column.notNull())
      .execute()
  },
})
