import { availableParallelism } from 'node:os'
import type { KernelData } from '../data/index.ts'
import { contributing } from '../kernel/runtime/contributions.ts'
import { scope } from '../kernel/runtime/scope.ts'
import type { View } from '../kernel/runtime/view.ts'
import { slowLane } from '../shared/slow-lane.ts'
import { threadFile } from '../shared/thread-file.ts'
import type { Snapshot } from './messages.ts'
import type { Lane, PoolWatch } from './pool.ts'
import { createReadPool, LANES } from './pool.ts'
import type { ReadCall } from './registry.ts'
import { ReadRegistry } from './registry.ts'
import { createSlowTurns, roomAtServer, roomInWorkers } from './slow-turns.ts'

export interface Reads {
  prepare(view: View): Promise<void>
  forget(view: View): void
  /** Finished JSON in UTF-8: from a read worker on SQLite, in process on PostgreSQL. @param of who asks: slow reads take turns by that */
  json(view: View, lane: Lane, id: string, params: unknown, call: ReadCall, of: () => string): Promise<Uint8Array>
  /** The result itself, in process and inside the open transaction. */
  run(view: View, id: string, params: unknown, call: ReadCall): Promise<unknown>
  /** Workers, and reads that run or wait, by lane; no workers where reads run in process. */
  load(): { lane: Lane; workers: number; waiting: number }[]
  /** Site facts or settings changed. */
  refresh(): void
  /** Nobody asks: one worker is enough until somebody does. */
  trimMemory(): void
  close(): Promise<void>
}

/** Short read workers. Two use both cores of a small machine; more cores get no more, the main thread feeds them. */
const SHORT_WORKERS = 2

export interface ReadsOptions {
  /** Output of the server's own build. */
  hostDir?: string | undefined
  /** Milliseconds after which a worker that does not come back to its messages is ended. */
  stuckMs: number
  watch: PoolWatch
}

export async function createReads(data: KernelData, { hostDir, stuckMs, watch }: ReadsOptions): Promise<Reads> {
  const registries = new WeakMap<View, ReadRegistry>()
  const registry = (view: View): ReadRegistry => {
    let found = registries.get(view)
    if (!found) {
      found = new ReadRegistry(
        contributing(view.plugins).map((row, index) => ({ ...row, reads: view.plugins[index]?.code.reads ?? null })),
        {
          db: () => data.database.query,
          isInTransaction: () => data.database.isInTransaction,
          dialect: data.dialect,
          ids: view.ids,
          site: () => data.site,
          texts: view.texts,
          settings: (slug) => data.settings.get(slug),
          ...watch,
          enter: (slug, fn) => scope.as(slug, fn),
          cuts: view.cuts,
          // A worker of SQLite asks its connection; the main thread's reads there are few.
          ...(data.dialect === 'postgres' && { version: (of) => data.database.version(of) }),
        },
      )
      registries.set(view, found)
    }
    return found
  }
  const snapshot = (): Snapshot => {
    const { url, name, language, isPrivate, closure } = data.site
    return { site: { url, name, language, isPrivate, closure }, settings: data.settings.all() }
  }
  const pool =
    data.readerConfig.dialect === 'sqlite'
      ? createReadPool({
          file: threadFile('read-worker', 'reads/worker.ts', hostDir),
          reader: data.readerConfig,
          size: SHORT_WORKERS,
          snapshot: snapshot(),
          stuckMs,
          watch,
        })
      : null
  // Beside the slow worker those of the short lane do what is brief.
  const turns = createSlowTurns(pool ? roomInWorkers(SHORT_WORKERS + 1) : roomAtServer(availableParallelism()))
  const refresh = () => (pool ? pool.update(snapshot()) : data.database.changedElsewhere())
  const unsubscribe = data.onFacts(refresh)
  return {
    prepare: async (view) => pool?.prepare(view.key, view.plugins),
    forget: (view) => pool?.forget(view.key),
    async json(view, lane, id, params, call, of) {
      if (pool) {
        const ask = () => pool.json(lane, view.key, id, params, call)
        return await (lane === 'slow' ? turns.slow(ask, of()) : ask())
      }
      const read = () => registry(view).run(id, params, call)
      const result = await (lane === 'slow' ? turns.slow(() => slowLane.run(read), of()) : turns.short(read))
      return Buffer.from(JSON.stringify(result ?? null))
    },
    run: (view, id, params, call) => registry(view).run(id, params, call),
    load: () =>
      pool
        ? pool.load().map((load) => (load.lane === 'slow' ? { ...load, waiting: turns.open.slow } : load))
        : LANES.map((lane) => ({ lane, workers: 0, waiting: turns.open[lane] })),
    refresh,
    trimMemory: () => pool?.trimMemory(),
    async close() {
      unsubscribe()
      await pool?.close()
    },
  }
}
