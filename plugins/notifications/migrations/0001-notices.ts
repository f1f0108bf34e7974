import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('notifications__notice')
      .addColumn(...idColumn(dialect))
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('list', 'text', (column) => column.notNull())
      .addColumn('tab', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('actor_id', 'bigint', (column) => column.notNull())
      .addColumn('people', 'bigint', (column) => column.notNull().defaultTo(1))
      .addColumn('amount', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('details', 'text', (column) => column.notNull().defaultTo('{}'))
      .addColumn('award', 'text')
      .addColumn('title', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('phrase', 'text', (column) => column.notNull().defaultTo(''))
      // Null where nothing joins any more: unique only while something does.
      .addColumn('open_key', 'text')
      .addColumn('is_seen', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('is_read', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('notifications__notice_open', ['person_id', 'open_key'])
      .execute()
    await db.schema
      .createIndex('notifications__notice_list')
      .on('notifications__notice')
      .columns(['person_id', 'list', 'updated_at', 'id'])
      .execute()

    await db.schema.createIndex('notifications__notice_actor').on('notifications__notice').column('actor_id').execute()

    await db.schema
      .createTable('notifications__act')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('act_key', 'text', (column) => column.notNull())
      .addColumn('notice_id', 'bigint', (column) => column.notNull())
      .addColumn('actor_id', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('notifications__act_once', ['person_id', 'kind', 'act_key'])
      .execute()
    await db.schema.createIndex('notifications__act_actor').on('notifications__act').columns(['actor_id', 'notice_id']).execute()
    await db.schema.createIndex('notifications__act_created').on('notifications__act').column('created_at').execute()

    await db.schema
      .createTable('notifications__status')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('inbox', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('achievement', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('award_id', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('award', 'text')
      .execute()

    await db.schema
      .createTable('notifications__setting')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('frequency', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('notifications__setting_once', ['person_id', 'kind', 'channel'])
      .execute()
    await db.schema
      .createIndex('notifications__setting_kind')
      .on('notifications__setting')
      .columns(['kind', 'channel', 'frequency', 'person_id'])
      .execute()

    await db.schema
      .createTable('notifications__delivery')
      .addColumn(...idColumn(dialect))
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('frequency', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('notice_id', 'bigint', (column) => column.notNull())
      .addColumn('object_kind', 'text', (column) => column.notNull())
      .addColumn('object_n', 'bigint', (column) => column.notNull())
      .addColumn('actor_id', 'bigint', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('details', 'text', (column) => column.notNull().defaultTo('{}'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createIndex('notifications__delivery_person')
      .on('notifications__delivery')
      .columns(['person_id', 'channel', 'frequency', 'id'])
      .execute()
    await db.schema.createIndex('notifications__delivery_due').on('notifications__delivery').column('due_at').execute()

    // What signs the links that end mails: another one ends the validity of all that were sent.
    await db.schema
      .createTable('notifications__secret')
      .addColumn('person_id', 'bigint', (column) => column.primaryKey())
      .addColumn('secret', 'text', (column) => column.notNull())
      .execute()
  },
})
