import { findPostgres } from './postgres.ts'

/** PostgreSQL of this run, found or started once, before the list of tests is made. */
export const postgres = await findPostgres()

if (!postgres) {
  const told = 'PostgreSQL tests were left out: no server answers and none could be started.'
  if (process.env.STOA_REQUIRE_PG) throw new Error(told)
  console.warn(told)
}
