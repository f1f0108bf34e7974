import type { Awaitable, JobToken } from '@stoa/sdk/server'
import { sql } from 'kysely'
import type { Fault } from '../db/backoff.ts'
import { backoffSeconds, clockSeconds, MAX_ATTEMPTS } from '../db/backoff.ts'
import { notifyNodes } from '../db/revisions.ts'
import type { KernelDatabase } from '../db/transactions.ts'
import type { Timers } from './timers.ts'
import { createTimers } from './timers.ts'

/** Jobs of one kind that run side by side: a slow kind does not hold up others. */
const AT_ONCE = 4
const KEEP_DEAD_SECONDS = 30 * 24 * 3600
const KEEP_DEAD_ROWS = 10_000
/** For a plugin that is off for longer, a job is not done any more. */
const KEEP_WAITING_SECONDS = 90 * 24 * 3600

/** Work done later; survives a restart, may run twice. */
export interface Jobs {
  /** Runs jobs of this kind, outside of any transaction. @returns what ends it: resolves when running ones have finished */
  handle<P>(slug: string, token: JobToken<P>, fn: (payload: P, about: { isLastTry: boolean }) => Awaitable<void>): () => Promise<void>
  /** Queues a job in the current transaction. `runAt` in unix seconds; `key`: replaces a waiting job of this kind with it. */
  enqueue<P>(token: JobToken<P>, payload: P, options?: { runAt?: number; key?: string }): Promise<void>
  /** Runs `fn` every `seconds` on one node, first after one period; the time is kept over restarts. */
  every: Timers['every']
  /** Looks for jobs and timers that are due; called every second. */
  tick(): Promise<void>
  wake(): void
  /** Resolves when everything due has run or waits for another attempt. */
  settled(): Promise<void>
  /** Begins no job until what it resolves with is called; resolves when running ones have finished. */
  pause(): Promise<() => void>
  /** Takes back what a killed process of this file was doing; SQLite only, at start. */
  recover(): Promise<void>
  clean(): Promise<void>
  close(): Promise<void>
}

interface Handler {
  slug: string
  fn: (payload: never, about: { isLastTry: boolean }) => Awaitable<void>
  running: Set<Promise<void>>
}
interface ClaimedJob {
  id: number
  kind: string
  payload: string
  key: string | null
  attempts: number
}

const waitingKey = (kind: string, key: string | null | undefined): string | null => (key == null ? null : `${kind}\n${key}`)

export interface JobOptions {
  database: KernelDatabase
  /** Name of this process among the nodes. */
  owner: string
  /** A job whose process said nothing for this long runs again elsewhere. */
  leaseSeconds: number
  now: () => number
  onFault: (fault: Fault) => void
}

