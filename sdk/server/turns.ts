import { baseErrors } from '../shared/index.ts'
import type { RequestInfo } from './context.ts'
import { networkOf } from './network.ts'

/** Seconds after which somebody who was put off may come again. */
const BUSY_SECONDS = 5

/** Who asks, for {@link Turn.of}: a person wherever they are, a visitor by {@link networkOf their network}; nobody where no request is. */
export const whoAsks = (request: Pick<RequestInfo, 'person' | 'ip'> | null): string =>
  request?.person ? `person ${request.person.id}` : networkOf(request?.ip ?? '')

/** How a piece of work waits. */
export interface Turn {
  /** Whose work it is: those who wait take turns. Default: work of nobody, which counts as one more person's. */
  of?: string
  /** `low` waits until nothing else does, and takes no place of what does. */
  priority?: 'low'
  /** Aborted, the work is not begun any more. */
  signal?: AbortSignal
}

/** Work that is done one piece, or a few, at a time. */
export interface Turns {
  /** @throws `base.busy` when too much waits already, or when it was aborted while it waited */
  take<R>(work: () => Promise<R>, turn?: Turn): Promise<R>
  /** `rest` is not called any more. */
  close(): void
}

/**
 * For what a thread or a process of its own does, which comes with the first piece of work and goes some time after the last.
 * @param rest called when there was nothing to do for `idleMs`; @param most pieces that may wait, of each priority
 * @param mostOfOne pieces of one person that may wait, default `most`; @param mostLowOfOne those of low priority, default as many
 * @param atOnce pieces that are done at the same time, default 1
 */
export function createTurns({
  most,
  mostOfOne = most,
  mostLowOfOne = mostOfOne,
  atOnce = 1,
  idleMs = 0,
  rest,
}: {
  most: number
  mostOfOne?: number
  mostLowOfOne?: number
  atOnce?: number
  idleMs?: number
  rest?(): void
}): Turns {
  const normal = new FairQueue()
  const low = new FairQueue()
  let begun = 0
  let idle: NodeJS.Timeout | undefined
  const refusal = () => baseErrors.busy({ seconds: BUSY_SECONDS })

  function enter({ of = '', priority, signal }: Turn): Promise<void> | undefined {
    if (signal?.aborted) throw refusal()
    if (begun < atOnce) {
      begun++
      return undefined
    }
    const [queue, mostOwn] = priority === 'low' ? [low, mostLowOfOne] : [normal, mostOfOne]
    if (queue.size >= most || queue.sizeOf(of) >= mostOwn) throw refusal()
    return new Promise((resolve, reject) => {
      queue.add(of, resolve)
      signal?.addEventListener('abort', () => {
        if (queue.remove(of, resolve)) reject(refusal())
      })
    })
  }

  function leave(): void {
    const next = normal.next() ?? low.next()
    if (next) return next()
    begun--
    if (begun > 0 || !rest) return
    idle = setTimeout(rest, idleMs)
    idle.unref()
  }

  return {
    async take(work, turn = {}) {
      await enter(turn)
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

/** Round robin by person: whose work is taken out goes behind everybody else who waits. */
class FairQueue {
  readonly #waiting = new Map<string, Set<() => void>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(person: string): number {
    return this.#waiting.get(person)?.size ?? 0
  }

  add(person: string, begin: () => void): void {
    const all = this.#waiting.get(person) ?? new Set()
    this.#waiting.set(person, all.add(begin))
    this.#size++
  }

  remove(person: string, begin: () => void): boolean {
    const all = this.#waiting.get(person)
    if (!all?.delete(begin)) return false
    if (all.size === 0) this.#waiting.delete(person)
    this.#size--
    return true
  }

  next(): (() => void) | undefined {
    for (const [person, all] of this.#waiting) {
      this.#waiting.delete(person)
      this.#waiting.set(person, all)
      for (const begin of all) {
        this.remove(person, begin)
        return begin
      }
    }
    return undefined
  }
}
