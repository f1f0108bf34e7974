import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { RunAtOnce } from '@stoa/sdk/kernel'
import { AT_ONCE } from '@stoa/sdk/kernel'
import type { Columns, Database } from '@stoa/sdk/server'
import { statement } from '@stoa/sdk/server'
import type { Kysely, Transaction } from 'kysely'
import { CompiledQuery } from 'kysely'
import type { Link } from './connection.ts'
import { isOutdatedStatement } from './postgres.ts'
import type { KernelTables } from './tables.ts'
import { noting, Written } from './written.ts'

/** Longest time a transaction may take; the single writer of SQLite waits meanwhile. */
const DEADLINE_MS = 10_000

/** A transaction that others stood in the way of is tried so often, after pauses up to this and its multiples. */
const MAX_ATTEMPTS = 5
const PAUSE_MS = 20

/** PostgreSQL ended it so that others could go on: a deadlock, a row that changed under it, or tables that another process changed. */
const isSacrificed = (error: unknown): boolean =>
  ['40P01', '40001'].includes((error as { code?: string } | undefined)?.code ?? '') || isOutdatedStatement(error)

// biome-ignore lint/suspicious/noExplicitAny: whatever is gathered
type Storing = (tx: Kysely<KernelTables>, items: any[]) => Promise<unknown>

interface Frame {
  tx: Transaction<KernelTables>
  /** `open` while `fn` runs; `failed` once it threw or was too slow. Shared by all frames of a transaction. */
  root: { state: 'open' | 'closed' | 'failed'; isShown: boolean }
  depth: number
  /** Runs last, before the commit; dropped when this part is rolled back. */
  last: (() => Promise<unknown>)[]
  /** What is stored together, after `last`, by how; dropped when this part is rolled back. */
  gathered: Map<Storing, unknown[]>
  /** Runs after commit; dropped when this part is rolled back. */
  after: (() => void)[]
  /** Nested writes run one after another: savepoints cannot overlap. */
  tail: Promise<unknown>
}

/** The database as the kernel itself uses it. */
export interface KernelDatabase extends Database<KernelTables> {
  /** Like `write`, but without a savepoint of its own: for single statements. */
  join<R>(fn: (tx: Kysely<KernelTables>) => Promise<R>): Promise<R>
  /** Hands `item` to `store` at the end of the current transaction, with all that it gathered for the same function; at once when there is none. */
  together<T>(store: (tx: Kysely<KernelTables>, items: T[]) => Promise<unknown>, item: T): Promise<void>
  /** A transaction that ignores the caller's; `deadlineMs` Infinity for migrations. */
  separately<R>(fn: (tx: Kysely<KernelTables>) => Promise<R>, deadlineMs?: number): Promise<R>
  /** What the caller reads and writes now is part of an open transaction. */
  readonly isInTransaction: boolean
  /** Runs `fn` outside of any transaction of the caller. */
  outside<R>(fn: () => R): R
  /** Tables may have changed: no statement from before is used again. */
  renewStatements(): void
  /** Frees what is kept for speed alone. */
  trimMemory(): void
  /** Says that the current transaction changes what pages may show: `changes` differs once it is committed. */
  markShown(): void
  /** The same database for plugins: whatever they write may be shown. */
  readonly ofPlugins: Database<KernelTables>
  /** A larger number after every commit of something that pages may show; on any node, as soon as it can be read. */
  changes(): Promise<number>
  /** The same; where the database says that nothing was committed since the last time, without a statement. */
  changesKnown(): Promise<number>
  /**
   * Another number after every commit of this process that pages may show, at once, and after one of another within a second. Undefined inside a
   * transaction, which sees what is not committed, and while one is being committed, when nobody knows what others see. Costs nothing.
   * @param of PostgreSQL: only after one of this process that may have written them
   */
  version(of?: Columns): number | undefined
  /** Somebody else has committed something. */
  changedElsewhere(): void
  /** Finds what others have committed; called every second. */
  look(): Promise<void>
}

/** What code names; beyond, what is remembered falls with every commit. */
const MOST_WATCHED = 200

/** Rows that share the count of changes, so that writers of PostgreSQL seldom wait for each other. */
export const CHANGE_SLOTS = 16

const counted = statement((db: Kysely<KernelTables>, _: Record<never, never>) =>
  db.selectFrom('kernel__change').select((eb) => eb.fn.sum<number>('n').as('n')),
)

