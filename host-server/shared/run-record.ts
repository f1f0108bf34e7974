import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname, totalmem } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics } from 'node:v8'
import { PRIVATE_FILE } from './private-files.ts'

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
  /** Memory ran short, in words; absent once it did not any more. */
  memory?: string | undefined
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
  /** Memory was running short when it ended last time, in words, and no start of a plugin was under way: that counts as no end of its own. */
  readonly endedByMemory: string | undefined
  /** A plugin is being started; undefined: it stands. */
  starting(plugin: PluginVersion | undefined): void
  /** The process leaves as it should. */
  close(): void
}

/** One for each node: several machines may share the directory, and several processes of one machine, each with a port of its own. */
export const recordFile = (dataDir: string, port: number): string => join(dataDir, `process-${hostname()}-${port}.json`)

/** Opened once by a process, before it serves. @param port as configured: the node is known by it when it comes back */
export function openRunRecord(dataDir: string, port: number): RunRecord {
  const now = () => Math.floor(Date.now() / 1000)
  const file = recordFile(dataDir, port)
  const before = read(file)
  const nothing: RunRecord = { endsTooOften: false, endedStarting: undefined, endedByMemory: undefined, starting() {}, close() {} }
  // Beside another process that runs, as two may on PostgreSQL, the record is not its own. In a container both have the same number.
  if (before.pid !== process.pid && isAlive(before.pid)) return nothing
  const hadEnded = before.pid !== 0
  const endedByMemory = hadEnded && before.starting === undefined ? before.memory : undefined
  const ends = [...before.ends, ...(hadEnded && endedByMemory === undefined ? [now()] : [])].filter((at) => now() - at < WITHIN_SECONDS)
  const endsTooOften = ends.length >= MOST_ENDS
  let opened: number | undefined = openSync(file, constants.O_RDWR | constants.O_CREAT, PRIVATE_FILE)
  // Counted from the beginning then: whoever leaves safe mode is to have as many attempts again.
  let note: Note = { pid: process.pid, ends: endsTooOften ? [] : ends }
  const change = (change: Partial<Note>) => {
    note = { ...note, ...change }
    if (opened !== undefined) write(opened, note)
  }
  change({})
  const stopWatching = watchMemory((memory) => change({ memory }))
  return {
    endsTooOften,
    endedStarting: hadEnded ? before.starting : undefined,
    endedByMemory,
    starting(plugin) {
      change({ starting: plugin && { slug: plugin.slug, generation: plugin.generation } })
    },
    close() {
      stopWatching()
      if (opened === undefined) return
      closeSync(opened)
      // The number is another file's by and by.
      opened = undefined
      rmSync(file, { force: true })
    },
  }
}

const LOOK_MS = 250
/** Share of what there is, above which memory is short. Of the machine's nearly all may be used by others without anybody being ended. */
const SHORT = { heap: 0.85, process: 0.85, machine: 0.97 }
/** Below this share of that it is not short any more. */
const ENOUGH = 0.85

/**
 * Whoever ends a process for its memory tells it nothing, so the last look before it is what the next one knows: at the heap of this thread, and
 * at the process within what the machine, or the container, has.
 */
function watchMemory(onChange: (words: string | undefined) => void): () => void {
  let isShort = false
  const looking = setInterval(() => {
    const heap = getHeapStatistics()
    const allowed = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
    const looks: [keyof typeof SHORT, number, number][] = [
      ['heap', heap.used_heap_size, heap.heap_size_limit],
      ['process', process.memoryUsage.rss(), allowed],
      ['machine', allowed - process.availableMemory(), allowed],
    ]
    const shareOf = ([name, used, limit]: (typeof looks)[number]) => used / limit / SHORT[name]
    const worst = looks.reduce((most, look) => (shareOf(look) > shareOf(most) ? look : most))
    if (isShort ? shareOf(worst) > ENOUGH : shareOf(worst) < 1) return
    const [name, used, limit] = worst
    isShort = !isShort
    const mb = (bytes: number) => Math.round(bytes / 1024 / 1024)
    onChange(isShort ? `${mb(used)} of ${mb(limit)} MB (${name})` : undefined)
  }, LOOK_MS)
  looking.unref()
  return () => clearInterval(looking)
}

function read(file: string): Note {
  try {
    return { pid: 0, ends: [], ...(JSON.parse(readFileSync(file, 'utf8')) as Partial<Note>) }
  } catch {
    return { pid: 0, ends: [] }
  }
}

/**
 * In one piece, which the end of a process leaves whole, and over all that stood there. It is for that and not for the end of the machine, so
 * nothing waits for the disk; a file renamed for each plugin that starts took 60 ms of a start (measured).
 */
function write(opened: number, note: Note): void {
  writeSync(opened, JSON.stringify(note).padEnd(fstatSync(opened).size), 0)
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
