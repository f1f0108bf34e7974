import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    let table = db.schema
      .createTable('questions__question')
      .addColumn(...idColumn(dialect))
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('html', 'text', (column) => column.notNull())
    for (const name of ['author_id', 'created_at', 'active_at'] as const)
      table = table.addColumn(name, 'bigint', (column) => column.notNull())
    for (const name of ['answers', 'votes', 'accepted', 'last_answer'] as const)
      table = table.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
    await table.addColumn('status', 'integer', (column) => column.notNull().defaultTo(1)).execute()
  },
})
