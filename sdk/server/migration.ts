import type { Kysely } from 'kysely'

/**
 * One step of a plugin's tables, `migrations/0001-name.ts`, default export. Runs once, in a transaction, in order of file names.
 * Tables are named `<slug with _ for ->__<table>`; other prefixes are refused.
 */
export interface Migration {
  // biome-ignore lint/suspicious/noExplicitAny: tables of any plugin
  up(db: Kysely<any>, dialect: 'sqlite' | 'postgres'): Promise<void>
  /** This step removes what the version before needs: rollback stops here. */
  contracts?: boolean
}

export function defineMigration(migration: Migration): Migration {
  return migration
}
