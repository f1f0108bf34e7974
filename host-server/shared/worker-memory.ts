import { setFlagsFromString } from 'node:v8'
import type { ResourceLimits } from 'node:worker_threads'

// V8 reads this when a thread begins, and it would win over what a worker is given below: `npm start` says by it what the main thread may take.
setFlagsFromString('--max-semi-space-size=0')

/** A young generation has two halves, and room for large objects of the size of one. */
const PARTS = 3

/**
 * What a worker may hold, in MB; one that wants more is ended, and not the site.
 * @param half of the young generation: filled, it is collected, and what lasts longer than two such times is moved to the old one
 */
export const memoryLimits = (half: number, oldGeneration: number): ResourceLimits => ({
  maxYoungGenerationSizeMb: half * PARTS,
  maxOldGenerationSizeMb: oldGeneration,
})

/** Whether a worker has ended because it wanted more than it may hold. */
export const isFull = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
