import { defineMigration } from '@stoa/sdk/server'

export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('captcha__challenge')
      .addColumn('id', 'varchar(40)', (column) => column.primaryKey())
      .addColumn('action', 'varchar(50)', (column) => column.notNull())
      .addColumn('unit', 'varchar(80)', (column) => column.notNull())
      .addColumn('slug', 'varchar(60)', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('captcha__challenge_unit').on('captcha__challenge').columns(['unit', 'expires_at']).execute()
    await db.schema.createIndex('captcha__challenge_expiry').on('captcha__challenge').column('expires_at').execute()
  },
})
