import { endOf } from '../shared/end-of.ts'

/** Milliseconds for which others count as reading after they have. */
const LATELY_MS = 100
/** Milliseconds after which a read gives its place away: one that takes seconds must not hold up all of its lane. */
const TURN_MS = 100

/** Lets reads of the slow lane wait for each other, where all lanes share the processors of a database server. */
export interface SlowTurns {
  short<R>(read: () => Promise<R>): Promise<R>
  /** Waits until there is room for it. */
  slow<R>(read: () => Promise<R>): Promise<R>
  /** How many of a lane run or wait. */
  readonly open: { readonly short: number; readonly slow: number }
}

/**
 * @param cores of the machine. While others read, slow reads have half of them: each statement of a short read waits for every slow one that
 * runs (decision 0061). While nobody does, twice as many of them run, so that none of these stands idle between two statements.
 * @param now milliseconds
 */
export function createSlowTurns(cores: number, now: () => number = () => performance.now()): SlowTurns {
  const most = { alone: 2 * cores, besideOthers: Math.max(1, Math.floor(cores / 2)) }
  const open = { short: 0, slow: 0 }
  const waiting: (() => void)[] = []
  let taken = 0
  let readAt = Number.NEGATIVE_INFINITY

  function beginNext(): void {
    const othersRead = open.short > 0 || now() - readAt < LATELY_MS
    while (waiting.length > 0 && taken < (othersRead ? most.besideOthers : most.alone)) {
      taken++
      waiting.shift()?.()
    }
  }

  function leave(): void {
    taken--
    beginNext()
  }

  return {
    open,
    async short(read) {
      open.short++
      try {
        return await read()
      } finally {
        open.short--
        readAt = now()
      }
    },
    async slow(read) {
      open.slow++
      await new Promise<void>((begin) => {
        waiting.push(begin)
        beginNext()
      })
      // One that cannot even begin has ended too.
      const reading = (async () => read())()
      try {
        void endOf(reading, TURN_MS).then(leave)
        return await reading
      } finally {
        open.slow--
      }
    },
  }
}
