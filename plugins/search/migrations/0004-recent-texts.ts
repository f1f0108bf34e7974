import { defineMigration } from '@stoa/sdk/server'
import { textIndexOf } from '../server/text-index.ts'

/** On PostgreSQL the newest texts have an index of their own. */
export default defineMigration({
  up: (db, dialect) => textIndexOf(dialect).create(db),
})
