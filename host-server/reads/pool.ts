import { Worker } from 'node:worker_threads'
import { baseErrors, CodedError } from '@stoa/sdk'
import type { ReaderConfig } from '../data/db/connection.ts'
import { slugOfStack } from '../kernel/faults/fault-book.ts'
import type { Found } from '../kernel/faults/who-runs.ts'
import { whoRuns } from '../kernel/faults/who-runs.ts'
import { PluginRejected } from '../kernel/plugin-set/plugin-rejected.ts'
import { InFlight } from '../shared/in-flight.ts'
import { isStarved, processorMs } from '../shared/thread-time.ts'
import type { DiscoveredPlugin } from '../shared/types.ts'
import { isFull, pluginMemoryLimits, WorkerFull, watchMemory } from '../shared/worker-memory.ts'
import { LatelyRead } from './lately-read.ts'
import type { FromWorker, SentCall, SentError, Snapshot, ToWorker } from './messages.ts'
import type { ReadCall, ReadWatch } from './registry.ts'

export const LANES = ['short', 'slow'] as const
export type Lane = (typeof LANES)[number]
/** `tracked`: for one call that has used up the memory of a worker before. */
export type WorkerLane = Lane | 'tracked'

/** Hears also of what no read can say itself. */
export interface PoolWatch extends ReadWatch {
  /** Code that did not come to an end is ended. @returns what those are told who wait for it */
  onLoop(slug: string, where: string, seconds: number): Error
  /** Code that took all memory of its worker is ended. @returns as above */
  onFull(slug: string, where: string): Error
}

/** Connections of SQLite are apart from this. */
const MEMORY = pluginMemoryLimits(4)

export interface ReadPool {
  /** Loads the reads of a plugin set beside the present one. @throws with the plugin's slug when its reads do not load. */
  prepare(viewKey: number, plugins: readonly DiscoveredPlugin[]): Promise<void>
  forget(viewKey: number): void
  /** Finished JSON of a read's result, in UTF-8. `params` travel as JSON. */
  json(lane: Lane, viewKey: number, name: string, params: unknown, call: ReadCall): Promise<Uint8Array>
  load(): { lane: Lane; workers: number; waiting: number }[]
  update(snapshot: Snapshot): void
  /** Ends idle workers but one; the others open again with the next call, and nobody waits for them. */
  trimMemory(): void
  close(): Promise<void>
}

interface Waiting {
  /** Milliseconds. */
  since: number
  resolve(json: Uint8Array): void
  reject(error: unknown): void
}

interface Asked {
  lane: Lane
  name: string
  /** JSON of a `SentCall`. */
  call: string
  /** Everybody who asked for the same at once. */
  waiting: Waiting[]
  /** Workers that ended while it waited in them. */
  ends: number
}

const reject = ({ waiting }: Asked, error: unknown): void => {
  for (const one of waiting) one.reject(error)
}

/** Calls of the short lane that one message carries at most: their replies come together, and the first should not wait long for the last. */
const BATCH = 4

/**
 * Reads that take less go where others of the kind are: waking a thread costs the one that asks about 0.1 ms (measured), and one that is awake is not
 * woken. Longer ones go where nothing else is.
 */
const QUICK_MS = 1
/** A read of the slow lane that takes less is lent a worker of the short one: a call that comes to that worker meanwhile waits no longer than this. */
const BRIEF_MS = 25
/** Of what a read has taken before, in its usual time. */
const WEIGHT = 0.1

const WATCH_MS = 500
/** Times as long as otherwise, for a worker that stands still without a processor: it may be the machine, or wait for something in its own code. */
const MOST_STARVED = 3
/** The slow worker leaves when a short one would have done for so long: it holds some 30 MB. */
const UNUSED_MS = 10_000
/** Longer than any caller waits. */
const GIVE_UP_MS = 120_000
/** A call that has waited in so many workers which ended is not asked again. */
const MOST_ENDS = 2
/** What its callers are told. */
const RETRY_SECONDS = 5

/** As those hear of it who watch. */
const placeOf = (found: Found | undefined): [slug: string, where: string] =>
  found ? [found.slug, `a read, in ${found.where}`] : ['kernel', 'a read, in a place that is not known']

