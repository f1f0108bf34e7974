import type { ReplyPart } from '@stoa/sdk/web'
import { startTransition, useEffect, useSyncExternalStore } from 'react'
import type { CallReply, Transport } from './call.ts'
import { addressOf, call } from './call.ts'
import { waitWhile } from './wait-while.ts'
import type { Writes } from './writes.ts'

// biome-ignore lint/suspicious/noExplicitAny: each reply has a type of its own
type AnyPart = ReplyPart<any, any>

interface Reply {
  url: string
  part: AnyPart | undefined
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
  useData<T, P = T>(path: string, query?: Record<string, string | number | boolean | undefined>, part?: ReplyPart<T, P>, assumed?: P): P
  /** Asks again for everything that is on the page; what is shown stays until the new reply is there. */
  refresh(): Promise<void>
  /** Forgets what nobody reads: another page asks for itself. */
  sweep(): void
  collected(): Record<string, unknown>
}

export function createReplies(
  transport: Transport,
  about: { token(): string | undefined; language(): string; writes: Writes },
  initial: Record<string, unknown>,
  known: (url: string) => CallReply | undefined = () => undefined,
): Replies {
  /** By address and name of the part: another part of the same reply is a reply of its own. */
  const replies = new Map<string, Reply>()
  for (const [key, data] of Object.entries(initial)) {
    const [url = ''] = key.split('#', 1)
    replies.set(key, { url, part: undefined, promise: Promise.resolve(), settled: true, data, rendered: data, readers: new Set() })
  }
  async function ask({ url, part }: Reply): Promise<unknown> {
    const data = await call(transport, { method: 'GET', url, language: about.language(), token: about.token() })
    return part ? part.of(data) : data
  }

  /** Stands for those that are assumed. */
  const unasked: Reply = { url: '', part: undefined, promise: Promise.resolve(), settled: false, readers: new Set() }

  function replyOf(key: string, url: string, part: AnyPart | undefined): Reply {
    let reply = replies.get(key)
    if (!reply) {
      const fresh: Reply = { url, part, promise: Promise.resolve(), settled: false, readers: new Set() }
      const there = known(url)
      // What is refused goes the long way, which finds the words for it.
      if (there?.status === 200 && there.envelope) {
        const { data } = there.envelope
        replies.set(key, Object.assign(fresh, { data: part ? part.of(data) : data, settled: true }))
        return fresh
      }
      fresh.promise = ask(fresh).then(
        (data) => void Object.assign(fresh, { data, settled: true }),
        (error) => void Object.assign(fresh, { error, settled: true }),
      )
      replies.set(key, fresh)
      reply = fresh
    }
    reply.part = part
    return reply
  }

  return {
    useData<T, P = T>(path: string, query?: Record<string, string | number | boolean | undefined>, part?: ReplyPart<T, P>, assumed?: P): P {
      const url = addressOf(path, query)
      const key = part ? `${url}#${part.name}` : url
      const reply = assumed === undefined || replies.has(key) ? replyOf(key, url, part) : unasked
      // While a page that no longer assumes it is being drawn, what is on the screen may be drawn once more.
      const isAssumed = assumed !== undefined && (!reply.settled || reply.error !== undefined)
      waitWhile(() => (reply.settled || isAssumed ? undefined : reply.promise))
      const data = useSyncExternalStore(
        (onChange) => {
          reply.readers.add(onChange)
          reply.wasRead = true
          return () => {
            reply.readers.delete(onChange)
          }
        },
        () => (isAssumed ? assumed : reply.data),
        () => (isAssumed ? assumed : (reply.rendered ?? reply.data)),
      )
      // The last reader takes the reply along. A moment's grace, within the page: a re-mount is no new visit.
      useEffect(
        () => () => {
          setTimeout(() => {
            if (reply.readers.size === 0 && replies.get(key) === reply) replies.delete(key)
          }, 1000)
        },
        [reply, key],
      )
      if (reply.error !== undefined && !isAssumed) throw reply.error
      return data as P
    },
    async refresh() {
      await Promise.all(
        [...replies].map(async ([key, reply]) => {
          // A part of the server's HTML that is not taken over yet will read its own.
          const isAwaited = reply.rendered !== undefined && !reply.wasRead
          if (reply.readers.size === 0 && !isAwaited) return void replies.delete(key)
          try {
            const data = await about.writes.after(() => ask(reply))
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
      for (const [key, { readers, settled }] of replies) if (settled && readers.size === 0) replies.delete(key)
    },
    collected: () =>
      Object.fromEntries(
        [...replies].filter(([, reply]) => reply.settled && reply.error === undefined).map(([key, reply]) => [key, reply.data]),
      ),
  }
}
