import * as inspector from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import { MOST_HELD } from '../../shared/worker-memory.ts'
import type { MainThread, Standstill, WatchdogData } from './watchdog.ts'

/** A watch over the main thread from beside it. Idle, it compares one number now and then; the debugger is connected only to a thread that stands still. */
const { beat, told, port, stuckMs, mayEnd, main } = workerData as WatchdogData
/** A memory is filled within seconds. */
const CHECK_MS = Math.min(250, stuckMs / 6)
const PAUSE_MS = 2_000

type Frames = { slug: string | undefined; where: string; stack: string }

/** A debugger on the main thread for as long as it is needed. */
class Probe {
  readonly #session = new inspector.Session()
  readonly #urls = new Map<string, string>()

  constructor() {
    this.#session.connectToMainThread()
    this.#session.on('Debugger.scriptParsed', ({ params }) => this.#urls.set(params.scriptId, params.url))
    this.#session.post('Debugger.enable')
  }

  /** Stops the thread where it is. @returns undefined when no JavaScript runs there, such as in a long system call */
  async pause(): Promise<Frames | undefined> {
    const paused = new Promise<Frames>((resolve) => {
      this.#session.once('Debugger.paused', ({ params: { callFrames } }) => {
        const lines = callFrames.map(
          ({ functionName, location: { scriptId, lineNumber } }) =>
            `    at ${functionName || '<anonymous>'} (${this.#urls.get(scriptId)}:${lineNumber + 1})`,
        )
        const frame = lines.find((line) => line.includes('plugin://'))
        const [, slug, file] = /plugin:\/\/([\w-]+)@[^/]*\/([^)]*)/.exec(frame ?? '') ?? []
        const name = /at (\S+)/.exec(frame ?? '')?.[1] ?? ''
        resolve({ slug, where: slug === undefined ? '' : `${name} (${file})`, stack: lines.join('\n') })
      })
    })
    this.#session.post('Debugger.pause')
    return await Promise.race([paused, delay(PAUSE_MS, undefined)])
  }

  /** Has the main thread note on whose behalf it does what it was stopped in. */
  async note(): Promise<void> {
    await this.#ask('note')
  }

  /** @returns bytes that the main thread holds; 0 when it does not say */
  async held(): Promise<number> {
    return Number((await this.#ask('held')) ?? 0)
  }

  async #ask(what: keyof MainThread): Promise<unknown> {
    const answer = new Promise<unknown>((resolve) => {
      const expression = `globalThis[Symbol.for('${main}')].${what}()`
      this.#session.post('Runtime.evaluate', { expression, returnByValue: true }, (_, reply) => resolve(reply?.result.value))
    })
    return await Promise.race([answer, delay(PAUSE_MS, undefined)])
  }

  resume(): void {
    this.#session.post('Debugger.resume')
  }

  /** Ends whatever runs and lets the thread go on with the next thing. */
  endExecution(): void {
    this.#session.post('Runtime.terminateExecution')
    this.resume()
  }

  close(): void {
    this.#session.post('Debugger.disable', () => this.#session.disconnect())
  }
}

const now = () => Atomics.load(beat, 0)
const heldBefore = () => Atomics.load(beat, 1) * 2 ** 20

function tell(found: Standstill): void {
  port.postMessage(found)
  Atomics.add(told, 0, 1)
}

async function look(): Promise<void> {
  const before = now()
  const probe = new Probe()
  try {
    const first = await probe.pause()
    if (!first) return tell({ kind: 'unknown', ms: stuckMs })
    probe.resume()
    // What comes to an end by itself is slow, and no more than that.
    const wait = stuckMs / 3
    await delay(wait)
    const ms = Math.round(stuckMs + wait)
    if (now() !== before) return tell({ kind: 'slow', ms, ...first })
    const second = await probe.pause()
    if (!second || now() !== before) return tell({ kind: 'slow', ms, ...first })
    if (second.slug === undefined) {
      probe.resume()
      return tell({ kind: 'slow', ms, ...second })
    }
    if (mayEnd) await end(probe, { kind: 'ended', ms, ...second })
    else {
      tell({ kind: 'endless', ms, ...second })
      probe.resume()
    }
  } finally {
    probe.close()
  }
}

async function end(probe: Probe, found: Standstill): Promise<void> {
  await probe.note()
  // Told before it goes on: it hears of it before it runs the next thing.
  tell(found)
  probe.endExecution()
}

/** The process has grown by much while the main thread stood still: ends what runs there if that is what grew, which may be a worker as well. */
async function lookForMemory(): Promise<void> {
  const before = now()
  const probe = new Probe()
  try {
    const found = await probe.pause()
    const taken = found ? (await probe.held()) - heldBefore() : 0
    full = process.memoryUsage.rss() + Math.max(MOST_HELD - taken, MOST_HELD / 8)
    if (found?.slug === undefined || taken <= MOST_HELD || now() !== before) return probe.resume()
    await end(probe, { kind: 'full', ms: misses * CHECK_MS, ...found })
  } finally {
    probe.close()
  }
}

let last = now()
let misses = 0
let looking = false
let used = process.cpuUsage()
/** Resident memory of the process at which the main thread may be what has grown. */
let full = Number.POSITIVE_INFINITY

function start(which: () => Promise<void>): void {
  // Somebody debugs the site and stands at a breakpoint.
  if (inspector.url() !== undefined) return
  looking = true
  void which().finally(() => {
    looking = false
  })
}

setInterval(() => {
  if (looking) return
  const beats = now()
  if (beats !== last) {
    used = process.cpuUsage()
    full = process.memoryUsage.rss() + MOST_HELD
    last = beats
    misses = 0
    return
  }
  misses++
  if (mayEnd && process.memoryUsage.rss() > full) return start(lookForMemory)
  // Counted, not measured: after the machine has slept, both threads have missed the same.
  if (misses * CHECK_MS < stuckMs) return
  // On a machine that has no time for us a thread stands still without running.
  const { user, system } = process.cpuUsage(used)
  if (user + system < 500 * stuckMs) return
  misses = 0
  used = process.cpuUsage()
  start(look)
}, CHECK_MS)