/** The queue of this process. */
export function createJobs({ database, owner, leaseSeconds, now, onFault }: JobOptions): Jobs {
  const handlers = new Map<string, Handler>()
  const running = new Set<Promise<void>>()
  const timers = createTimers(database, now, onFault)
  let pumping: Promise<void> | undefined
  let again = false
  let closed = false
  let pauses = 0
  let renewedAt = 0

  async function claim(id: number): Promise<ClaimedJob | undefined> {
    return await database.separately((tx) =>
      tx
        .updateTable('kernel__job')
        .set((eb) => ({
          state: 'running' as const,
          owner,
          attempts: eb('attempts', '+', 1),
          lease_until: clockSeconds() + leaseSeconds,
          waiting_key: null,
        }))
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .returning(['id', 'kind', 'payload', 'key', 'attempts'])
        .executeTakeFirst(),
    )
  }

  const hasRoom = (kind: string): boolean => (handlers.get(kind)?.running.size ?? AT_ONCE) < AT_ONCE

  /** The first of each kind: however many jobs of one wait, nobody looks through them for those of another. */
  async function dueOf(kinds: string[]): Promise<{ id: number; kind: string }[]> {
    const list = JSON.stringify(kinds)
    const first = sql`select id, run_at from kernel__job
      where state = 'waiting' and kind = k.value and run_at <= ${now()} order by run_at, id limit ${AT_ONCE}`
    const { rows } = await (database.dialect === 'postgres'
      ? sql<{ id: number; kind: string }>`select j.id, k.value as kind
          from json_array_elements_text(${list}::json) as k(value) cross join lateral (${first}) as j order by j.run_at, j.id`
      : sql<{ id: number; kind: string }>`select j.id, j.kind from json_each(${list}) as k
          join kernel__job as j on j.id in (select id from (${first})) order by j.run_at, j.id`
    ).execute(database.query)
    return rows
  }

  async function pump(): Promise<void> {
    do {
      again = false
      const kinds = [...handlers.keys()].filter(hasRoom)
      if (closed || pauses > 0 || kinds.length === 0) return
      const due = await dueOf(kinds)
      for (const { id, kind } of due) {
        const handler = handlers.get(kind)
        if (!handler || !hasRoom(kind)) continue
        const job = await claim(id)
        if (job) start(job, handler)
      }
      // Another node may have taken some of them.
      again ||= kinds.some((kind) => due.filter((job) => job.kind === kind).length === AT_ONCE && hasRoom(kind))
    } while (again)
  }

  function start(job: ClaimedJob, handler: Handler): void {
    const { slug } = handler
    const work = run(job, handler).catch((error) => onFault({ slug, kind: 'job', name: job.kind, error }))
    running.add(work)
    handler.running.add(work)
    void work.finally(() => {
      running.delete(work)
      handler.running.delete(work)
      wake()
    })
  }

  async function run(job: ClaimedJob, handler: Handler): Promise<void> {
    try {
      await handler.fn(JSON.parse(job.payload) as never, { isLastTry: job.attempts >= MAX_ATTEMPTS })
    } catch (error) {
      onFault({ slug: handler.slug, kind: 'job', name: job.kind, error })
      return await putBack(job, error instanceof Error ? error.message : String(error))
    }
    await database.separately((tx) => tx.deleteFrom('kernel__job').where('id', '=', job.id).where('owner', '=', owner).execute())
  }

  /** Lets a failed job wait for its next attempt, unless a newer one with its key has taken its place. */
  async function putBack({ id, kind, key, attempts }: ClaimedJob, reason: string): Promise<void> {
    await database.separately(async (tx) => {
      const waiting_key = waitingKey(kind, key)
      const newer =
        waiting_key && (await tx.selectFrom('kernel__job').select('id').where('waiting_key', '=', waiting_key).executeTakeFirst())
      if (newer) return await tx.deleteFrom('kernel__job').where('id', '=', id).execute()
      const next =
        attempts >= MAX_ATTEMPTS
          ? { state: 'dead' as const }
          : { state: 'waiting' as const, waiting_key, run_at: now() + backoffSeconds(attempts) }
      return await tx
        .updateTable('kernel__job')
        .set({ ...next, reason, owner: '', lease_until: 0 })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .execute()
    })
  }

  /** Jobs of processes that are gone wait again, without their key: a newer one may have taken it. */
  async function reap(before: number): Promise<void> {
    await database.separately(async (tx) => {
      const gone = { owner: '', lease_until: 0, reason: 'its process ended' }
      await tx
        .updateTable('kernel__job')
        .set({ ...gone, state: 'dead' })
        .where('state', '=', 'running')
        .where('lease_until', '<', before)
        .where('attempts', '>=', MAX_ATTEMPTS)
        .execute()
      await tx
        .updateTable('kernel__job')
        .set({ ...gone, state: 'waiting' })
        .where('state', '=', 'running')
        .where('lease_until', '<', before)
        .execute()
    })
  }

  function wake(): void {
    again = true
    if (pumping || closed) return
    pumping = database
      .outside(pump)
      .catch((error) => onFault({ slug: 'kernel', kind: 'job', name: 'queue', error }))
      .finally(() => {
        pumping = undefined
        if (again) wake()
      })
  }

  async function keepLeases(): Promise<void> {
    if (clockSeconds() - renewedAt < leaseSeconds / 3) return
    renewedAt = clockSeconds()
    if (running.size > 0) {
      await database.separately((tx) =>
        tx
          .updateTable('kernel__job')
          .set({ lease_until: renewedAt + leaseSeconds })
          .where('state', '=', 'running')
          .where('owner', '=', owner)
          .execute(),
      )
    }
    const late = await database.query
      .selectFrom('kernel__job')
      .select('id')
      .where('state', '=', 'running')
      .where('lease_until', '<', renewedAt)
      .limit(1)
      .executeTakeFirst()
    if (late) await reap(renewedAt)
  }

  return {
    handle(slug, token, fn) {
      const handler: Handler = { slug, fn, running: new Set() }
      handlers.set(token.id, handler)
      wake()
      return async () => {
        if (handlers.get(token.id) === handler) handlers.delete(token.id)
        await pumping
        await Promise.all(handler.running)
      }
    },
    async enqueue(token, payload, { runAt, key } = {}) {
      const values = { payload: JSON.stringify(payload ?? null), run_at: runAt ?? now() }
      await database.join(async (tx) => {
        await tx
          .insertInto('kernel__job')
          .values({
            ...values,
            kind: token.id,
            key: key ?? null,
            waiting_key: waitingKey(token.id, key),
            state: 'waiting',
            attempts: 0,
            owner: '',
            lease_until: 0,
            reason: '',
            created_at: now(),
          })
          .onConflict((oc) => oc.column('waiting_key').doUpdateSet({ ...values, attempts: 0 }))
          .execute()
        await notifyNodes(tx, database.dialect, 'jobs')
        database.afterCommit(wake)
      })
    },
    every: timers.every,
    async tick() {
      await keepLeases()
      wake()
      await pumping
      await timers.tick()
    },
    wake,
    async settled() {
      wake()
      while (pumping || running.size > 0) await Promise.all([pumping, ...running])
      await timers.settled()
    },
    async pause() {
      pauses += 1
      await pumping
      await Promise.all(running)
      return () => {
        pauses -= 1
        wake()
      }
    },
    recover: () => reap(Number.MAX_SAFE_INTEGER),
    async clean() {
      await database.separately((tx) =>
        tx
          .deleteFrom('kernel__job')
          .where('state', '=', 'dead')
          .where('run_at', '<', now() - KEEP_DEAD_SECONDS)
          .execute(),
      )
      await database.separately(async (tx) => {
        await tx
          .deleteFrom('kernel__job')
          .where('run_at', '<', now() - KEEP_WAITING_SECONDS)
          .execute()
        const newest = tx.selectFrom('kernel__job').select('id').where('state', '=', 'dead').orderBy('id', 'desc').limit(KEEP_DEAD_ROWS)
        await tx.deleteFrom('kernel__job').where('state', '=', 'dead').where('id', 'not in', newest).execute()
      })
    },
    async close() {
      closed = true
      await pumping
      await Promise.all(running)
      await timers.close()
    },
  }
}
