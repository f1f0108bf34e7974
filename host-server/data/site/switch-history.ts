import type { SwitchRecord } from '@stoa/sdk/administration'
import type { Kysely } from 'kysely'
import type { KernelTables } from '../db/tables.ts'
import type { KernelDatabase } from '../db/transactions.ts'
import { acting } from './acting.ts'

/** Older decisions are forgotten. */
const MOST_KEPT = 5000

/** Of a decision, what is written down. */
interface Decided {
  enabled?: ReadonlyMap<string, boolean>
  packages?: ReadonlyMap<string, { chosen: string; history: string[] }>
  safeMode?: boolean
  cause?: string
}

type Entry = Pick<SwitchRecord, 'slug' | 'deed' | 'version'>

/** What the database had before a decision. */
interface Before {
  enabled: ReadonlyMap<string, number | null>
  /** Key of the chosen version; empty for what came with the site. */
  chosen: ReadonlyMap<string, string>
}

/** `1.2.0-0123abcd` → `1.2.0`. */
const versionOf = (key: string): string => key.slice(0, -9)

/** Writes down what a decision changes, and who made it, in the transaction that stores it. */
export async function recordSwitches(
  tx: Kysely<KernelTables>,
  values: { epoch: number; at: number; change: Decided; before: Before },
): Promise<void> {
  const { epoch, at, change, before } = values
  const entries = entriesOf(change, before)
  if (entries.length === 0) return
  const { way, personId } = acting.now()
  const cause = change.cause ?? ''
  const rows = entries.map((entry) => ({
    ...{ ...entry, epoch, at, way, person_id: personId },
    cause: entry.slug === cause ? '' : cause,
  }))
  await tx.insertInto('kernel__switch').values(rows).execute()
  const { last } = await tx
    .selectFrom('kernel__switch')
    .select((eb) => eb.fn.max('id').as('last'))
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('kernel__switch')
    .where('id', '<=', Number(last) - MOST_KEPT)
    .execute()
}

function entriesOf({ enabled = new Map(), packages = new Map(), safeMode }: Decided, before: Before): Entry[] {
  const entries: Entry[] = []
  for (const [slug, state] of packages) {
    const was = before.chosen.get(slug) ?? ''
    if (state.chosen === was) continue
    const isGone = state.chosen === '' && state.history.length === 0
    entries.push({ slug, deed: isGone ? 'removed' : 'version', version: state.chosen === '' ? '' : versionOf(state.chosen) })
  }
  for (const [slug, isOn] of enabled)
    if (before.enabled.get(slug) !== (isOn ? 1 : 0)) entries.push({ slug, deed: isOn ? 'on' : 'off', version: '' })
  if (safeMode !== undefined) entries.push({ slug: '', deed: safeMode ? 'safe_on' : 'safe_off', version: '' })
  return entries
}

export interface SwitchHistory {
  /** Newest first. @param slug of one plugin; absent: of all */
  page(query: { slug?: string | undefined; offset: number; limit: number }): Promise<{ count: number; list: SwitchRecord[] }>
  /** By plugin that went off and was asked for by itself: what went off along with it, and has not been switched since. */
  wentAlong(): Promise<Map<string, string[]>>
}

export function createSwitchHistory(database: KernelDatabase): SwitchHistory {
  return {
    page: ({ slug, offset, limit }) =>
      database.outside(async () => {
        const rows = database.query.selectFrom('kernel__switch')
        const some = slug === undefined ? rows : rows.where('slug', '=', slug)
        const { count } = await some.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow()
        const ids = some.select('id').orderBy('id', 'desc').limit(limit).offset(offset)
        const list = await database.query
          .selectFrom('kernel__switch as s')
          .leftJoin('kernel__principal as p', 'p.id', 's.person_id')
          .selectAll('s')
          .select(['p.login', 'p.state'])
          .where('s.id', 'in', (eb) => eb.selectFrom(ids.as('page')).select('page.id'))
          .orderBy('s.id', 'desc')
          .execute()
        return {
          count: Number(count),
          list: list.map(({ person_id, state, login, ...row }) => ({
            ...row,
            personId: person_id,
            login: state === 'deleted' ? '' : (login ?? ''),
          })),
        }
      }),
    wentAlong: () =>
      database.outside(async () => {
        const newest = await database.query
          .selectFrom('kernel__switch as last')
          .select(['last.slug', 'last.deed', 'last.cause', 'last.epoch'])
          .where('last.deed', 'in', ['on', 'off'])
          .where('last.id', 'in', (eb) =>
            eb
              .selectFrom('kernel__switch')
              .select((max) => max.fn.max('id').as('id'))
              .where('deed', 'in', ['on', 'off'])
              .groupBy('slug'),
          )
          .execute()
        const off = new Map(
          newest.filter(({ deed, cause }) => deed === 'off' && cause === '').map(({ slug, epoch }) => [slug, Number(epoch)]),
        )
        const along = new Map<string, string[]>()
        for (const { slug, deed, cause, epoch } of newest)
          if (deed === 'off' && off.get(cause) === Number(epoch)) along.set(cause, [...(along.get(cause) ?? []), slug])
        return along
      }),
  }
}
