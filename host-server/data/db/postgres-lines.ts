import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import pg from 'pg'
import { slowLane } from '../../shared/slow-lane.ts'

/**
 * Told to the server on every connection. On a large site it believes a statement to be long enough for compiling it, which takes 250 ms each time, or for
 * a second process that helps, which takes 20 ms and the time of others (280,000 texts searched in the order of votes: 38 pages a second, 154 without).
 * Ours are short, and many.
 */
export const FOR_SHORT_STATEMENTS = 'set jit = off; set max_parallel_workers_per_gather = 0'

/** Always there once somebody has read: two take from each other what takes long. */
const LEAST = 2
/** At most: so many statements may take long before others wait behind them. */
const MOST = 8
/** Milliseconds after which whoever comes next does not queue behind a statement, as long as there may be another line. */
const LONG_MS = 5
/** Milliseconds that a statement has taken lately, from which on nobody queues behind it. */
const SLOW_MS = 10
/** Part of the last time in that; one long wait for the main thread makes no statement slow. */
const LATEST = 0.2
const MOST_MS = 20
/** So long after a slow statement began it may still have a core to itself. */
const CONTENDED_MS = 300
/** Statements of which it is known how long they take. */
const REMEMBERED = 1_000
/** Milliseconds after which whoever did queue behind it is asked on another line too. */
const PATIENCE_MS = 50
const IDLE_MS = 60_000
/** What is still being asked when the site closes has so long. */
const CLOSE_MS = 5_000

/**
 * Statements that wait on a line before the next ones go to another: a server process that finds the next statement where it has ended the last need
 * not be woken, nor sent to once more (decision 0047).
 */
const MANY = 16

type Work<R> = (client: pg.Client) => Promise<R>

export interface Lines {
  /**
   * Runs a statement on the line where it waits the least; others may use the same one meanwhile.
   * @param mayRepeat it only reads: where what it waits behind takes long, it is run a second time elsewhere, and the first reply counts
   */
  run<R>(text: string, mayRepeat: boolean, work: Work<R>): Promise<R>
  close(): Promise<void>
}

/** One connection; statements are sent without waiting for the replies to those before. */
class Line {
  readonly client: Promise<pg.Client>
  waiting = 0
  /** Those of them that are known as slow. */
  slow = 0
  /** Statements that have come to their end. */
  ended = 0
  /** When the statement began that the server works on now, or the last one ended, as `performance.now()`. */
  #since = performance.now()
  #isOpen = false

  constructor(config: pg.ClientConfig, onEnd: (line: Line, error?: Error) => void) {
    const client = new pg.Client({ ...config, pipeline: true })
    client.on('error', (error) => onEnd(this, error))
    client.on('end', () => onEnd(this))
    this.client = client.connect().then(async () => {
      await client.query(FOR_SHORT_STATEMENTS)
      this.#isOpen = true
      this.#since = performance.now()
      return client
    })
    // Told to whoever waits for it.
    this.client.catch(() => onEnd(this))
  }

  /** Milliseconds for which the server has worked on one statement; to connect counts as nothing. */
  get busyMs(): number {
    return this.#isOpen && this.waiting > 0 ? performance.now() - this.#since : 0
  }

  get idleMs(): number {
    return this.waiting === 0 ? performance.now() - this.#since : 0
  }

  /** @param onEnd is told the milliseconds that the server took */
  async run<R>(work: Work<R>, isSlow: boolean, onEnd: (ms: number) => void): Promise<R> {
    if (this.waiting++ === 0) this.#since = performance.now()
    if (isSlow) this.slow++
    try {
      return await work(await this.client)
    } finally {
      onEnd(this.busyMs)
      this.waiting--
      if (isSlow) this.slow--
      this.ended++
      this.#since = performance.now()
    }
  }

  async close(): Promise<void> {
    const client = await this.client.catch(() => undefined)
    if (!client) return
    const ending = client.end().catch(() => {})
    await Promise.race([ending, sleep(CLOSE_MS, undefined, { ref: false })])
    // Nothing of it is left to be waited for by then.
    ;(client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  }
}

const shortest = (lines: Line[]): Line | undefined => lines.toSorted((one, other) => one.waiting - other.waiting)[0]

/**
 * Few connections for many statements that stand alone, which is a large part of what a small statement costs (measured on two cores, beside a
 * connection for each: a third more lists and pages, half as much again of details).
 * @param config of each connection
 * @param onFault a connection is lost
 */
export function openLines(config: pg.ClientConfig, onFault: (error: Error) => void): Lines {
  const lines = new Set<Line>()
  /** As `performance.now()`. */
  let contendedUntil = 0
  let closed = false

  function open(): Line {
    const line = new Line(config, (ended, error) => {
      if (lines.delete(ended) && error && !closed) onFault(error)
    })
    lines.add(line)
    return line
  }

  /** Milliseconds, a running mean: of those that come together the first has the time of all. */
  const took = new LRUCache<string, number>({ max: REMEMBERED })

  /** A line where nothing holds up what is sent to it; another one, as long as there may be one more. */
  function free(takesLong: boolean): Line | undefined {
    const quick = [...lines].filter((line) => line.slow === 0 && line.busyMs < LONG_MS && (line.waiting === 0 || !takesLong))
    // Beside a slow one each process has its share of the cores, and one that wakes has it first.
    const isContended = performance.now() < contendedUntil
    const best = (isContended ? undefined : quick.find(({ waiting }) => waiting < MANY)) ?? shortest(quick)
    const isEnough = lines.size >= MOST || (best && (best.waiting === 0 || lines.size >= LEAST))
    return isEnough ? best : open()
  }

  /** A read of the slow lane may have a statement that takes less, and many of it. */
  const isSlow = (text: string): boolean => slowLane.isHere() || (took.get(text) ?? 0) >= SLOW_MS

  function send<R>(line: Line, text: string, work: Work<R>): Promise<R> {
    return line.run(work, isSlow(text), (ms) => {
      const last = Math.min(ms, MOST_MS)
      const before = took.get(text) ?? last
      took.set(text, before + (last - before) * LATEST)
    })
  }

  function patiently<R>(line: Line, text: string, work: Work<R>): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>()
    const { ended } = line
    let timer: NodeJS.Timeout
    const isStuck = () => line.ended === ended && lines.has(line) && !closed
    const look = () => {
      const other = isStuck() ? free(false) : undefined
      if (other) (other.waiting > 0 ? patiently(other, text, work) : send(other, text, work)).then(resolve, reject)
      else if (isStuck()) timer = setTimeout(look, PATIENCE_MS)
    }
    timer = setTimeout(look, PATIENCE_MS)
    send(line, text, work).then(resolve, reject)
    return promise.finally(() => clearTimeout(timer))
  }

  function run<R>(text: string, mayRepeat: boolean, work: Work<R>): Promise<R> {
    if (closed) return Promise.reject(new Error('The database is closed'))
    const takesLong = isSlow(text)
    if (takesLong) contendedUntil = performance.now() + CONTENDED_MS
    const line = free(takesLong) ?? (shortest([...lines]) as Line)
    return mayRepeat && !takesLong && line.waiting > 0 ? patiently(line, text, work) : send(line, text, work)
  }

  const tidying = setInterval(() => {
    for (const line of [...lines].slice(LEAST)) {
      if (line.idleMs < IDLE_MS) continue
      lines.delete(line)
      void line.close()
    }
  }, IDLE_MS)
  tidying.unref()

  return {
    run,
    async close() {
      closed = true
      clearInterval(tidying)
      await Promise.all([...lines].map((line) => line.close()))
    },
  }
}
