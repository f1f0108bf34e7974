import { defineMigration } from '@stoa/sdk/server'

/** Puzzles are kept by the site's store for short times. */
export default defineMigration({
  contracts: true,
  up: (db) => db.schema.dropTable('captcha__challenge').execute(),
})
