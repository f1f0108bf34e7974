import { parentPort, workerData } from 'node:worker_threads'
import { isCodedError } from '@stoa/sdk'
import { Cuts } from '@stoa/sdk/kernel'
import type { Reads } from '@stoa/sdk/server'
import type { ReaderConfig } from '../data/db/connection.ts'
import { SharedCommits } from '../data/db/shared-commits.ts'
import { openSqliteReader } from '../data/db/sqlite.ts'
import { slugOfStack } from '../kernel/faults/fault-book.ts'
import { trimMemoryWithSite } from '../kernel/faults/idle-memory.ts'
import { contributing } from '../kernel/runtime/contributions.ts'
import { guardedGlobals } from '../kernel/runtime/guarded-globals.ts'
import { loadBundle } from '../kernel/runtime/load-code.ts'
import { scope } from '../kernel/runtime/scope.ts'
import { TextBook } from '../kernel/runtime/texts.ts'
import { idsOf } from '../kernel/runtime/view.ts'
import { ownThread } from '../shared/thread-time.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import type { FromWorker, SentCall, Snapshot, ToWorker } from './messages.ts'
import type { WorkerLane } from './pool.ts'
import { ReadRegistry } from './registry.ts'
import { stepBack } from './step-back.ts'

/** A read worker: owns a read-only connection, composes replies and hands back finished JSON. */
const port = parentPort
if (!port) throw new Error('worker.ts runs as a worker thread')
const post = (message: FromWorker, moved: ArrayBuffer[]) => port.postMessage(message, moved)
const send = (message: FromWorker) => port.postMessage(message)
const {
  lane,
  reader,
  running,
  snapshot: first,
} = workerData as { lane: WorkerLane; reader: Extract<ReaderConfig, { dialect: 'sqlite' }>; running: Float64Array; snapshot: Snapshot }
let snapshot = first
const commits = reader.commits && new SharedCommits(reader.commits)
const { kysely: db, version, versionOf, hold, release, shrink } = openSqliteReader(reader.file, { commits })
send({ type: 'open', thread: ownThread() })
const registries = new Map<number, ReadRegistry>()
const bundles = new Map<string, Reads>()

function readsOf(plugin: DiscoveredPlugin): Reads | null {
  if (!plugin.manifest.build.reads) return null
  let reads = bundles.get(plugin.generation)
  if (!reads) {
    const { slug } = plugin.manifest
    const globals = guardedGlobals(slug, (_, where, error) =>
      send({ type: 'fault', slug, where, message: String(error), ...stackOf(error) }),
    )
    reads = loadBundle<Reads>(plugin, plugin.manifest.build.reads, globals)
    bundles.set(plugin.generation, reads)
  }
  return reads
}

/** Epoch → generations of its plugins, so that code nobody uses any more can be collected. */
const generations = new Map<number, string[]>()

function prepare(viewKey: number, plugins: DiscoveredPlugin[]): void {
  generations.set(
    viewKey,
    plugins.map(({ generation }) => generation),
  )
  let slug = ''
  try {
    const rows = contributing(plugins)
    const loaded = plugins.map((plugin, index) => {
      slug = plugin.manifest.slug
      return { slug, reads: readsOf(plugin), contributes: rows[index]?.contributes ?? {} }
    })
    registries.set(
      viewKey,
      new ReadRegistry(loaded, {
        db: () => db,
        dialect: 'sqlite',
        ids: idsOf(plugins),
        site: () => snapshot.site,
        texts: new TextBook(plugins),
        settings: (owner) => snapshot.settings.get(owner) ?? {},
        onFault: (owner, where, error) => send({ type: 'fault', slug: owner, where, message: String(error), ...stackOf(error) }),
        onWell: (owner, where) => send({ type: 'well', slug: owner, where }),
        enter: (owner, fn) => scope.as(owner, fn),
        cuts: new Cuts(plugins.map(({ manifest }) => manifest)),
        version: (of) => (of ? versionOf(of) : version()),
      }),
    )
    send({ type: 'ready', viewKey })
  } catch (error) {
    send({ type: 'ready', viewKey, slug, error: (error as Error).message })
  }
}

