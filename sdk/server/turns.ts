import { baseErrors } from '../shared/index.ts'
import type { RequestInfo } from './context.ts'

/** Seconds after which somebody who was put off may come again. */
const BUSY_SECONDS = 5

/** Who asks, for {@link Turn.of}: a person wherever they are, a visitor by address; nobody where no request is. */
export const whoAsks = (request: Pick<RequestInfo, 'person' | 'ip'> | null): string =>
  request?.person ? `person ${request.person.id}` : (request?.ip ?? '')

/** How a piece of work waits. */
export interface Turn {
  /** Whose work it is: those who wait take turns. Default: work of nobody, which counts as one more person's. */
  of?: string
  /** `low` waits until nothing else does, and takes no place of what does. */
  priority?: 'low'
  /** Aborted, the work is not begun any more. */
  signal?: AbortSignal
}

/** Work that is done one piece after the other. */
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
 */
export function createTurns({
  most,
  mostOfOne = most,
  mostLowOfOne = mostOfOne,
  idleMs,
  rest,
}: {
  most: number
  mostOfOne?: number
  mostLowOfOne?: number
  idleMs: number
  rest(): void
}): Turns {
  const normal = new FairQueue()
  const low = new FairQueue()
  let busy = false
  let idle: NodeJS.Timeout | undefined
  const refusal = () => baseErrors.busy({ seconds: BUSY_SECONDS })

  function enter({ of = '', priority, signal }: Turn): Promise<void> | undefined {
    if (signal?.aborted) throw refusal()
    if (!busy) {
      busy = true
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
    busy = false
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
  readonly #waiting = new Map<string, (() => void)[]>()

  get size(): number {
    return [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0)
  }

  sizeOf(person: string): number {
    return this.#waiting.get(person)?.length ?? 0
  }

  add(person: string, begin: () => void): void {
    this.#waiting.set(person, [...(this.#waiting.get(person) ?? []), begin])
  }

  remove(person: string, begin: () => void): boolean {
    const all = this.#waiting.get(person) ?? []
    const left = all.filter((one) => one !== begin)
    if (left.length > 0) this.#waiting.set(person, left)
    else this.#waiting.delete(person)
    return left.length < all.length
  }

  next(): (() => void) | undefined {
    for (const [person, [begin, ...left]] of this.#waiting) {
      this.#waiting.delete(person)
      if (left.length > 0) this.#waiting.set(person, left)
      return begin
    }
    return undefined
  }
}
