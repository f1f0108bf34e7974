import type { Finding } from '@stoa/sdk/commands'
import { sql } from 'kysely'
import { OLDEST_POSTGRES } from '../data/db/why-refused.ts'
import type { Operator } from './operator.ts'
import type { SiteCheck } from './site-check.ts'

const RESTORE = 'Stop the site, keep a copy of the file, and put the last good dump in its place; "stoa dump" makes one.'
/** Rows of what is broken that are named. */
const NAMED = 5
const HOUR = 3600

/** What is wrong inside of an SQLite file, in SQLite's words. */
async function damages(query: Operator['data']['database']['query']): Promise<string[]> {
  try {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check(${sql.lit(NAMED)})`.execute(query)
    return rows.map((row) => row.integrity_check).filter((text) => text !== 'ok')
  } catch (error) {
    return [(error as Error).message]
  }
}

/** SQLite reads every page and compares each index with its table. */
async function sqliteIntegrity({ data: { database } }: Operator): Promise<Finding[]> {
  const broken = await damages(database.query)
  if (broken.length > 0) return broken.map((text): Finding => ({ level: 'wrong', text: `The file is damaged: ${text}.`, advice: RESTORE }))
  const { rows: lost } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(database.query)
  return [
    ...(lost.length > 0
      ? [
          {
            level: 'wrong' as const,
            text: `${lost.length} rows refer to rows that are gone, such as one of "${lost[0]?.table}" to "${lost[0]?.parent}".`,
            advice: RESTORE,
          },
        ]
      : []),
    ...(lost.length === 0 ? [{ level: 'well' as const, text: 'Every page of the file is sound.' }] : []),
  ]
}

/** PostgreSQL looks after its pages itself; what it cannot mend alone are indexes whose making was cut off. */
async function postgresIndexes({ data: { database } }: Operator): Promise<Finding[]> {
  const { rows } = await sql<{ name: string; version: string }>`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid join pg_namespace n on n.oid = c.relnamespace
    where not i.indisvalid and n.nspname = current_schema() order by c.relname limit ${sql.lit(NAMED)}`.execute(database.query)
  const { rows: versions } = await sql<{ n: number }>`select current_setting('server_version_num')::int as n`.execute(database.query)
  const major = Math.floor((versions[0]?.n ?? 0) / 10_000)
  return [
    ...rows.map(
      ({ name }): Finding => ({
        level: 'wrong',
        text: `The index "${name}" is not usable.`,
        advice: `In psql: REINDEX INDEX CONCURRENTLY "${name}"`,
      }),
    ),
    ...(major < OLDEST_POSTGRES
      ? [{ level: 'wrong' as const, text: `PostgreSQL ${major} is too old.`, advice: `Move to version ${OLDEST_POSTGRES} or newer.` }]
      : []),
    ...(rows.length === 0 ? [{ level: 'well' as const, text: `PostgreSQL ${major} is reached, and its indexes are usable.` }] : []),
  ]
}

/** Events and jobs that nobody carries out. */
const waiting: SiteCheck = async (operator) => {
  const slugs = operator.plugins().flatMap((plugin) => (operator.isOn(plugin) ? [plugin.manifest.slug] : []))
  const { events, jobs } = await operator.data.gauges(slugs, Math.floor(Date.now() / 1000))
  const late = Math.max(events.waiting > 0 ? events.seconds : 0, jobs.due > 0 ? jobs.seconds : 0)
  return [
    ...(late > HOUR
      ? [
          {
            level: 'notice' as const,
            text: `${events.waiting} events and ${jobs.due} jobs wait, the oldest for ${Math.round(late / HOUR)} h.`,
            advice: 'A site that runs catches up by itself; if one does, its log says what fails.',
          },
        ]
      : []),
    ...(jobs.dead > 0
      ? [
          {
            level: 'notice' as const,
            text: `${jobs.dead} jobs were given up after many tries.`,
            advice: 'The log of the site says why each failed.',
          },
        ]
      : []),
    ...(late <= HOUR && jobs.dead === 0 ? [{ level: 'well' as const, text: 'Nothing waits for long.' }] : []),
  ]
}

export const databaseChecks: Record<string, SiteCheck> = {
  database: (operator) => (operator.data.dialect === 'sqlite' ? sqliteIntegrity(operator) : postgresIndexes(operator)),
  'events and jobs': waiting,
}
