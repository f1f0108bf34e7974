import type { Awaitable, EventMeta, EventToken } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely } from 'kysely'
import { notifyNodes } from '../db/revisions.ts'
import type { KernelTables } from '../db/tables.ts'
import type { JobOptions } from '../jobs/jobs.ts'
import { createCursors } from './cursors.ts'
import type { Subscription, SubscriptionOptions } from './subscription.ts'
import { createSubscription } from './subscription.ts'

const KEEP_SECONDS = 7 * 24 * 3600
const KEEP_ROWS = 100_000
const DELETE_AT_ONCE = 2_000
/** So often everybody looks, for an event whose transaction ended long after younger ones, while the word of it was lost. */
const ALL_MS = 10_000
const PREFIX = 'events '
/** A notification of PostgreSQL holds 8,000 bytes. */
const MOST_BYTES = 4_000

/** Ends a subscription; resolves when its running handler has finished. `ready` resolves once nothing emitted from now on is missed. */
export type EndSubscription = (() => Promise<void>) & { ready: Promise<void> }

/** Events that happened, kept in the database until every subscription has seen them. */
export interface Outbox {
  /** Stores an event in the current transaction, or in one of its own. `key`: a second one of this event with it is dropped. */
  emit<P>(slug: string, token: EventToken<P>, payload: P, options?: { key?: string }): Promise<void>
  /**
   * Delivers events in order, at least once, outside of any transaction. `name` is the cursor: it is kept when the
   * process ends, and a new one starts with what is emitted from now on. A second subscription with it takes over
   * from the first, after the handler that is running.
   * With `atOnce` the handler gets lists, of at most so many payloads; after a failure of one each.
   * A failing handler is tried again after 1 s, 5 s, 30 s, 2 min, then every 10 min; after ten attempts the event is passed over.
   */
  subscribe(
    slug: string,
    name: string,
    eventId: string,
    options: Pick<SubscriptionOptions, 'whileOff' | 'resync' | 'always' | 'atOnce'>,
    handler: (payload: never, meta: EventMeta) => Awaitable<void>,
  ): EndSubscription
  /** Looks for events of other processes; called every second. */
  tick(): Promise<void>
  /** Takes what another node has said. @returns false for what is not about events; otherwise whether it came from another node */
  receive(message: string): false | 'own' | 'foreign'
  /** Resolves when everything committed so far is delivered or waits for another attempt. */
  settled(): Promise<void>
  /** Deletes events older than seven days, and above 100,000 those that everybody has seen. */
  clean(): Promise<void>
  /** Another database is in use from now on: nothing known of the one before counts. */
  forget(): void
  close(): Promise<void>
}

type NewEvent = { event: string; slug: string; payload: string; key: string | null; at: number }
/** Most rows of one statement: a write seldom has more than two or three events. */
const AT_ONCE = 8
const storing = Array.from({ length: AT_ONCE }, (_, more) =>
  statement((db: Kysely<KernelTables>, given: Record<string, string | number | null>) =>
    db
      .insertInto('kernel__event')
      .values(Array.from({ length: more + 1 }, (_, row) => eventOf(given, row)))
      .onConflict((oc) => oc.columns(['event', 'key']).doNothing()),
  ),
)
const valuesOf = (events: readonly NewEvent[]): Record<string, string | number | null> =>
  Object.fromEntries(events.flatMap((event, row) => Object.entries(event).map(([column, value]) => [`${column}${row}`, value])))
const eventOf = (given: Record<string, string | number | null>, row: number): NewEvent => {
  const { [`event${row}`]: event, [`slug${row}`]: slug, [`payload${row}`]: payload, [`key${row}`]: key, [`at${row}`]: at } = given
  return { event, slug, payload, key, at } as NewEvent
}

