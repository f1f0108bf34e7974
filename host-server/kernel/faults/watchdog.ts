import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { heldBy, memoryLimits } from '../../shared/worker-memory.ts'
import type { Scope } from '../runtime/scope.ts'
import { scope } from '../runtime/scope.ts'

// Loops that V8 unrolls lose the places at which a thread can be stopped: `for (;;) new Array(100).fill(1)` went on for ever after its worker was ended
// (V8 14.6). It reads this when it compiles, for every thread.
setFlagsFromString('--no-turboshaft-loop-unrolling')

export interface WatchdogData {
  /** The first is raised by the main thread as long as it gets round to it, the second is what it held then, in MB. */
  beat: Int32Array
  /** Raised with each standstill that is told. */
  told: Int32Array
  port: MessagePort
  stuckMs: number
  /** Execution can be ended without the process ending with it. */
  mayEnd: boolean
  /** Key of the global {@link MainThread}. */
  main: string
}

/** What the watchdog asks a thread that it has stopped. */
export interface MainThread {
  /** Notes on whose behalf it does what is about to be ended. */
  note(): void
  /** Bytes, buffers included. */
  held(): number
}

/** What the main thread was found in when it did not get round to anything else. */
export interface Standstill {
  /** `ended`: by force; `full`: the same, for what it took of the memory; `endless`: still running; `slow`: came to an end by itself; `unknown`: no JavaScript runs. */
  kind: 'ended' | 'full' | 'endless' | 'slow' | 'unknown'
  /** So long it had stood still, in milliseconds. */
  ms: number
  /** Innermost plugin on the stack; undefined when it was the kernel's own work. */
  slug?: string | undefined
  where?: string
  stack?: string
}

/** Without it, Node.js ends the process when a stack is unwound by force. */
const FLAG = '--no-force-async-hooks-checks'

let hear = (): void => {}

/**
 * Hears now of what was just ended by force: before code of plugins runs, since other requests may stand before the message in the queue of this thread,
 * and each would stand still again. Costs nothing where nothing was told.
 */
export const hearStandstills = (): void => hear()

/**
 * Watches this thread from another one and ends plugin code that never gives it back.
 * @param onStandstill `during`: what the code that was ended belonged to
 * @returns what stops watching
 */
export function startWatchdog(file: string | URL, stuckMs: number, onStandstill: (found: Standstill, during?: Scope) => void): () => void {
  const beat = new Int32Array(new SharedArrayBuffer(8))
  const held = () => heldBy(getHeapStatistics())
  const beating = setInterval(
    () => {
      Atomics.store(beat, 1, held() / 2 ** 20)
      Atomics.add(beat, 0, 1)
    },
    Math.min(200, stuckMs / 12),
  )
  beating.unref()
  const mayEnd = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')].includes(FLAG)
  const told = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  let heard = 0
  let during: Scope | undefined
  const main = 'stoa.watchdog.main'
  const asked: MainThread = {
    note() {
      during = scope.current()
    },
    held,
  }
  Object.defineProperty(globalThis, Symbol.for(main), { configurable: true, value: asked })
  const take = (found: Standstill) => {
    heard++
    const noted = during
    during = undefined
    onStandstill(found, noted)
  }
  hear = () => {
    while (Atomics.load(told, 0) !== heard) {
      const waiting = receiveMessageOnPort(port1) as { message: Standstill } | undefined
      if (!waiting) return
      take(waiting.message)
    }
  }
  port1.on('message', take)
  port1.unref()
  const workerData: WatchdogData = { beat, told, port: port2, stuckMs, mayEnd, main }
  const worker = new Worker(file, {
    workerData,
    transferList: [port2],
    resourceLimits: memoryLimits(1, 64),
  })
  worker.on('error', (error) => onStandstill({ kind: 'unknown', ms: 0, where: `the watchdog ended: ${error}` }))
  worker.unref()
  return () => {
    clearInterval(beating)
    hear = () => {}
    port1.close()
    void worker.terminate()
  }
}
