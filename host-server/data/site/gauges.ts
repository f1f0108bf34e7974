import type { SiteMeasures } from '@stoa/sdk/administration'
import { sql } from 'kysely'
import type { KernelDatabase } from '../db/transactions.ts'
import { eventsInOrder, isAheadOfCursor } from '../events/cursors.ts'

type Gauges = Pick<SiteMeasures, 'database' | 'events' | 'jobs'>

/** What the database says of itself, and of what waits in it for plugins that are on. Three statements. */
export async function readGauges({ query, dialect }: KernelDatabase, slugs: readonly string[], now: number): Promise<Gauges> {
  const about =
    dialect === 'postgres'
      ? sql<{
          version: string
          bytes: number
        }>`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`
      : sql<{
          version: string
          bytes: number
        }>`select sqlite_version() as version, page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
  const [{ rows }, events, jobs] = await Promise.all([
    about.execute(query),
    sql<{ waiting: number; oldest: number | null }>`select count(*) as waiting, min(e.at) as oldest
      from kernel__cursor as c join ${eventsInOrder(dialect)} on e.event = c.event
      where c.slug in (${sql.join(['kernel', ...slugs])}) and ${isAheadOfCursor(dialect)}`.execute(query),
    query
      .selectFrom('kernel__job')
      .select((eb) => ['state', eb.fn.countAll<number>().as('count'), eb.fn.min('run_at').as('first')])
      .where((eb) => eb.or([eb('state', '!=', 'waiting'), eb('run_at', '<=', now)]))
      .groupBy('state')
      .execute(),
  ])
  const of = (state: string) => jobs.find((row) => row.state === state)
  const since = (at: number | null | undefined) => (at ? Math.max(0, now - Number(at)) : 0)
  return {
    database: { dialect, version: rows[0]?.version ?? '', bytes: Number(rows[0]?.bytes ?? 0) },
    events: { waiting: Number(events.rows[0]?.waiting ?? 0), seconds: since(events.rows[0]?.oldest) },
    jobs: {
      due: Number(of('waiting')?.count ?? 0),
      running: Number(of('running')?.count ?? 0),
      dead: Number(of('dead')?.count ?? 0),
      seconds: since(of('waiting')?.first),
    },
  }
}
