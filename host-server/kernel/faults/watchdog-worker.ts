import * as inspector from 'node:inspector'
import { setTimeout as delay } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import type { Standstill, WatchdogData } from './watchdog.ts'

/** A watch over the main thread from beside it. Idle, it compares one number now and then; the debugger is connected only to a thread that stands still. */
const { beat, told, port, stuckMs, mayEnd, note } = workerData as WatchdogData
const CHECKS = 6
const CHECK_MS = stuckMs / CHECKS
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
    const noted = new Promise<void>((resolve) => {
      this.#session.post('Runtime.evaluate', { expression: `globalThis[Symbol.for('${note}')]()` }, () => resolve())
    })
    await Promise.race([noted, delay(PAUSE_MS)])
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
    if (mayEnd) await probe.note()
    // Told before it goes on: it hears of it before it runs the next thing.
    tell({ kind: mayEnd ? 'ended' : 'endless', ms, ...second })
    if (mayEnd) probe.endExecution()
    else probe.resume()
  } finally {
    probe.close()
  }
}

let last = now()
let misses = 0
let looking = false
let used = process.cpuUsage()

setInterval(() => {
  const beats = now()
  if (beats !== last || looking) {
    used = process.cpuUsage()
    last = beats
    misses = 0
    return
  }
  // Counted, not measured: after the machine has slept, both threads have missed the same.
  if (++misses < CHECKS) return
  // On a machine that has no time for us a thread stands still without running.
  const { user, system } = process.cpuUsage(used)
  if (user + system < 500 * stuckMs) return
  misses = 0
  used = process.cpuUsage()
  // Somebody debugs the site and stands at a breakpoint.
  if (inspector.url() !== undefined) return
  looking = true
  void look().finally(() => {
    looking = false
  })
}, CHECK_MS)