const stackOf = (error: unknown) => (error instanceof Error && error.stack ? { stack: error.stack } : {})

let done: { id: number; json: string; took: number }[] = []

/** Sends what has been composed since the last time in one message: the replies of a batch, as reads of SQLite never wait. */
function flush(): void {
  const batch = done
  done = []
  const size = batch.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0)
  const bytes = Buffer.allocUnsafeSlow(size) as Buffer<ArrayBuffer>
  let end = 0
  const ends = batch.map(({ json }) => {
    end += bytes.write(json, end)
    return end
  })
  post({ type: 'done', ids: batch.map(({ id }) => id), bytes, ends, took: batch.map(({ took }) => took) }, [bytes.buffer])
}

const queue: { id: number; call: string }[] = []
/** Calls that have begun and not ended, in the order of beginning. */
const begun = new Set<number>()
/** The one that nobody passes before the turn ends. */
let current = 0

/**
 * One call after another, as reads of SQLite never wait: when this thread is ended, whose doing it was stands in `running`. Between turns that is the
 * first that waits for something else.
 */
function runNext(): void {
  const next = queue.shift()
  current = next?.id ?? 0
  if (next) begun.add(next.id)
  running[0] = current || (begun.values().next().value ?? 0)
  if (!next) return
  void answer(next.id, next.call).then(() => {
    begun.delete(next.id)
    if (current === next.id) runNext()
    else if (current === 0) running[0] = begun.values().next().value ?? 0
  })
}

let ending: NodeJS.Immediate | undefined

/**
 * Calls of one message see the same state: they are done when the next message comes or the turn ends. Those of the next message may be of somebody
 * who has written meanwhile.
 */
function look(): void {
  clearImmediate(ending)
  release()
  hold()
  ending = setImmediate(endTurn)
}

function endTurn(): void {
  if (current === 0) return release()
  // It waits for something else, and holds up nobody.
  look()
  runNext()
}

async function answer(id: number, sent: string): Promise<void> {
  const since = performance.now()
  const [viewKey, name, params, call] = JSON.parse(sent) as SentCall
  try {
    const registry = registries.get(viewKey)
    if (!registry) throw new Error(`The read worker knows no viewKey ${viewKey}`)
    const json = JSON.stringify((await registry.run(name, params, call)) ?? null)
    if (done.length === 0) setImmediate(flush)
    done.push({ id, json, took: performance.now() - since })
  } catch (error) {
    const base = {
      type: 'failed' as const,
      id,
      message: String((error as Error)?.message ?? error),
      slug: registries.get(viewKey)?.ownerOf(name) ?? 'kernel',
      ...stackOf(error),
    }
    if (!isCodedError(error)) return send(base)
    const { code, status, message: text, params: values, data, display, field } = error
    send({ ...base, coded: { code, status, message: text, params: values, data, display, field } })
  }
}

for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) =>
    send({ type: 'fault', slug: slugOfStack(error) ?? scope.current().slug, where: event, message: String(error), ...stackOf(error) }),
  )
}

trimMemoryWithSite(shrink)

/**
 * Not while it opens, which somebody waits for: on a machine that is busy with something else that took longer than a page waits (measured). And not the
 * worker in which it is found out whose code takes all memory: behind all else it did not answer the debugger in time, and nobody was charged.
 */
let stepsBack = lane === 'slow'

port.on('message', (message: ToWorker) => {
  if (message.type === 'calls') {
    if (stepsBack) stepBack()
    stepsBack = false
    look()
    queue.push(...message.ids.map((id, index) => ({ id, call: message.calls[index] as string })))
    if (current === 0) runNext()
  } else if (message.type === 'set') prepare(message.viewKey, message.plugins)
  else if (message.type === 'ping') send({ type: 'pong' })
  else if (message.type === 'snapshot') {
    snapshot = message.snapshot
    for (const registry of registries.values()) registry.forget()
  } else {
    registries.delete(message.viewKey)
    generations.delete(message.viewKey)
    const used = new Set([...generations.values()].flat())
    for (const generation of bundles.keys()) if (!used.has(generation)) bundles.delete(generation)
  }
})