const ownerOf = (url: string) => slugOfStack({ stack: url })

export interface PoolOptions {
  /** The worker's code. */
  file: string | URL
  reader: ReaderConfig
  size: number
  snapshot: Snapshot
  stuckMs: number
  watch: PoolWatch
}

/** One worker thread with its open calls; replaced by a new one when it dies. */
class LaneWorker {
  readonly worker: Worker
  readonly name: WorkerLane
  readonly waiting = new InFlight<Asked>()
  readonly preparing = new Map<number, { resolve(): void; reject(error: Error): void }>()
  /** Resolves with the reason. */
  readonly gone: Promise<Error>
  /** Resolves when it holds more memory than it may. */
  readonly full: Promise<void>
  /** Holds the id of the call that the worker is busy with; 0: with none. */
  readonly #running = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  readonly #opened: Promise<void>
  #open: () => void = () => {}
  #thread: number | undefined
  /** When the ping was sent that is not answered yet, and what it had run by then, in milliseconds. */
  #pinged: { at: number; ran: number } | undefined

  readonly #onTook: (read: string, ms: number) => void

  /** @param onTook hears how long a read has taken, in milliseconds */
  constructor(
    name: WorkerLane,
    { file, reader, watch }: Pick<PoolOptions, 'file' | 'reader' | 'watch'>,
    snapshot: Snapshot,
    onTook: (read: string, ms: number) => void,
  ) {
    this.name = name
    this.#onTook = onTook
    this.worker = new Worker(file, {
      workerData: { lane: name, reader, running: this.#running, snapshot },
      resourceLimits: MEMORY,
    })
    this.worker.on('message', (message: FromWorker) => this.#receive(message, watch))
    this.#opened = new Promise((resolve) => {
      this.#open = resolve
    })
    this.full = watchMemory(this.worker, () => !isIdle(this))
    this.gone = new Promise((resolve) => {
      const end = (error: Error) => {
        for (const { reject } of this.preparing.values()) reject(error)
        this.preparing.clear()
        resolve(error)
      }
      this.worker.once('error', (error) => end(error instanceof Error ? error : new Error(String(error))))
      this.worker.once('exit', () => end(new Error('The read worker ended')))
      const endFull = () => {
        end(new WorkerFull('The read worker held more than it may'))
        return this.end()
      }
      // Of a tracked one it is looked first whose code it runs.
      if (name !== 'tracked') void this.full.then(endFull)
    })
  }

