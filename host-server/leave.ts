import type { Kernel } from './kernel.ts'
import type { RunRecord } from './shared/run-record.ts'
import type { LogFunction } from './shared/types.ts'

/** What has not ended so long after the signal is given up, in milliseconds: after an endless loop was ended by force, it may never end. */
const GIVE_UP_MS = 20_000

/**
 * Asked to leave by a signal, the process takes no more requests, finishes what it has and ends with 0. Asked while it starts, it starts to
 * the end first: half a migration would be worse.
 */
export function leaveOnSignal(starting: Promise<Kernel>, run: RunRecord, log: LogFunction): void {
  let leaving = false
  const leave = async () => {
    if (leaving) return
    leaving = true
    run.close()
    log('info', 'kernel', 'Draining')
    setTimeout(() => {
      log('warn', 'kernel', `Not everything had ended after ${GIVE_UP_MS / 1000} s; it is given up`)
      process.exit(0)
    }, GIVE_UP_MS)
    await starting.then((kernel) => kernel.close()).catch(() => undefined)
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    // Until here there was nothing to drain.
    const before = process.rawListeners(signal) as (() => void)[]
    // In this order: a signal that has come and was not heard yet is gone with the last listener.
    process.on(signal, leave)
    for (const listener of before) process.off(signal, listener)
  }
}
