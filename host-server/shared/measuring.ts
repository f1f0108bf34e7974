import type { MeasuredRequest, MeasureListener } from '@stoa/sdk/administration'

/** Milliseconds of one request, by what took them. */
export interface Timing {
  since: number
  db: number
  read: number
}

export const newTiming = (): Timing => ({ since: performance.now(), db: 0, read: 0 })

/** Value of a `Server-Timing` header. */
export function timingText(parts: Record<string, number>): string {
  return Object.entries(parts)
    .map(([name, ms]) => `${name};dur=${ms.toFixed(1)}`)
    .join(', ')
}

/** Tells listeners where time goes. */
export class Measuring {
  readonly #listeners = new Set<MeasureListener>()

  /** Somebody listens: otherwise nobody looks at a clock. */
  get isOn(): boolean {
    return this.#listeners.size > 0
  }

  listen(listener: MeasureListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  request(request: MeasuredRequest): void {
    for (const listener of this.#listeners) listener.request?.(request)
  }

  statement(ms: number, failed: boolean): void {
    for (const listener of this.#listeners) listener.statement?.(ms, failed)
  }

  /** @returns what `work` does, timed when somebody listens */
  async read<R>(lane: 'short' | 'slow', timing: Timing | undefined, work: () => Promise<R>): Promise<R> {
    if (!this.isOn) return work()
    const since = performance.now()
    try {
      return await work()
    } finally {
      const ms = performance.now() - since
      if (timing) timing.read += ms
      for (const listener of this.#listeners) listener.read?.(lane, ms)
    }
  }

  /** @param then is told how long it took */
  async render<R>(work: () => Promise<R>, then: (ms: number) => void): Promise<R> {
    if (!this.isOn) return work()
    const since = performance.now()
    let failed = true
    try {
      const made = await work()
      failed = false
      return made
    } finally {
      const ms = performance.now() - since
      then(ms)
      for (const listener of this.#listeners) listener.render?.(ms, failed)
    }
  }
}
