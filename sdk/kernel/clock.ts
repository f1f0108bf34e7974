/** Work that did not come to an end in time; what it does later is not waited for. */
export class TimedOut extends Error {}

/** What one tap has used of its time. */
export class Clock {
  #used = 0
  #since = performance.now()
  #pauses = 0
  #start: (() => void) | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Called when the time is over. */
  onLate: (() => void) | undefined

  /** Milliseconds used so far. */
  get ms(): number {
    return this.#used + (this.#pauses === 0 ? performance.now() - this.#since : 0)
  }

  /** The clock stands still, such as while a person is asked, until the returned function is called. */
  pause(): () => void {
    if (this.#pauses === 0) {
      this.#used = this.ms
      clearTimeout(this.#timer)
    }
    this.#pauses++
    let paused = true
    return () => {
      if (!paused) return
      paused = false
      this.#pauses--
      if (this.#pauses > 0) return
      this.#since = performance.now()
      this.#start?.()
    }
  }

  /** Waits for `work` until `limitMs` are used. @throws TimedOut, which names `what` */
  async within<T>(limitMs: number, what: string, work: Promise<T>): Promise<T> {
    const late = new Promise<never>((_, reject) => {
      const giveUp = () => {
        reject(new TimedOut(`${what} took longer than ${limitMs / 1000} s`))
        this.onLate?.()
      }
      // Named first: written straight into the property it would be made old, with all that the clock knows (decision 0048).
      const start = () => {
        this.#timer = setTimeout(giveUp, limitMs - this.#used)
        // Node would wait for it; browsers have nothing of the kind.
        ;(this.#timer as { unref?(): void }).unref?.()
      }
      this.#start = start
    })
    if (this.#pauses === 0) this.#start?.()
    try {
      return await Promise.race([work, late])
    } finally {
      this.#start = undefined
      clearTimeout(this.#timer)
    }
  }
}
