import { defineMigration } from '@stoa/sdk/server'
import { textIndexOf } from '../server/text-index.ts'

/** On PostgreSQL the words of a text lie outside of its row. */
export default defineMigration({
  up: (db, dialect) => textIndexOf(dialect).create(db),
})
