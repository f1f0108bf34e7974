import { startTransition, useEffect, useSyncExternalStore } from 'react'
import type { Transport } from './call.ts'
import { addressOf, call } from './call.ts'
import { waitWhile } from './wait-while.ts'

interface Reply {
  promise: Promise<void>
  settled: boolean
  data?: unknown
  /** What the server rendered with: parts of its HTML may be taken over after the reply was asked for again. */
  rendered?: unknown
  error?: unknown
  readers: Set<() => void>
  /** Somebody has shown it. */
  wasRead?: true
}

/** Replies that components ask for while they render. On the server they are collected; the browser starts with them. */
export interface Replies {
  useData<T>(path: string, query?: Record<string, string | number | boolean | undefined>): T
  /** Asks again for everything that is on the page; what is shown stays until the new reply is there. */
  refresh(): Promise<void>
  /** Forgets what nobody reads: another page asks for itself. */
  sweep(): void
  collected(): Record<string, unknown>
}

export function createReplies(
  transport: Transport,
  about: { token(): string | undefined; language(): string },
  initial: Record<string, unknown>,
): Replies {
  const replies = new Map<string, Reply>()
  for (const [url, data] of Object.entries(initial)) {
    replies.set(url, { promise: Promise.resolve(), settled: true, data, rendered: data, readers: new Set() })
  }
  const ask = (url: string) => call(transport, { method: 'GET', url, language: about.language(), token: about.token() })

  function replyOf(url: string): Reply {
    let reply = replies.get(url)
    if (!reply) {
      const fresh: Reply = { promise: Promise.resolve(), settled: false, readers: new Set() }
      fresh.promise = ask(url).then(
        (data) => void Object.assign(fresh, { data, settled: true }),
        (error) => void Object.assign(fresh, { error, settled: true }),
      )
      replies.set(url, fresh)
      reply = fresh
    }
    return reply
  }

  return {
    useData<T>(path: string, query?: Record<string, string | number | boolean | undefined>): T {
      const url = addressOf(path, query)
      const reply = replyOf(url)
      waitWhile(() => (reply.settled ? undefined : reply.promise))
      const data = useSyncExternalStore(
        (onChange) => {
          reply.readers.add(onChange)
          reply.wasRead = true
          return () => {
            reply.readers.delete(onChange)
          }
        },
        () => reply.data,
        () => reply.rendered ?? reply.data,
      )
      // The last reader takes the reply along. A moment's grace, within the page: a re-mount is no new visit.
      useEffect(
        () => () => {
          setTimeout(() => {
            if (reply.readers.size === 0 && replies.get(url) === reply) replies.delete(url)
          }, 1000)
        },
        [reply, url],
      )
      if (reply.error !== undefined) throw reply.error
      return data as T
    },
    async refresh() {
      await Promise.all(
        [...replies].map(async ([url, reply]) => {
          // A part of the server's HTML that is not taken over yet will read its own.
          const isAwaited = reply.rendered !== undefined && !reply.wasRead
          if (reply.readers.size === 0 && !isAwaited) return void replies.delete(url)
          try {
            const data = await ask(url)
            startTransition(() => {
              reply.data = data
              for (const tell of reply.readers) tell()
            })
          } catch {
            // What is shown stays.
          }
        }),
      )
    },
    sweep() {
      for (const [url, { readers, settled }] of replies) if (settled && readers.size === 0) replies.delete(url)
    },
    collected: () =>
      Object.fromEntries(
        [...replies].filter(([, reply]) => reply.settled && reply.error === undefined).map(([url, reply]) => [url, reply.data]),
      ),
  }
}
