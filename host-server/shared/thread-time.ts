import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

const TICK_MS = 10
/** Of user and system time among the fields after the name (proc_pid_stat(5)). */
const [USER, SYSTEM] = [11, 12]

/** Number of the calling thread, as Linux names it; undefined elsewhere. */
export function ownThread(): number | undefined {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return undefined
  }
}

/**
 * How long a thread of this process has had a processor, in milliseconds and steps of ten; NaN where that is not told.
 * @param thread its {@link ownThread}
 */
export function processorMs(thread: number | undefined): number {
  if (thread === undefined) return Number.NaN
  try {
    // Its name, in brackets, may hold whatever it likes.
    const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * TICK_MS
  } catch {
    return Number.NaN
  }
}

/**
 * Whether a thread has had a processor for less than half of some time: one that does not answer then is held up by the machine, and not by what it does.
 * Where nobody says so, it has had one.
 * @param before its {@link processorMs} when that time began
 */
export const isStarved = (thread: number | undefined, before: number, ms: number): boolean => processorMs(thread) - before < ms / 2
