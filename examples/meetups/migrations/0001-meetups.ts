import { defineMigration } from '@stoa/sdk/server'

/** A post that is a meetup, for the calendar: the bag itself has no index. And who comes. */
export default defineMigration({
  async up(db) {
    await db.schema
      .createTable('meetups__meetup')
      .addColumn('post_id', 'bigint', (column) => column.primaryKey())
      .addColumn('day', 'text', (column) => column.notNull())
      .addColumn('city', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('meetups__meetup_day').on('meetups__meetup').columns(['day', 'post_id']).execute()
    await db.schema
      .createTable('meetups__guest')
      .addColumn('post_id', 'bigint', (column) => column.notNull())
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('meetups__guest_pair', ['post_id', 'person_id'])
      .execute()
  },
})
