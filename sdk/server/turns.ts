import type { CodedError } from '../shared/index.ts'
import { baseErrors, isCodedError } from '../shared/index.ts'
import type { RequestInfo } from './context.ts'
import { networkOf } from './network.ts'

/** Seconds after which somebody who was put off may come again. */
const BUSY_SECONDS = 5

/** What is said to somebody who is put off. */
export const tooMuchWaits = () => baseErrors.busy({ seconds: BUSY_SECONDS })

/** Whether that was said. */
export const isBusy = (error: unknown): error is CodedError => isCodedError(error) && error.code === baseErrors.busy.code

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
  /** Pieces that wait, of either priority. */
  readonly waiting: number
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
  const normal = new FairQueue<() => void>()
  const low = new FairQueue<() => void>()
  let begun = 0
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  function enter({ of = '', priority, signal }: Turn): Promise<void> | undefined {
    if (signal?.aborted) throw tooMuchWaits()
    if (begun < atOnce) {
      begun++
      return undefined
    }
    const [queue, mostOwn] = priority === 'low' ? [low, mostLowOfOne] : [normal, mostOfOne]
    if (queue.size >= most || queue.sizeOf(of) >= mostOwn) throw tooMuchWaits()
    return new Promise((resolve, reject) => {
      queue.add(of, resolve)
      signal?.addEventListener('abort', () => {
        if (queue.remove(of, resolve)) reject(tooMuchWaits())
      })
    })
  }

  function leave(): void {
    const next = normal.next() ?? low.next()
    if (next) return next()
    begun--
    if (begun > 0 || !rest || isClosed) return
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
        // Pieces that wait for nothing would follow each other at once, before anything else of this thread.
        setImmediate(leave)
      }
    },
    get waiting() {
      return normal.size + low.size
    },
    close() {
      isClosed = true
      clearTimeout(idle)
    },
  }
}

/** Round robin by person: whose work is taken out goes behind everybody else who waits. */
export class FairQueue<Work> {
  readonly #waiting = new Map<string, Set<Work>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(person: string): number {
    return this.#waiting.get(person)?.size ?? 0
  }

  add(person: string, work: Work): void {
    const all = this.#waiting.get(person) ?? new Set()
    this.#waiting.set(person, all.add(work))
    this.#size++
  }

  remove(person: string, work: Work): boolean {
    const all = this.#waiting.get(person)
    if (!all?.delete(work)) return false
    if (all.size === 0) this.#waiting.delete(person)
    this.#size--
    return true
  }

  next(): Work | undefined {
    for (const [person, all] of this.#waiting) {
      this.#waiting.delete(person)
      this.#waiting.set(person, all)
      return this.nextOf(person)
    }
    return undefined
  }

  nextOf(person: string): Work | undefined {
    for (const work of this.#waiting.get(person) ?? []) {
      this.remove(person, work)
      return work
    }
    return undefined
  }
}
