import type { HeapInfo } from 'node:v8'
import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits, Worker } from 'node:worker_threads'

// V8 reads this when a thread begins, and it would win over what a worker is given below: `npm start` says by it what the main thread may take.
setFlagsFromString('--max-semi-space-size=0')

/** A young generation has two halves, and room for large objects of the size of one. */
const PARTS = 3

/**
 * What V8 lets a worker hold, in MB.
 * @param half of the young generation: filled, it is collected, and what lasts longer than two such times is moved to the old one
 */
export const memoryLimits = (half: number, oldGeneration: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: half * PARTS,
  maxOldGenerationSizeMb: oldGeneration,
})

/**
 * For a worker with code of plugins: far more than it may hold. V8 ends a thread at its limit only where 16 MB more are enough; for a larger piece, as the
 * next size of a Map or an array of some million elements is, it ends the process.
 */
export const pluginMemoryLimits = (half: number): ResourceLimits => memoryLimits(half, 1024)

/** What a worker with code of plugins may hold, and the main thread take without a pause, buffers included, in bytes. */
export const MOST_HELD = 256 * 1024 * 1024
const LOOK_MS = 250

/** What a thread holds, buffers included, in bytes. */
export const heldBy = ({ used_heap_size, external_memory }: Pick<HeapInfo, 'used_heap_size' | 'external_memory'>): number =>
  used_heap_size + external_memory

/** A worker holds more than it may. */
export class WorkerFull extends Error {}

/**
 * Watches what a worker holds, also while its code never comes back to its messages: it is asked between two steps of that (measured: answers within 1.6 s,
 * at 260 to 480 MB, whatever filled it).
 * @param isBusy otherwise it is not asked
 * @returns resolves when it holds more than it may; ending it is left to the caller
 */
export function watchMemory(worker: Worker, isBusy: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false
    const look = async () => {
      if (isAsked || !isBusy()) return
      isAsked = true
      try {
        if (heldBy(await worker.getHeapStatistics()) <= MOST_HELD) return
        clearInterval(looking)
        resolve()
      } catch {
        // It has not begun to run, or does not any more.
      } finally {
        isAsked = false
      }
    }
    const looking = setInterval(look, LOOK_MS)
    looking.unref()
    worker.once('exit', () => clearInterval(looking))
  })
}

/** Whether a worker has ended because it wanted more than it may hold, by our limit or that of V8. */
export const isFull = (error: unknown): boolean =>
  error instanceof WorkerFull || (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
