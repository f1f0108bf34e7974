import { Readable } from 'node:stream'
import type { Stream } from '@stoa/sdk/server'

const isIterable = (value: unknown): value is AsyncIterable<string | Uint8Array> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** Whether a handler gave something that is sent piece by piece. */
export const isStream = (value: unknown): value is Stream => value instanceof Readable || isIterable(value)

/** The streams that a plugin's version has going out. */
export class OutgoingStreams {
  readonly #open = new Set<Readable>()

  /**
   * @param enter runs the plugin's code as its own, each time another piece is asked for
   * @param onFault it threw; whoever reads is cut off
   */
  send(given: Stream, enter: <R>(fn: () => R) => R, onFault: (error: unknown) => void): Readable {
    async function* pieces(): AsyncGenerator<string | Uint8Array> {
      const source = (given as AsyncIterable<string | Uint8Array>)[Symbol.asyncIterator]()
      try {
        for (;;) {
          const { done, value } = await enter(() => source.next())
          if (done) return
          yield typeof value === 'string' ? Buffer.from(value) : value
        }
      } catch (error) {
        onFault(error)
        throw error
      } finally {
        await enter(() => source.return?.())
      }
    }
    const stream = Readable.from(pieces(), { objectMode: false })
    this.#open.add(stream)
    stream.once('close', () => this.#open.delete(stream))
    return stream
  }

  /** Ends them all: their plugin has ended. */
  end(): void {
    for (const stream of this.#open) stream.destroy()
  }
}
