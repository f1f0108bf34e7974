import { defineMigration, idColumn } from '@stoa/sdk/server'

export default defineMigration({
  async up(db, dialect) {
    // The id is the principal's. State, role and address repeat the kernel's, so that lists of people need no second source.
    await db.schema
      .createTable('accounts__profile')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('username_lower', 'text', (column) => column.notNull().unique())
      .addColumn('display_name', 'text', (column) => column.notNull())
      .addColumn('display_lower', 'text', (column) => column.notNull())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_hash', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('role', 'integer', (column) => column.notNull())
      .addColumn('bio', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('bio_html', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('website', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('location', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('avatar_type', 'text', (column) => column.notNull().defaultTo('default'))
      .addColumn('avatar_custom', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('language', 'text', (column) => column.notNull().defaultTo('Default'))
      .addColumn('color_scheme', 'text', (column) => column.notNull().defaultTo('default'))
      .addColumn('rank', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('experience_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('answer_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('follow_count', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_login_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('suspended_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('deleted_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('accounts__profile_rank').on('accounts__profile').columns(['rank', 'id']).execute()
    await db.schema.createIndex('accounts__profile_email').on('accounts__profile').column('email').execute()
    await db.schema.createIndex('accounts__profile_state').on('accounts__profile').columns(['state', 'created_at']).execute()
    await db.schema.createIndex('accounts__profile_role').on('accounts__profile').column('role').execute()

    // One row per person and purpose: a newer code replaces the older, and none counts for anything else.
    await db.schema
      .createTable('accounts__mail_code')
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('code_hash', 'text', (column) => column.notNull().unique())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('accounts__mail_code_key', ['person_id', 'purpose'])
      .execute()

    await db.schema
      .createTable('accounts__reputation')
      .addColumn(...idColumn(dialect))
      .addColumn('person_id', 'bigint', (column) => column.notNull())
      .addColumn('delta', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('object_id', 'text', (column) => column.notNull())
      .addColumn('is_cancelled', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('accounts__reputation_person').on('accounts__reputation').columns(['person_id', 'created_at']).execute()
    await db.schema.createIndex('accounts__reputation_time').on('accounts__reputation').column('created_at').execute()
  },
})
