import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'

/** Until when somebody is suspended (0: until somebody lifts it), and why. */
export default defineMigration({
  async up(db) {
    await db.schema
      .alterTable('accounts__profile')
      .addColumn('suspended_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('accounts__profile')
      .addColumn('suspension_reason', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema
      .createIndex('accounts__profile_suspended')
      .on('accounts__profile')
      .column('suspended_until')
      .where(sql.ref('suspended_until'), '>', sql.lit(0))
      .execute()
  },
})
