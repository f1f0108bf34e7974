/** Something that is done again and again, never twice at once. */
export interface Repeated {
  run(): void
  /** Resolves when nothing is under way, or nothing that could still come back. */
  settled(): Promise<void>
}

/**
 * @param patienceMs what is not back by then never comes: ending an endless loop by force takes along whatever of the process waited in the
 * same queue of microtasks. The next run goes on without it.
 */
export function oneAtATime(fn: () => Promise<unknown>, patienceMs: number): Repeated {
  let running: Promise<void> | undefined
  return {
    run() {
      if (running) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const timer = setTimeout(end, patienceMs)
      function end() {
        clearTimeout(timer)
        if (running === promise) running = undefined
        resolve()
      }
      timer.unref()
      running = promise
      fn().then(end, end)
    },
    settled: async () => await running,
  }
}
