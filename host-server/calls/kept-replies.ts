import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Person } from '@stoa/sdk'
import type { CallAbout, Route } from '@stoa/sdk/server'
import { kernelHooks } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'
import type { Push } from '../data/events/pushes.ts'
import type { View } from '../kernel/runtime/view.ts'
import { guard, guardClosure } from './access.ts'
import { JSON_TYPE } from './envelope.ts'
import type { HttpServices } from './http-services.ts'

/** People whose replies one call keeps. */
const MOST_PEOPLE = 20_000
/** Characters of all of them: a small reply has some hundred. */
const MOST_CHARACTERS = 16 * 2 ** 20
/** Languages, and roles somebody had meanwhile. */
const MOST_EACH = 8
/** What another node has changed is seen after this long even when its push is lost: as a session is. */
const KEPT_MS = 60_000

type Caller = NonNullable<Awaited<ReturnType<HttpServices['authenticate']>>>
type KeptRoute = Route & Required<Pick<Route, 'kept'>>

/** Who is answered, in which language, while which plugins are on: what a reply may depend on beside what is pushed. */
interface Reader {
  person: Person
  language: string
  view: View
}

const variantOf = ({ person, language, view }: Reader): string =>
  `${view.key} ${person.role} ${person.state} ${person.isHeldBack === true} ${language}`

/** Replies of one call. */
class Replies {
  readonly route: KeptRoute
  readonly #people = new LRUCache<number, ReadonlyMap<string, string>>({
    max: MOST_PEOPLE,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (variants) => [...variants].reduce((sum, [variant, text]) => sum + variant.length + text.length, 0),
    ttl: KEPT_MS,
    // A second language of somebody does not keep the first one longer.
    noUpdateTTL: true,
    // Otherwise each look sets a timer, to ask for the time once in a millisecond: that wakes the process a second time for each call.
    ttlResolution: 0,
  })
  #changes = 0

  constructor(route: KeptRoute) {
    this.route = route
  }

  heard({ id, topic }: Push): void {
    if (!this.route.kept.until.some((token) => token.id === id)) return
    if (topic === '') return this.forget()
    this.#changes++
    this.#people.delete(Number(topic))
  }

  forget(): void {
    this.#changes++
    this.#people.clear()
  }

  get(reader: Reader): string | undefined {
    return this.#people.get(reader.person.id)?.get(variantOf(reader))
  }

  begin(reader: Reader): (data: unknown, text: string) => void {
    const before = this.#changes
    return (data, text) => {
      if (before !== this.#changes || this.route.kept.if?.(data) === false) return
      const others = this.#people.get(reader.person.id) ?? new Map<string, string>()
      this.#people.set(reader.person.id, new Map([...(others.size < MOST_EACH ? others : []), [variantOf(reader), text]]))
    }
  }
}

/** What the calls of `route.kept` of one plugin have answered, to be answered again without asking it. */
export interface KeptReplies {
  /** @param otherwise answers where nothing is kept for who asks, or somebody has to be asked: the request is as it was */
  answer(view: View, req: IncomingMessage, res: ServerResponse, otherwise: () => void): void
  /** @returns keeps what is answered from now on, unless something has changed by then: it may be older */
  begin(route: Route, reader: Reader): (data: unknown, text: string) => void
  close(): void
}

/**
 * @param onGiven a kept reply goes out
 * @returns nothing for a plugin without such calls
 */
export function keepReplies(
  routes: readonly Route[],
  services: HttpServices,
  onGiven: (req: IncomingMessage, route: Route) => void,
): KeptReplies | undefined {
  const kept = new Map(routes.flatMap((route) => (route.kept ? [[route.path, new Replies(route as KeptRoute)] as const] : [])))
  if (kept.size === 0) return undefined
  const ends = [
    services.onPush((push) => {
      for (const replies of kept.values()) replies.heard(push)
    }),
    services.onFacts(() => {
      for (const replies of kept.values()) replies.forget()
    }),
  ]

  function isServed({ access }: Route, person: Person): boolean {
    try {
      guardClosure({ access, isWrite: false }, person, services.site.closure)
      guard(access, person, services.site)
      return true
    } catch {
      return false
    }
  }

  /** @returns false where nothing is kept */
  function give(replies: Replies, { person, token }: Caller, view: View, req: IncomingMessage, res: ServerResponse): boolean {
    const { route } = replies
    const language = view.texts.negotiate(req.headers['accept-language'], services.site.language)
    const text = replies.get({ person, language, view })
    if (text === undefined || !isServed(route, person)) return false
    const ip = services.addressOf(req)
    const about: CallAbout = { method: 'GET', path: route.path, fields: {}, person, ip }
    if (view.wants(kernelHooks.calling, about) || view.wants(kernelHooks.called, about)) return false
    onGiven(req, route)
    services.noteUse(token, { ip, userAgent: req.headers['user-agent'] ?? '' })
    res.setHeader('content-type', JSON_TYPE)
    res.end(text)
    return true
  }

  return {
    answer(view, req, res, otherwise) {
      const { authorization, 'content-length': length, 'transfer-encoding': encoding } = req.headers
      const replies = req.method === 'GET' && length === undefined && encoding === undefined ? kept.get(req.url ?? '') : undefined
      if (!replies || !authorization) return otherwise()
      const finding = services.authenticate(authorization)
      const enter = (found: Awaited<typeof finding>) => {
        if (!found || !give(replies, found, view, req, res)) otherwise()
      }
      if (finding instanceof Promise) finding.then(enter, otherwise)
      else enter(finding)
    },
    begin: (route, reader) => (kept.get(route.path) as Replies).begin(reader),
    close() {
      for (const end of ends) end()
    },
  }
}
