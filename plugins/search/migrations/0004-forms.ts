import { defineMigration } from '@stoa/sdk/server'
import { sql } from 'kysely'
import { isOlder } from '../server/older-forms.ts'

/** Which documents are not stored in the present form is asked with every search. The embedded database has one form only. */
export default defineMigration({
  async up(db, dialect) {
    if (dialect === 'sqlite') return
    await sql`create index search__document_older on search__document (text_hash) where ${isOlder}`.execute(db)
  },
})