  /** Its database is open, or never will be: a thread that ends while it loads native code takes the whole process along. */
  async opened(): Promise<void> {
    await Promise.race([this.#opened, this.gone])
  }

  async end(): Promise<void> {
    await this.opened()
    await this.worker.terminate()
  }

  ask(all: readonly Asked[]): void {
    this.send({ type: 'calls', ids: all.map((asked) => this.waiting.add(asked)), calls: all.map(({ call }) => call) })
  }

  send(message: ToWorker): void {
    this.worker.postMessage(message)
  }

  /** Asks whether the worker still gets round to its messages. @returns whether it has not for `ms`, and has run at least half of them */
  isStuck(now: number, ms: number): boolean {
    if (this.#pinged) {
      const stands = now - this.#pinged.at
      if (stands < ms) return false
      return !isStarved(this.#thread, this.#pinged.ran, ms) || stands >= MOST_STARVED * ms
    }
    if (this.waiting.size > 0) {
      // Before it says which thread it is, it has run as good as nothing.
      this.#pinged = { at: now, ran: processorMs(this.#thread) || 0 }
      this.send({ type: 'ping' })
    }
    return false
  }

  /** Takes away what it was asked and has not answered. */
  takeAll(): { running: Asked | undefined; others: Asked[] } {
    const running = this.waiting.end(this.#running[0] as number)
    const others = this.waiting.all().flatMap(({ id }) => this.waiting.end(id) ?? [])
    return { running, others }
  }

  /** Calls that never come back hold nothing but their own memory. */
  dropOlderThan(since: number): void {
    for (const { id, value } of this.waiting.all()) {
      if (value.waiting[0] && value.waiting[0].since > since) continue
      this.waiting.end(id)
      reject(value, new Error('The read took too long'))
    }
  }

  /** All that it has been asked and has not answered. */
  get open(): readonly Asked[] {
    return this.waiting.all().map(({ value }) => value)
  }

  #receive(message: FromWorker, watch: ReadWatch): void {
    if (message.type === 'open') {
      this.#thread = message.thread
      return this.#open()
    }
    if (message.type === 'pong') {
      this.#pinged = undefined
      return
    }
    if (message.type === 'fault') return watch.onFault(message.slug, message.where, rebuild(message))
    if (message.type === 'well') return watch.onWell(message.slug, message.where)
    if (message.type === 'ready') {
      const waiter = this.preparing.get(message.viewKey)
      this.preparing.delete(message.viewKey)
      if (message.error) waiter?.reject(new PluginRejected(message.slug ?? '', `reads: ${message.error}`))
      else waiter?.resolve()
      return
    }
    if (message.type === 'failed') {
      const error = message.coded ? coded(message.coded) : rebuild(message)
      const asked = this.waiting.end(message.id)
      if (asked) reject(asked, error)
      return
    }
    const { ids, bytes, ends, took } = message
    ids.forEach((id, index) => {
      const json = bytes.subarray(ends[index - 1] ?? 0, ends[index])
      const asked = this.waiting.end(id)
      if (!asked) return
      this.#onTook(asked.name, took[index] as number)
      for (const { resolve } of asked.waiting) resolve(json)
    })
  }
}

function coded(sent: SentError): CodedError {
  const definition = {
    status: sent.status,
    message: sent.message,
    ...(sent.display && { display: sent.display }),
    ...(sent.field && { field: sent.field }),
  }
  return new CodedError(sent.code, definition, sent.params, sent.data)
}

function rebuild({ message, stack }: { message: string; stack?: string }): Error {
  return Object.assign(new Error(message), stack ? { stack } : {})
}

const leastOf = (lanes: LaneWorker[]): LaneWorker => lanes.reduce((best, lane) => (lane.waiting.size < best.waiting.size ? lane : best))

const isIdle = ({ waiting, preparing }: LaneWorker): boolean => waiting.size + preparing.size === 0

/** Those that are so; all where none is. */
function someOf(lanes: LaneWorker[], isSo: (lane: LaneWorker) => boolean): LaneWorker[] {
  const some = lanes.filter(isSo)
  return some.length > 0 ? some : lanes
}

/** How long each read usually takes. */
function usualTimes() {
  const times = new Map<string, number>()
  /** Whether a read is known to take less than `ms`. */
  const isBelow =
    (ms: number) =>
    ({ name }: Asked): boolean =>
      (times.get(name) ?? ms) < ms
  return {
    isQuick: isBelow(QUICK_MS),
    isBrief: isBelow(BRIEF_MS),
    add(read: string, ms: number): void {
      const before = times.get(read) ?? ms
      times.set(read, before + (ms - before) * WEIGHT)
    },
  }
}

/**
 * Read workers for SQLite: a short lane of `size` workers and a slow lane of one, so that an expensive read cannot starve a page. The slow one opens
 * when it is needed and leaves when it is not: brief reads of its lane are done in the short one, while that has a worker to spare.
 * A worker that dies is replaced and loads the sets again.
 */
export function createReadPool(options: PoolOptions): ReadPool {
  let snapshot = options.snapshot
  let closing = false
  /** Workers of the short lane: one until it does not get round to all that is asked. */
  let wanted = 1
  const sets = new Map<number, DiscoveredPlugin[]>()
  const lanes: Record<WorkerLane, LaneWorker[]> = { short: [], slow: [], tracked: [] }
  const usual = usualTimes()

  const prepareOne = (lane: LaneWorker, viewKey: number, plugins: DiscoveredPlugin[]) =>
    new Promise<void>((resolve, reject) => {
      lane.preparing.set(viewKey, { resolve, reject })
      lane.send({ type: 'set', viewKey, plugins })
    })

  const open = (name: WorkerLane): LaneWorker => {
    const lane = new LaneWorker(name, options, snapshot, usual.add)
    lanes[name].push(lane)
    for (const [viewKey, plugins] of sets) prepareOne(lane, viewKey, plugins).catch(() => undefined)
    void lane.gone.then((error) => ended(lane, error))
    return lane
  }
  function remove(lane: LaneWorker): void {
    lanes[lane.name] = lanes[lane.name].filter((other) => other !== lane)
    // The slow lane opens when somebody needs it again.
    if (!closing) fill()
  }
  const fill = () => {
    while (lanes.short.length < wanted) open('short')
  }
  fill()
  const openAll = () => {
    wanted = options.size
    fill()
  }

  function ended(lane: LaneWorker, error: Error): void {
    remove(lane)
    const { running, others } = lane.takeAll()
    askAgain(others, error)
    if (!running) return
    if (isFull(error) && lane.name !== 'tracked' && !closing) return track(running)
    if (!closing) options.watch.onFault('kernel', 'a read', error)
    reject(running, error)
  }

  /** Reads change nothing, so what waited in a worker that has ended is asked of another one. */
  function askAgain(all: readonly Asked[], cause: Error): void {
    for (const asked of all) {
      asked.ends++
      if (closing) reject(asked, cause)
      else if (asked.ends >= MOST_ENDS) reject(asked, baseErrors.busy({ seconds: RETRY_SECONDS }))
      else ask(asked)
    }
  }

  let tracking: Promise<void> = Promise.resolve()

  /** Whose code used up the memory of a worker is found where the call does it again. One after another: each may take as much as a worker may. */
  function track(asked: Asked): void {
    tracking = tracking.then(() => trackOne(asked)).catch((error: unknown) => reject(asked, error))
  }

  async function trackOne({ waiting, ...asked }: Asked): Promise<void> {
    const since = waiting[0]?.since ?? 0
    if (closing || since < Date.now() - GIVE_UP_MS) throw new Error('The read took too long')
    const lane = open('tracked')
    await lane.opened()
    try {
      const done = new Promise<Uint8Array>((resolve, reject) => lane.ask([{ ...asked, waiting: [{ since, resolve, reject }] }]))
      const json = await Promise.race([lane.full, done])
      if (!json) throw options.watch.onFull(...placeOf(await whoRuns(lane.worker, ownerOf)))
      for (const { resolve } of waiting) resolve(json)
    } finally {
      remove(lane)
      lane.takeAll()
      void lane.end()
    }
  }

  /** Ends a worker that does nothing but one plugin's code, charges the plugin and opens another. */
  async function unstick(lane: LaneWorker): Promise<void> {
    const found = await whoRuns(lane.worker, ownerOf)
    // Out of its lane first: a quarantine prepares a set in every worker of it, and this one would answer no more.
    remove(lane)
    const { running, others } = lane.takeAll()
    const error = options.watch.onLoop(...placeOf(found), options.stuckMs / 1000)
    if (running) reject(running, error)
    askAgain(others, error)
    await lane.end()
  }
  /** Ends those of some workers that have nothing to do. */
  function leave(some: readonly LaneWorker[]): void {
    for (const lane of some.filter(isIdle)) {
      // Nobody gives it anything to do from here on.
      lanes[lane.name] = lanes[lane.name].filter((other) => other !== lane)
      void lane.end()
    }
  }
  let slowNeededAt = 0

  const unsticking = new Set<LaneWorker>()
  const watch = setInterval(() => {
    const now = Date.now()
    for (const lane of all()) {
      lane.dropOlderThan(now - GIVE_UP_MS)
      if (!lane.isStuck(now, options.stuckMs) || unsticking.has(lane)) continue
      unsticking.add(lane)
      void unstick(lane).finally(() => unsticking.delete(lane))
    }
    if (slowNeededAt < now - UNUSED_MS) leave(lanes.slow)
  }, WATCH_MS)
  watch.unref()
  const all = () => Object.values(lanes).flat()
  const openOf = (lane: Lane): number => all().flatMap(({ open }) => open.filter((one) => one.lane === lane)).length

  /** Calls of this turn of the event loop. Who asks for the same as another, before anybody read, gets the same reply. */
  const asked: Record<Lane, Map<string, Asked>> = { short: new Map(), slow: new Map() }

  function ask({ lane, name, call, waiting, ends }: Asked): void {
    const calls = asked[lane]
    if (calls.size === 0) setImmediate(flush, lane)
    const same = calls.get(call)
    if (same) same.waiting.push(...waiting)
    else calls.set(call, { lane, name, call, waiting, ends })
  }

  function flush(name: Lane): void {
    const calls = [...asked[name].values()]
    asked[name] = new Map()
    // While the pool is closed nobody else does.
    fill()
    if (name === 'short') share(calls)
    else for (const one of calls) slowOf(one).ask([one])
  }

  const othersRead = new LatelyRead()

  /**
   * The slow worker, or a short one for what is brief. While others read, a short one is lent only as long as the slow one need not open: it shares the
   * processors with them as their equal (p99 of details beside four who search: 7.2 ms with it and 5.9 without, for 243 instead of 261 searches a second).
   */
  function slowOf(one: Asked): LaneWorker {
    const [slow] = lanes.slow
    const isAlone = openOf('slow') === 0
    if (usual.isBrief(one)) {
      const [idle, another] = othersRead.isSo ? [] : lanes.short.filter(isIdle)
      if (idle && another) return idle
      if (isAlone) return slow ?? leastOf(ready())
      openAll()
    }
    slowNeededAt = Date.now()
    return slow ?? open('slow')
  }

  const ready = () => someOf(lanes.short, ({ preparing }) => preparing.size === 0)

  /** Gives calls to the workers of the short lane. */
  function share(calls: Asked[]): void {
    othersRead.note(calls.length)
    if (calls.length + lanes.short.reduce((sum, { waiting }) => sum + waiting.size, 0) > 1) openAll()
    const from = someOf(ready(), ({ open }) => open.every(({ lane }) => lane === 'short'))
    const quick = calls.filter(usual.isQuick)
    const others = calls.filter((one) => !usual.isQuick(one))
    for (let at = 0; at < quick.length; at += BATCH) {
      const awake = from.find((lane) => lane.waiting.size < BATCH && lane.open.every(usual.isQuick))
      const batch = quick.slice(at, at + BATCH)
      ;(awake ?? leastOf(from)).ask(batch)
    }
    // Where each is busy already nothing is gained by sharing, and each message wakes a thread twice.
    const idle = from.filter(({ waiting }) => waiting.size === 0).length
    const size = Math.min(BATCH, Math.ceil(others.length / Math.max(1, idle)))
    for (let at = 0; at < others.length; at += size) leastOf(from).ask(others.slice(at, at + size))
  }

  return {
    async prepare(viewKey, plugins) {
      const plain = plugins.map(({ manifest, folder, files, generation, origin }) => ({ manifest, folder, files, generation, origin }))
      // Known from now on, so that a worker which opens meanwhile loads it too.
      sets.set(viewKey, plain)
      try {
        // The slow lane runs the same code with less of the processor: what is asked of it waits behind this message, and nobody else has to.
        for (const lane of lanes.slow) prepareOne(lane, viewKey, plain).catch(() => undefined)
        const inAll = () => Promise.all(lanes.short.map((lane) => prepareOne(lane, viewKey, plain)))
        // A worker may end meanwhile for a reason of its own; one that ends again was ended by what it loads.
        await inAll().catch((error: unknown) => (error instanceof PluginRejected ? Promise.reject(error) : inAll()))
      } catch (error) {
        sets.delete(viewKey)
        throw error
      }
    },
    forget(viewKey) {
      sets.delete(viewKey)
      for (const lane of all()) lane.send({ type: 'forget', viewKey })
    },
    json(lane, viewKey, name, params, call) {
      return new Promise((resolve, reject) => {
        ask({
          lane,
          name,
          call: JSON.stringify([viewKey, name, params, call] satisfies SentCall),
          waiting: [{ since: Date.now(), resolve, reject }],
          ends: 0,
        })
      })
    },
    load: () =>
      LANES.map((lane) => ({
        lane,
        workers: lanes[lane].length,
        waiting: asked[lane].size + openOf(lane),
      })),
    update(value) {
      snapshot = value
      for (const lane of all()) lane.send({ type: 'snapshot', snapshot })
    },
    trimMemory() {
      wanted = 1
      leave([...lanes.short.slice(wanted), ...lanes.slow])
    },
    async close() {
      closing = true
      clearInterval(watch)
      await Promise.all(all().map((lane) => lane.end()))
    },
  }
}
