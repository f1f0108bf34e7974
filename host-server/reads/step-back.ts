import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { basename } from 'node:path'

/**
 * Lets the threads that answer everything else go first where cores are short. Linux gives each thread a priority of its own;
 * elsewhere the whole process has one, and nothing is changed.
 */
export function stepBack(): void {
  if (process.platform !== 'linux') return
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without /proc, or not allowed: then threads share as equals.
  }
}
