import { setTimeout as delay } from 'node:timers/promises'
import type { Awaitable, EventMeta, WhileOff } from '@stoa/sdk/server'
import type { Fault } from '../db/backoff.ts'
import { backoffSeconds, MAX_ATTEMPTS } from '../db/backoff.ts'
import type { KernelDatabase } from '../db/transactions.ts'
import type { CursorKey, Cursors, Position, StoredEvent } from './cursors.ts'
import { LOOKED_UP } from './cursors.ts'

/** While an older transaction is open on PostgreSQL, newer events wait for it. */
const UNSETTLED_MS = 20
/** Nobody sees that an index or a notice is as late; twenty posts written in it share what taking one in costs. */
const GATHER_MS = 50

export interface SubscriptionOptions extends CursorKey {
  whileOff?: WhileOff
  /** @param missedAt unix seconds since when events were missed */
  resync?: (missedAt: number) => Awaitable<void>
  /** `resync` is due after any time off, whether events were missed or not. */
  always?: boolean
  /** The handler takes a list, of at most so many payloads; without it one payload. */
  atOnce?: number
  handler: (payload: unknown, meta: EventMeta) => Awaitable<void>
  /** The cursor's user before, such as an older version of the plugin: it finishes first. */
  before?: Subscription | undefined
}

export interface Subscription extends CursorKey {
  ready: Promise<void>
  wake(): void
  /** What is running now; undefined when idle or waiting for another attempt. */
  busy(): Promise<void> | undefined
  /** Resolves when the running handler has finished and the position is stored; the same for every call. */
  end(): Promise<void>
}

interface Surroundings {
  database: KernelDatabase
  cursors: Cursors
  onFault: (fault: Fault) => void
}

/** One cursor and the handler it feeds, one event at a time. */
export function createSubscription(options: SubscriptionOptions, { database, cursors, onFault }: Surroundings): Subscription {
  const { slug, name, event, whileOff = 'replay', resync, always = false, atOnce, handler, before } = options
  const key = { slug, name, event }
  let position: Position | undefined
  let mustResync = false
  let missedAt = 0
  let attempts = 0
  let running: Promise<void> | undefined
  let again = false
  let ended = false
  let isReady = false
  let ending: Promise<void> | undefined
  let pause: NodeJS.Timeout | undefined
  /** When the last run ended, on the clock of `performance`. */
  let restedAt = Number.NEGATIVE_INFINITY

  /** Takes the cursor and decides what the time without it means. */
  async function claim(): Promise<boolean> {
    if (position && cursors.holds(key)) return true
    const claimed = await cursors.claim(key)
    if (!claimed) return false
    position = claimed.position
    if (claimed.missed === 'nothing') return true
    const { events, unsettled } = await cursors.next(key, position)
    const somethingMissed = events.length > 0 || unsettled || claimed.missed === 'lost'
    mustResync = (somethingMissed || always) && resync !== undefined && (whileOff === 'resync' || claimed.missed === 'lost')
    missedAt = claimed.missedAt
    if (mustResync) return true
    if (whileOff === 'skip') position = await cursors.end(key)
    await cursors.settle(key, position)
    return true
  }

  async function rebuild(): Promise<void> {
    // Taken before: what happens while it rebuilds is delivered afterwards.
    const from = await cursors.end(key)
    await resync?.(missedAt)
    // Ended before it was done: it begins again when the plugin is back.
    if (ended) return
    position = from
    mustResync = false
    await cursors.settle(key, from)
  }

  async function deliver(): Promise<void> {
    if (ended || !(await claim())) return
    if (mustResync) await rebuild()
    while (!ended) {
      const { events, unsettled } = await cursors.next(key, position as Position)
      for (let done = 0; done < events.length; ) {
        if (ended) return
        // After a failure one by one, so that what is well passes and only what fails waits.
        const some = events.slice(done, done + (attempts > 0 ? 1 : (atOnce ?? 1)))
        const { tx, id, at } = some.at(-1) as StoredEvent
        const payloads = some.map(({ payload }) => JSON.parse(payload))
        await handler(atOnce === undefined ? payloads[0] : payloads, { id, at })
        attempts = 0
        passed({ tx, id })
        done += some.length
      }
      if (unsettled && events.length === 0) await delay(UNSETTLED_MS)
      else if (!unsettled && events.length < LOOKED_UP) return
    }
  }

  function passed(to: Position): void {
    position = to
    cursors.move(key, to)
  }

  async function run(): Promise<void> {
    again = false
    try {
      await deliver()
    } catch (error) {
      await failed(error)
    }
  }

  async function failed(error: unknown): Promise<void> {
    attempts++
    onFault({ slug, kind: 'event', name: event, error })
    if (attempts >= MAX_ATTEMPTS && !mustResync && position) {
      attempts = 0
      const { events } = await cursors.next(key, position)
      if (events[0]) passed(events[0])
      again = true
      return
    }
    pause = setTimeout(() => {
      pause = undefined
      wake()
    }, backoffSeconds(attempts) * 1000)
    pause.unref()
  }

  function wake(): void {
    again = true
    if (running || pause || ended || !isReady) return
    running = gathered()
      .then(() => database.outside(run))
      .finally(() => {
        restedAt = performance.now()
        running = undefined
        if (again) wake()
      })
  }

  /** While events come all the time, lists of them wait until there are some. */
  async function gathered(): Promise<void> {
    const missing = atOnce === undefined ? 0 : restedAt + GATHER_MS - performance.now()
    if (missing > 0) await delay(missing)
  }

  async function end(): Promise<void> {
    ended = true
    clearTimeout(pause)
    await ready.catch(() => {})
    await running
    if (cursors.holds(key)) await cursors.release(key)
  }

  const ready = database.outside(async () => {
    await before?.end()
    await cursors.ensure(key)
    await claim()
    isReady = true
    wake()
  })
  ready.catch((error) => onFault({ slug, kind: 'event', name: event, error }))

  return {
    ...key,
    ready,
    wake,
    busy: () => running,
    end: () => (ending ??= end()),
  }
}
