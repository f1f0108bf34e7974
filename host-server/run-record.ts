import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/** So many unexpected ends within so many seconds, and the next start is one in safe mode. */
export const MOST_ENDS = 3
export const WITHIN_SECONDS = 180

export interface PluginVersion {
  slug: string
  generation: string
}

interface Note {
  /** The process that runs; 0 once it has left as it should. */
  pid: number
  /** Unix seconds of unexpected ends. */
  ends: number[]
  /** What was being started. */
  starting?: PluginVersion | undefined
}

/**
 * What the data directory knows of the process that serves it, so that the next one learns how it ended: nothing inside a process can tell of
 * a kill, of memory that ran out or of native code that failed.
 */
export interface RunRecord {
  /** It has ended by itself so often lately that something of what was installed must be at fault. */
  readonly endsTooOften: boolean
  /** The plugin in whose start it ended last time. */
  readonly endedStarting: PluginVersion | undefined
  /** A plugin is being started; undefined: it stands. */
  starting(plugin: PluginVersion | undefined): void
  /** The process leaves as it should. */
  close(): void
}

/** One for each machine: several may share the directory. */
export const recordFile = (dataDir: string): string => join(dataDir, `process-${hostname()}.json`)

/** Opened once by a process, before it serves. */
export function openRunRecord(dataDir: string): RunRecord {
  const now = () => Math.floor(Date.now() / 1000)
  const file = recordFile(dataDir)
  const before = read(file)
  const nothing: RunRecord = { endsTooOften: false, endedStarting: undefined, starting() {}, close() {} }
  // Beside another process that runs, as two may on PostgreSQL, the record is not its own. In a container both have the same number.
  if (before.pid !== process.pid && isAlive(before.pid)) return nothing
  const hadEnded = before.pid !== 0
  const ends = [...before.ends, ...(hadEnded ? [now()] : [])].filter((at) => now() - at < WITHIN_SECONDS)
  const endsTooOften = ends.length >= MOST_ENDS
  // Counted from the beginning then: whoever leaves safe mode is to have as many attempts again.
  const note: Note = { pid: process.pid, ends: endsTooOften ? [] : ends }
  write(file, note)
  return {
    endsTooOften,
    endedStarting: hadEnded ? before.starting : undefined,
    starting(plugin) {
      write(file, { ...note, starting: plugin && { slug: plugin.slug, generation: plugin.generation } })
    },
    close() {
      rmSync(file, { force: true })
    },
  }
}

function read(file: string): Note {
  try {
    return { pid: 0, ends: [], ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Note>) }
  } catch {
    return { pid: 0, ends: [] }
  }
}

/** Whole or not at all, and without waiting for the disk: it is for the end of a process, not of the machine. */
function write(file: string, note: Note): void {
  writeFileSync(`${file}.tmp`, JSON.stringify(note))
  renameSync(`${file}.tmp`, file)
}

/** @param pid 0: nobody */
export function isAlive(pid: number): boolean {
  if (pid === 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