/** The outbox as this process sees it. */
export function createOutbox({ database, owner, leaseSeconds, now, onFault }: JobOptions): Outbox {
  const cursors = createCursors(database, owner, leaseSeconds)
  const subscriptions = new Set<Subscription>()
  let newest = 0
  let allAt = 0

  /** @param events default: all */
  const wake = (events?: ReadonlySet<string>) => {
    for (const subscription of subscriptions) if (!events || events.has(subscription.event)) subscription.wake()
  }

  /** Tells other nodes which events there are; this one knows by itself. */
  async function notify(tx: Kysely<KernelTables>, events: NewEvent[]): Promise<void> {
    const names = [...new Set(events.map(({ event }) => event))].join(' ')
    await notifyNodes(tx, database.dialect, `${PREFIX}${owner} ${Buffer.byteLength(names) > MOST_BYTES ? '' : names}`)
  }

  /** Events that came since the last look; undefined where all may have some. */
  async function unseen(): Promise<ReadonlySet<string> | undefined> {
    const isFirst = newest === 0
    const since = newest
    const row = await database.query
      .selectFrom('kernel__event')
      .select((eb) => eb.fn.max('id').as('id'))
      .executeTakeFirst()
    newest = row?.id ?? 0
    if (newest === since) return new Set()
    // Numbers begin anew in an empty table.
    if (newest < since || isFirst || Date.now() - allAt > ALL_MS) {
      allAt = Date.now()
      return undefined
    }
    const rows = await database.query.selectFrom('kernel__event').select('event').distinct().where('id', '>', since).execute()
    return new Set(rows.map(({ event }) => event))
  }

  async function store(tx: Kysely<KernelTables>, events: NewEvent[]): Promise<void> {
    for (let at = 0; at < events.length; at += AT_ONCE) {
      const some = events.slice(at, at + AT_ONCE)
      await storing[some.length - 1]?.(tx, valuesOf(some))
    }
    await notify(tx, events)
  }

  async function settled(): Promise<void> {
    await Promise.all([...subscriptions].map((subscription) => subscription.ready.catch(() => {})))
    wake()
    while ([...subscriptions].some((subscription) => subscription.busy())) {
      await Promise.all([...subscriptions].map((subscription) => subscription.busy()))
    }
  }

  return {
    async emit(slug, token, payload, { key } = {}) {
      const event = { event: token.id, slug, payload: JSON.stringify(payload ?? null), key: key ?? null, at: now() }
      await database.join(async () => {
        await database.together(store, event)
        database.afterCommit(() => wake(new Set([token.id])))
      })
    },
    subscribe(slug, name, event, options, handler) {
      const before = [...subscriptions].find((other) => other.slug === slug && other.name === name)
      const subscription = createSubscription(
        { slug, name, event, ...options, handler: handler as never, before },
        { database, cursors, onFault },
      )
      if (before) subscriptions.delete(before)
      subscriptions.add(subscription)
      const end = async () => {
        await subscription.end()
        subscriptions.delete(subscription)
      }
      return Object.assign(end, { ready: subscription.ready })
    },
    async tick() {
      await cursors.renew()
      const others = [...subscriptions].filter((subscription) => !cursors.holds(subscription))
      wake(await unseen())
      const free = others.length > 0 ? await cursors.free() : undefined
      for (const subscription of others) if (free?.has(subscription)) subscription.wake()
    },
    receive(message) {
      if (!message.startsWith(PREFIX)) return false
      const [from, ...names] = message.slice(PREFIX.length).split(' ').filter(Boolean)
      if (from === owner) return 'own'
      wake(names.length > 0 ? new Set(names) : undefined)
      return 'foreign'
    },
    settled,
    forget: cursors.forget,
    async clean() {
      await cursors.flush()
      const old = now() - KEEP_SECONDS
      await cursors.markLost(old)
      await cursors.deleteOld(old, DELETE_AT_ONCE)
      await cursors.deleteSurplus(KEEP_ROWS, DELETE_AT_ONCE)
    },
    async close() {
      await Promise.all([...subscriptions].map((subscription) => subscription.end()))
      subscriptions.clear()
      await cursors.flush()
    },
  }
}