/** Carries the open transaction through the calls that happen inside it. */
export function createDatabase(link: Link, onFault: (error: unknown) => void): KernelDatabase {
  const storage = new AsyncLocalStorage<Frame | undefined>()
  /** Ends of transactions that pages may show something of, and what others have committed. */
  let commits = 0
  let elsewhere = 0
  /** What transactions wrote that may be committed by now, or not yet. */
  const committing = new Set<Written>()
  /** Count of changes at the last look, and how often this process has added to it since. */
  let seen = 0
  let own = 0
  /** Columns that somebody remembers something of, and how often they may have been written. */
  const watched = new Map<string, { of: Columns; count: number }>()

  const openFrame = (): Frame | undefined => {
    const frame = storage.getStore()
    return frame?.root.state === 'open' ? frame : undefined
  }

  const runAll = (callbacks: (() => void)[]) => {
    for (const callback of callbacks) {
      try {
        callback()
      } catch (error) {
        onFault(error)
      }
    }
  }

  function watchedAs(of: Columns): { of: Columns; count: number } | undefined {
    if (link.current.dialect !== 'postgres') return undefined
    const key = `${of.table} ${of.columns}`
    const found = watched.get(key)
    if (found || watched.size === MOST_WATCHED) return found
    const made = { of, count: 0 }
    watched.set(key, made)
    return made
  }

  async function separately<R>(fn: (tx: Kysely<KernelTables>) => Promise<R>, deadlineMs = DEADLINE_MS): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(fn, deadlineMs)
      } catch (error) {
        if (!isSacrificed(error) || attempt === MAX_ATTEMPTS) throw error
        await delay(Math.random() * attempt * PAUSE_MS)
      }
    }
  }

  async function once<R>(fn: (tx: Kysely<KernelTables>) => Promise<R>, deadlineMs: number): Promise<R> {
    const after: (() => void)[] = []
    let isShown = false
    let takeBack: (() => void) | undefined
    const written = new Written()
    const committed = () => {
      if (!isShown) return
      commits++
      committing.delete(written)
      for (const one of watched.values()) if (written.touches(one.of)) one.count++
    }
    const work = noting(written, () =>
      storage.run(undefined, () =>
        link.current.writer.transaction().execute(async (tx) => {
          const root: Frame['root'] = { state: 'open', isShown: false }
          const end = runAtOnce(tx, link.current.writeAtOnce)
          try {
            const frame: Frame = { tx, root, depth: 0, last: [], gathered: new Map(), after, tail: Promise.resolve() }
            const value = await before(deadlineMs, () =>
              storage.run(frame, async () => {
                const made = await fn(tx)
                for (const end of frame.last) await end()
                for (const [store, items] of frame.gathered) await store(tx, items)
                return made
              }),
            )
            root.state = 'closed'
            // Last, so that nobody who holds this row waits for another.
            if (root.isShown) {
              await counting(tx, { slot: Math.floor(Math.random() * CHANGE_SLOTS) })
              isShown = true
              committing.add(written)
              takeBack = link.current.announce?.(written.marks)
            }
            return value
          } catch (error) {
            root.state = 'failed'
            throw error
          } finally {
            end()
          }
        }),
      ),
    )
    const result = await work
      .catch((error: unknown) => {
        takeBack?.()
        throw error
      })
      .finally(committed)
    if (isShown) own++
    await link.current.durable()
    runAll(after)
    return result
  }

  /** A part of the transaction that can be undone alone, so that a caller may catch its error and go on, on PostgreSQL too. */
  async function nested<R>(parent: Frame, fn: (tx: Kysely<KernelTables>) => Promise<R>): Promise<R> {
    const { tx, root } = parent
    const frame: Frame = { tx, root, depth: parent.depth + 1, last: [], gathered: new Map(), after: [], tail: Promise.resolve() }
    const name = `part_${frame.depth}`
    const atOnce = (tx as { [AT_ONCE]?: RunAtOnce })[AT_ONCE]
    const say = async (command: string) =>
      atOnce ? atOnce(`${command} ${name}`, []) : await tx.executeQuery(CompiledQuery.raw(`${command} ${name}`))
    await say('savepoint')
    try {
      const value = await storage.run(frame, () => fn(tx))
      await say('release savepoint')
      parent.last.push(...frame.last)
      for (const [store, items] of frame.gathered) gather(parent, store, items)
      parent.after.push(...frame.after)
      return value
    } catch (error) {
      if (root.state === 'open') {
        // Where there is nothing to go back to any more, all of it is undone; why, says the first error.
        await say('rollback to savepoint')
          .then(() => say('release savepoint'))
          .catch(() => {
            root.state = 'failed'
          })
      }
      throw error
    }
  }

  function gather(frame: Frame, store: Storing, items: readonly unknown[]): void {
    const list = frame.gathered.get(store) ?? []
    for (const item of items) list.push(item)
    frame.gathered.set(store, list)
  }

  function refuseLate(): void {
    if (storage.getStore()?.root.state === 'failed')
      throw new Error('This write comes from a transaction that was rolled back; nothing of it is stored')
  }

  const database: KernelDatabase = {
    get dialect() {
      return link.current.dialect
    },
    get query() {
      return openFrame()?.tx ?? link.current.reader
    },
    get isInTransaction() {
      return openFrame() !== undefined
    },
    async write(fn) {
      refuseLate()
      const frame = openFrame()
      if (!frame) return await separately(fn)
      const part = frame.tail.then(() => nested(frame, fn))
      frame.tail = part.catch(() => {})
      return await part
    },
    async join(fn) {
      refuseLate()
      const frame = openFrame()
      return frame ? await fn(frame.tx) : await separately(fn)
    },
    async together(store, item) {
      refuseLate()
      const frame = openFrame()
      if (frame) gather(frame, store, [item])
      else await separately((tx) => store(tx, [item]))
    },
    separately,
    outside: (fn) => storage.run(undefined, fn),
    renewStatements: () => link.current.renewStatements(),
    trimMemory: () => link.current.trimMemory?.(),
    markShown() {
      const frame = openFrame()
      if (frame) frame.root.isShown = true
    },
    ofPlugins: {
      get dialect() {
        return database.dialect
      },
      get query() {
        return database.query
      },
      write: (fn, { shown = true } = {}) =>
        database.write((tx) => {
          if (shown) database.markShown()
          return fn(tx)
        }),
      beforeCommit: (fn) =>
        database.beforeCommit(() => {
          database.markShown()
          return fn()
        }),
      afterCommit: (fn) => database.afterCommit(fn),
    },
    async changes() {
      const [row] = await counted(link.current.reader, {})
      return Number(row?.n ?? 0)
    },
    changesKnown: async () => link.current.version?.() ?? (await database.changes()),
    version(of) {
      if (openFrame()) return undefined
      const found = of && watchedAs(of)
      for (const written of committing) if (!found || written.touches(found.of)) return undefined
      return elsewhere + (found?.count ?? commits)
    },
    changedElsewhere: () => void elsewhere++,
    async look() {
      // SQLite tells each connection of what others commit.
      if (link.current.dialect === 'sqlite') return
      const before = own
      const changes = await database.changes()
      // Whether it counts what was committed here meanwhile, nobody knows.
      if (changes !== seen + before || own !== before) database.changedElsewhere()
      seen = changes
      own -= before
    },
    async beforeCommit(fn) {
      const frame = openFrame()
      if (frame) frame.last.push(fn)
      else await separately(fn)
    },
    afterCommit(fn) {
      const frame = openFrame()
      if (frame) frame.after.push(fn)
      else runAll([fn])
    },
  }
  return database
}

/** Lets composed statements of a transaction run past its handle. @returns to be called when it ends: what comes later belongs to nobody */
function runAtOnce(tx: Transaction<KernelTables>, run: RunAtOnce | undefined): () => void {
  let isOver = false
  if (run)
    Object.assign(tx, {
      [AT_ONCE]: ((sql, parameters) => {
        if (isOver) throw new Error('This statement comes from a transaction that has ended')
        return run(sql, parameters)
      }) satisfies RunAtOnce,
    })
  return () => {
    isOver = true
  }
}

const counting = statement((db: Kysely<KernelTables>, { slot }: { slot: number }) =>
  db
    .updateTable('kernel__change')
    .set((eb) => ({ n: eb('n', '+', 1) }))
    .where('slot', '=', slot),
)

/** Starts the clock before the work: code that never gives the thread back and is ended by force must not keep the writer. */
async function before<R>(deadlineMs: number, start: () => Promise<R>): Promise<R> {
  if (deadlineMs === Number.POSITIVE_INFINITY) return await start()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`A transaction took more than ${deadlineMs / 1000} s and was rolled back`)), deadlineMs)
  })
  const work = Promise.resolve().then(start)
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
