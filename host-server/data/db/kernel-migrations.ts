import type { Migration } from '@stoa/sdk/server'
import { defineMigration, idColumn } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { CHANGE_SLOTS } from './transactions.ts'

const first = defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('kernel__revision')
      .addColumn('topic', 'text', (c) => c.primaryKey())
      .addColumn('n', 'bigint', (c) => c.notNull())
      .execute()
    await db
      .insertInto('kernel__revision')
      .values(['plugins', 'settings', 'site'].map((topic) => ({ topic, n: 1 })))
      .execute()

    await db.schema
      .createTable('kernel__site')
      .addColumn('id', 'bigint', (c) => c.primaryKey())
      .addColumn('url', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('is_private', 'integer', (c) => c.notNull())
      .addColumn('installed_at', 'bigint', (c) => c.notNull())
      .execute()
    await db
      .insertInto('kernel__site')
      .values({ id: 1, url: '', name: 'Stoa', language: 'zh_CN', is_private: 0, installed_at: 0 })
      .execute()

    await db.schema
      .createTable('kernel__setting')
      .addColumn('slug', 'text', (c) => c.primaryKey())
      .addColumn('json', 'text', (c) => c.notNull())
      .execute()
    await db.schema
      .createTable('kernel__plugin')
      .addColumn('slug', 'text', (c) => c.primaryKey())
      .addColumn('enabled', 'integer')
      .addColumn('reason', 'text', (c) => c.notNull().defaultTo(''))
      .execute()

    await db.schema
      .createTable('kernel__principal')
      .addColumn(...idColumn(dialect))
      .addColumn('login', 'text', (c) => c.notNull().unique())
      .addColumn('password_hash', 'text')
      .addColumn('role', 'integer', (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kernel__principal_role').on('kernel__principal').column('role').execute()
    await db.schema
      .createTable('kernel__session')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('visit_hash', 'text', (c) => c.notNull().unique())
      .addColumn('principal_id', 'bigint', (c) => c.notNull().references('kernel__principal.id').onDelete('cascade'))
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kernel__session_principal').on('kernel__session').column('principal_id').execute()
    await db.schema.createIndex('kernel__session_expiry').on('kernel__session').column('expires_at').execute()

    await db.schema
      .createTable('kernel__event')
      .addColumn(...idColumn(dialect))
      .addColumn('tx', 'bigint', (c) => c.notNull().defaultTo(dialect === 'postgres' ? sql`(pg_current_xact_id()::text::bigint)` : 0))
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('key', 'text')
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kernel__event_order').on('kernel__event').columns(['event', 'tx', 'id']).execute()
    await db.schema.createIndex('kernel__event_key').unique().on('kernel__event').columns(['event', 'key']).execute()
    await db.schema
      .createTable('kernel__cursor')
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('event', 'text', (c) => c.notNull())
      .addColumn('tx', 'bigint', (c) => c.notNull())
      .addColumn('event_id', 'bigint', (c) => c.notNull())
      .addColumn('missed', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('owner', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('lease_until', 'bigint', (c) => c.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('kernel__cursor_pk', ['slug', 'name'])
      .execute()

    await db.schema
      .createTable('kernel__job')
      .addColumn(...idColumn(dialect))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('key', 'text')
      .addColumn('waiting_key', 'text', (c) => c.unique())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('run_at', 'bigint', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull().defaultTo(0))
      .addColumn('owner', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('lease_until', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('reason', 'text', (c) => c.notNull().defaultTo(''))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kernel__job_due').on('kernel__job').columns(['state', 'run_at']).execute()
    await db.schema
      .createTable('kernel__timer')
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('next_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('kernel__timer_pk', ['slug', 'name'])
      .execute()
    await db.schema
      .createTable('kernel__hit')
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kernel__hit_key').on('kernel__hit').columns(['action', 'key', 'at']).execute()
    await db.schema.createIndex('kernel__hit_at').on('kernel__hit').column('at').execute()
  },
})

const quarantine = defineMigration({
  async up(db) {
    await db.schema
      .createTable('kernel__quarantine')
      .addColumn('slug', 'text', (c) => c.primaryKey())
      .addColumn('generation', 'text', (c) => c.notNull())
      .addColumn('problem', 'text', (c) => c.notNull())
      .execute()
  },
})

const versions = defineMigration({
  async up(db) {
    await db.schema
      .alterTable('kernel__plugin')
      .addColumn('package', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await db.schema
      .alterTable('kernel__site')
      .addColumn('safe_mode', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('kernel__migration')
      .addColumn('contracts', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('kernel__node')
      .addColumn('id', 'text', (c) => c.primaryKey())
      .addColumn('host', 'text', (c) => c.notNull())
      .addColumn('pid', 'bigint', (c) => c.notNull())
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .execute()
  },
})

const rescue = defineMigration({
  async up(db) {
    await db.schema
      .createTable('kernel__rescue')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
  },
})

const changes = defineMigration({
  async up(db) {
    await db.schema
      .createTable('kernel__change')
      .addColumn('slot', 'integer', (c) => c.primaryKey())
      .addColumn('n', 'bigint', (c) => c.notNull())
      .execute()
    await db
      .insertInto('kernel__change')
      .values(Array.from({ length: CHANGE_SLOTS }, (_, slot) => ({ slot, n: 0 })))
      .execute()
  },
})

const revisions = defineMigration({
  async up(db) {
    await db.schema
      .alterTable('kernel__principal')
      .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('kernel__rescue')
      .addColumn('principal_id', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await db.schema
      .alterTable('kernel__rescue')
      .addColumn('revision', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
})

const returns = defineMigration({
  async up(db) {
    await db.schema
      .alterTable('kernel__cursor')
      .addColumn('missed_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  },
})

const names = defineMigration({
  async up(db) {
    await db.schema
      .alterTable('kernel__plugin')
      .addColumn('owns_slug', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    const rows = (await db.selectFrom('kernel__plugin').select(['slug', 'package']).where('package', '!=', '').execute()) as {
      slug: string
      package: string
    }[]
    const owners = rows.filter((row) => isOwner(JSON.parse(row.package) as { chosen?: string; history?: string[] }))
    for (const { slug } of owners) await db.updateTable('kernel__plugin').set({ owns_slug: 1 }).where('slug', '=', slug).execute()
  },
})

const secondSteps = defineMigration({
  async up(db) {
    await db.schema
      .alterTable('kernel__principal')
      .addColumn('needs_more', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },
})

const memberSettings = defineMigration({
  async up(db) {
    await db.schema
      .createTable('kernel__member_setting')
      .addColumn('person_id', 'bigint', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('json', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('kernel__member_setting_key', ['person_id', 'slug'])
      .execute()
  },
})

const switchHistory = defineMigration({
  async up(db, dialect) {
    await db.schema
      .createTable('kernel__switch')
      .addColumn(...idColumn(dialect))
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('epoch', 'bigint', (c) => c.notNull())
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('deed', 'text', (c) => c.notNull())
      .addColumn('version', 'text', (c) => c.notNull())
      .addColumn('cause', 'text', (c) => c.notNull())
      .addColumn('way', 'text', (c) => c.notNull())
      .addColumn('person_id', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('kernel__switch_slug').on('kernel__switch').columns(['slug', 'id']).execute()
  },
})

/** A package that took the place of what came with the site has that, which is named by nothing, in its history. */
const isOwner = ({ chosen = '', history = [] }: { chosen?: string; history?: string[] }): boolean => chosen !== '' && !history.includes('')

/** Where a session was opened, and when it was used last; empty and 0 for those of before. */
const sessionPlaces: Migration = {
  async up(db) {
    const session = () => db.schema.alterTable('kernel__session')
    await session()
      .addColumn('ip', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await session()
      .addColumn('user_agent', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await session()
      .addColumn('used_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  },
}

const closure: Migration = {
  async up(db) {
    await db.schema
      .alterTable('kernel__site')
      .addColumn('closure', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
  },
}

const peopleRevision: Migration = {
  async up(db) {
    await db.insertInto('kernel__revision').values({ topic: 'people', n: 1 }).execute()
  },
}

const shortLived = defineMigration({
  async up(db) {
    await db.schema
      .createTable('kernel__once')
      .addColumn('slug', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('group_name', 'text', (c) => c.notNull())
      .addColumn('value', 'text', (c) => c.notNull())
      .addColumn('n', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('kernel__once_key', ['slug', 'key'])
      .execute()
    await db.schema.createIndex('kernel__once_room').on('kernel__once').columns(['slug', 'expires_at', 'key']).execute()
    await db.schema.createIndex('kernel__once_group').on('kernel__once').columns(['slug', 'group_name', 'expires_at']).execute()
    await db.schema.createIndex('kernel__once_end').on('kernel__once').column('expires_at').execute()
  },
})

const jobsByKind: Migration = {
  async up(db) {
    await db.schema.dropIndex('kernel__job_due').execute()
    await db.schema.createIndex('kernel__job_due').on('kernel__job').columns(['state', 'kind', 'run_at']).execute()
  },
}

/** What SQLite has counted in too few rows until now is counted again; see `ANALYZED_ROWS`. */
const statistics: Migration = {
  async up(db, dialect) {
    if (dialect !== 'sqlite') return
    const { rows } = await sql`select 1 from sqlite_master where name = 'sqlite_stat1'`.execute(db)
    if (rows.length === 0) return
    await sql`pragma analysis_limit = 10000`.execute(db)
    await sql`analyze`.execute(db)
  },
}

const nodes = defineMigration({
  async up(db) {
    await db.schema.alterTable('kernel__node').addColumn('steps', 'text').execute()
    await db.schema
      .alterTable('kernel__node')
      .addColumn('lease_until', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
  },
})

/** The kernel's own tables, step by step. */
export const kernelMigrations: (Migration & { name: string })[] = [
  { name: '0001-first', ...first },
  { name: '0002-quarantine', ...quarantine },
  { name: '0003-versions', ...versions },
  { name: '0004-rescue', ...rescue },
  { name: '0005-changes', ...changes },
  { name: '0006-revisions', ...revisions },
  { name: '0007-returns', ...returns },
  { name: '0008-names', ...names },
  { name: '0009-session-places', ...sessionPlaces },
  { name: '0010-second-steps', ...secondSteps },
  { name: '0011-member-settings', ...memberSettings },
  { name: '0012-switch-history', ...switchHistory },
  { name: '0013-closure', ...closure },
  { name: '0014-people-revision', ...peopleRevision },
  { name: '0015-short-lived', ...shortLived },
  { name: '0016-jobs-by-kind', ...jobsByKind },
  { name: '0017-statistics', ...statistics },
  { name: '0018-nodes', ...nodes },
]
