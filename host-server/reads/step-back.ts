import { constants, setPriority } from 'node:os'
import { ownThread } from '../shared/thread-time.ts'

/**
 * Lets the threads that answer everything else go first where cores are short. Linux gives each thread a priority of its own;
 * elsewhere the whole process has one, and nothing is changed.
 */
export function stepBack(): void {
  const thread = ownThread()
  if (thread === undefined) return
  try {
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Not allowed: then threads share as equals.
  }
}
