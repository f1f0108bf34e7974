import { loopEnded } from '../kernel/faults/run-isolated.ts'
import { watchProcess } from '../kernel/faults/watch-process.ts'
import type { Standstill } from '../kernel/faults/watchdog.ts'
import { startWatchdog } from '../kernel/faults/watchdog.ts'
import type { Scope } from '../kernel/runtime/scope.ts'
import { threadFile } from '../shared/thread-file.ts'
import type { KernelState } from './kernel-state.ts'

/** Errors that nobody caught and code that never ends are charged to the plugin they belong to. @returns what stops watching */
export function watchFaults(state: KernelState): () => void {
  const stopProcess = watchProcess(state.faults)
  const { options, limits } = state
  const stopWatchdog = options.watchdog
    ? startWatchdog(threadFile('watchdog-worker', 'kernel/faults/watchdog-worker.ts', options.hostDir), limits.stuckMs, (...found) =>
        stoodStill(state, ...found),
      )
    : () => {}
  return () => {
    stopWatchdog()
    stopProcess()
  }
}

function stoodStill(
  { options: { log }, faults, dispatcher }: KernelState,
  { kind, slug, where = '', stack, ms }: Standstill,
  during?: Scope,
): void {
  const seconds = Math.round(ms / 1000)
  if (slug === undefined) log('warn', 'kernel', `The site stood still for ${seconds} s ${where}`)
  else if (kind === 'endless') log('error', slug, `The site stands still, and nothing can be done: ${where}`, { stack })
  else if (kind === 'slow') faults.slow(slug, where, ms)
  else {
    loopEnded(slug, kind === 'full' ? faults.full(slug, where) : faults.loop(slug, where, seconds, stack ?? ''))
    dispatcher?.abandon(slug, during?.request)
  }
}
