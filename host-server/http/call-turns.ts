import { AsyncResource } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { FairQueue } from '../../sdk/server/turns.ts'

/** Calls of anybody that are answered at the same time before it is asked whose they are. */
const COMMON = 16
/** Beyond those, of one person or network to one plugin; their others to that plugin wait. */
const OWN = 8
/** Of all together. */
const MOST_WAITING = 10_000

interface Call {
  res: ServerResponse
  begin(): void
  leave(): void
}

interface Places {
  /** Who asks which plugin; absent for those that anybody may take. */
  of?: string
  free: number
  /** Somebody who waited has begun since it was looked. */
  hasMoved: boolean
}

/**
 * When a call of somebody outside begins: at once, unless the same plugin is answering many of theirs already. Who asks for a thousand at once waits for
 * a thousand and nobody else does, nor they themselves with another plugin, which may be slow or quick.
 */
export class CallTurns {
  readonly #mostOfOne: number
  readonly #roomMs: number
  readonly #queue = new FairQueue<Call>()
  readonly #common: Places = { free: COMMON, hasMoved: false }
  readonly #own = new Map<string, Places>()
  #looking: NodeJS.Timeout | undefined

  /**
   * @param waitingOfOne calls of one person or network to one plugin that may wait
   * @param roomMs milliseconds after which calls of somebody that have let none begin that waits are taken to wait for something slow: others begin
   */
  constructor({ waitingOfOne, roomMs }: { waitingOfOne: number; roomMs: number }) {
    this.#mostOfOne = waitingOfOne
    this.#roomMs = roomMs
  }

  get waiting(): number {
    return this.#queue.size
  }

  /**
   * @param of who asks which plugin, looked for where many are answered; @param begin is not called for who leaves before
   * @returns false where too many wait already
   */
  take(res: ServerResponse, of: () => string, begin: () => void): boolean {
    if (this.#common.free > 0) {
      this.#begin(res, begin, this.#common)
      return true
    }
    const asks = of()
    const own = this.#own.get(asks) ?? this.#placesOf(asks)
    if (own.free > 0) {
      this.#begin(res, begin, own)
      return true
    }
    if (this.#queue.size >= MOST_WAITING || this.#queue.sizeOf(asks) >= this.#mostOfOne) return false
    // Begun when another call ends, it belongs to its own request nevertheless.
    const call: Call = { res, begin: AsyncResource.bind(begin), leave: () => void this.#queue.remove(asks, call) }
    res.once('close', call.leave)
    this.#queue.add(asks, call)
    this.#looking ??= setInterval(() => this.#makeRoom(), this.#roomMs).unref()
    return true
  }

  #placesOf(asks: string): Places {
    const places = { of: asks, free: OWN, hasMoved: false }
    this.#own.set(asks, places)
    return places
  }

  #begin(res: ServerResponse, begin: () => void, places: Places): void {
    places.free--
    res.once('close', () => {
      // Calls that wait for nothing would follow each other at once, before anything else of this thread.
      setImmediate(() => {
        places.free++
        this.#fill(places)
      })
    })
    begin()
  }

  #fill(places: Places): void {
    const { of } = places
    // Those that waited for something slow are replaced: they let no more begin.
    if (of !== undefined && this.#own.get(of) !== places) return
    while (places.free > 0) {
      const next = of === undefined ? this.#queue.next() : this.#queue.nextOf(of)
      if (!next) break
      next.res.off('close', next.leave)
      places.hasMoved = true
      this.#begin(next.res, next.begin, places)
    }
    if (of !== undefined && places.free === OWN) this.#own.delete(of)
  }

  #makeRoom(): void {
    if (this.#queue.size === 0) {
      clearInterval(this.#looking)
      this.#looking = undefined
    }
    for (const [asks, places] of [...this.#own]) {
      if (!places.hasMoved && this.#queue.sizeOf(asks) > 0) this.#fill(this.#placesOf(asks))
      places.hasMoved = false
    }
  }
}
