import type { KyselyConfig } from 'kysely'
import type { OnStatement } from './connection.ts'

/** Has a Kysely tell how long its statements take. */
export function timed(onStatement: OnStatement | undefined): Pick<KyselyConfig, 'log'> {
  return onStatement ? { log: ({ level, queryDurationMillis }) => onStatement(queryDurationMillis, level === 'error') } : {}
}
