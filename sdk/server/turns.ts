import { baseErrors } from '../shared/index.ts'

/** Seconds after which somebody who was put off may come again. */
const BUSY_SECONDS = 5

/** Work that is done one piece after the other. */
export interface Turns {
  /** @throws `base.busy` when too much waits already */
  take<R>(work: () => Promise<R>): Promise<R>
  /** `rest` is not called any more. */
  close(): void
}

/**
 * For what a thread or a process of its own does, which comes with the first piece of work and goes some time after the last.
 * @param rest called when there was nothing to do for `idleMs`; @param most pieces that may wait
 */
export function createTurns({ most, idleMs, rest }: { most: number; idleMs: number; rest(): void }): Turns {
  const waiting: (() => void)[] = []
  let busy = false
  let idle: NodeJS.Timeout | undefined

  function enter(): Promise<void> | undefined {
    if (!busy) {
      busy = true
      return undefined
    }
    if (waiting.length >= most) throw baseErrors.busy({ seconds: BUSY_SECONDS })
    return new Promise((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) return next()
    busy = false
    idle = setTimeout(rest, idleMs)
    idle.unref()
  }

  return {
    async take(work) {
      await enter()
      clearTimeout(idle)
      try {
        return await work()
      } finally {
        leave()
      }
    },
    close: () => clearTimeout(idle),
  }
}
