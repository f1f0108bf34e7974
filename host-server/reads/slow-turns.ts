import { setTimeout } from 'node:timers/promises'
import { FairQueue } from '../../sdk/server/turns.ts'
import { endOf } from '../shared/end-of.ts'
import { LatelyRead } from './lately-read.ts'

/** Lets reads of the slow lane wait for each other, in turns by who asks: who asks for many at once waits for them, and nobody else does. */
export interface SlowTurns {
  short<R>(read: () => Promise<R>): Promise<R>
  /** Waits until there is room for it, in turns with those of others. @param of who asks */
  slow<R>(read: () => Promise<R>, of: string): Promise<R>
  /** How many of a lane run or wait. */
  readonly open: { readonly short: number; readonly slow: number }
}

/** How many run at once. */
interface Room {
  /** While nobody reads anything else. */
  alone: number
  besideOthers: number
  /** Milliseconds after which a read gives its place away: one that takes for ever must not hold up all of its lane. */
  turnMs: number
  /** Beside others, a place stays empty after each read for as long as that took, and no longer than so many milliseconds. */
  restMs: number
}

/**
 * On a database server that shares its processors with all lanes: while others read, slow reads have half of them for half of the time, as each statement of
 * a short read waits for every slow one that runs (decision 0061). While nobody does, twice as many of them run, so that none of these stands idle between
 * two statements.
 */
export const roomAtServer = (cores: number): Room => ({
  alone: 2 * cores,
  besideOthers: Math.max(1, Math.floor(cores / 2)),
  turnMs: 100,
  restMs: 20,
})

/** Where workers do one after the other in the order of their coming: each has one to go on with, and the others wait here. */
export const roomInWorkers = (workers: number): Room => ({ alone: 2 * workers, besideOthers: 2 * workers, turnMs: 2000, restMs: 0 })

/**
 * @param now milliseconds
 * @param pass resolves after so many
 */
export function createSlowTurns(
  { turnMs, restMs, ...most }: Room,
  now: () => number = () => performance.now(),
  pass: (ms: number) => Promise<void> = setTimeout,
): SlowTurns {
  const open = { short: 0, slow: 0 }
  const waiting = new FairQueue<() => void>()
  let taken = 0
  const lately = new LatelyRead(now)

  const othersRead = () => open.short > 0 || lately.isSo

  function beginNext(): void {
    const places = othersRead() ? most.besideOthers : most.alone
    while (waiting.size > 0 && taken < places) {
      taken++
      waiting.next()?.()
    }
  }

  async function leave(begun: number): Promise<void> {
    const rest = Math.min(now() - begun, restMs)
    if (rest > 0 && othersRead()) await pass(rest)
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
        lately.note()
      }
    },
    async slow(read, of) {
      open.slow++
      await new Promise<void>((begin) => {
        waiting.add(of, begin)
        beginNext()
      })
      const begun = now()
      // One that cannot even begin has ended too.
      const reading = (async () => read())()
      try {
        void endOf(reading, turnMs).then(() => leave(begun))
        return await reading
      } finally {
        open.slow--
      }
    },
  }
}
