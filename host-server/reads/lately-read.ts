/** Others count as reading when two of their reads came within so many milliseconds: one may be what a write is answered with. */
const LATELY_MS = 100

/** Whether somebody reads what is short, whom slow reads should not keep waiting. */
export class LatelyRead {
  readonly #now: () => number
  #last = Number.NEGATIVE_INFINITY
  #before = Number.NEGATIVE_INFINITY

  /** @param now milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** @param reads so many at once */
  note(reads = 1): void {
    const now = this.#now()
    this.#before = reads > 1 ? now : this.#last
    this.#last = now
  }

  get isSo(): boolean {
    return this.#now() - this.#before < LATELY_MS
  }
}
