import type { Transport } from './call.ts'

/** What this page changes on the server, and replies that may be older than it. */
export interface Writes {
  /** The same transport; it is known what it has on its way. */
  watched(transport: Transport): Transport
  /**
   * What `ask` gives, asked for again when a write was on its way meanwhile: what one has just done would not be in it, and would go from the screen.
   * Writes are waited for, so only for what is on the screen already.
   */
  after<T>(ask: () => Promise<T>): Promise<T>
}

/** Somebody who writes all the time is not waited for for ever. */
const MOST_ASKED = 3

export function createWrites(): Writes {
  const open = new Set<Promise<unknown>>()
  let ended = 0
  return {
    watched: (transport) => (request) => {
      const reply = transport(request)
      if (request.method === 'GET') return reply
      open.add(reply)
      const end = () => {
        open.delete(reply)
        ended++
      }
      reply.then(end, end)
      return reply
    },
    async after(ask) {
      for (let asked = 1; ; asked++) {
        const before = ended
        const found = await ask()
        if (asked === MOST_ASKED || (open.size === 0 && ended === before)) return found
        await Promise.allSettled(open)
      }
    },
  }
}
