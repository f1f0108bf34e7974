import type { IncomingMessage } from 'node:http'
import type { Person } from '@stoa/sdk'
import type { CallAbout, Route } from '@stoa/sdk/server'
import { kernelHooks } from '@stoa/sdk/server'
import { LRUCache } from 'lru-cache'
import type { Push } from '../data/events/pushes.ts'
import type { KeptCalls, View } from '../kernel/runtime/view.ts'
import { guard, guardClosure } from './access.ts'
import type { HttpServices } from './http-services.ts'

/** People whose replies one call keeps. */
const MOST_PEOPLE = 20_000
/** Characters of all of them: a small reply has some hundred. */
const MOST_CHARACTERS = 16 * 2 ** 20
/** Languages, and roles somebody had meanwhile. */
const MOST_EACH = 8
/** What another node has changed is seen after this long even when nobody noticed that its push was lost. */
const KEPT_MS = 300_000

type KeptRoute = Route & Required<Pick<Route, 'kept'>>

/** Who is answered, in which language, while which plugins are on: what a reply may depend on beside what is pushed. */
interface Reader {
  person: Person
  language: string
  view: View
}

/** A reply, and for whom it was made. */
interface Kept {
  person: Person
  language: string
  /** Of the view, which this must not hold. */
  viewKey: number
  text: string
}

const isFor = (kept: Kept, { person, language, view }: Reader): boolean =>
  kept.viewKey === view.key &&
  kept.language === language &&
  kept.person.role === person.role &&
  kept.person.state === person.state &&
  kept.person.isHeldBack === person.isHeldBack

/** Replies of one call. */
class Replies {
  readonly route: KeptRoute
  readonly #people = new LRUCache<number, readonly Kept[]>({
    max: MOST_PEOPLE,
    maxSize: MOST_CHARACTERS,
    sizeCalculation: (all) => all.reduce((sum, { text }) => sum + text.length, 0),
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
    return this.#people.get(reader.person.id)?.find((kept) => isFor(kept, reader))?.text
  }

  begin(reader: Reader): (data: unknown, text: string) => void {
    const before = this.#changes
    return (data, text) => {
      if (before !== this.#changes || this.route.kept.if?.(data) === false) return
      const { person, language, view } = reader
      const others = (this.#people.get(person.id) ?? []).filter((kept) => !isFor(kept, reader))
      const kept: Kept = { person, language, viewKey: view.key, text }
      this.#people.set(person.id, others.length < MOST_EACH ? [...others, kept] : [kept])
    }
  }
}

/** What the calls of `route.kept` of one plugin have answered, to be answered again without asking it. */
export interface KeptReplies extends KeptCalls {
  /** Resolves when it is known who asks; nothing where that is known already. */
  identify(req: IncomingMessage): Promise<unknown> | undefined
  /** @returns keeps what is answered from now on, unless something has changed by then: it may be older */
  begin(route: Route, reader: Reader): (data: unknown, text: string) => void
  close(): void
}

/** @returns nothing for a plugin without such calls */
export function keepReplies(routes: readonly Route[], services: HttpServices): KeptReplies | undefined {
  const kept = new Map(routes.flatMap((route) => (route.kept ? [[route.path, new Replies(route as KeptRoute)] as const] : [])))
  if (kept.size === 0) return undefined
  const forget = () => {
    for (const replies of kept.values()) replies.forget()
  }
  const ends = [
    services.onPush((push) => {
      for (const replies of kept.values()) replies.heard(push)
    }),
    services.onPushesMissed(forget),
    services.onFacts(forget),
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

  return {
    paths: [...kept.keys()],
    find(view, req) {
      const { headers } = req
      const { authorization } = headers
      if (req.method !== 'GET' || !authorization || headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined)
        return
      const replies = kept.get(req.url ?? '')
      const found = replies && services.known(authorization)
      if (!found) return
      const { person, token } = found
      const { route } = replies
      const language = view.texts.negotiate(headers['accept-language'], services.site.language)
      const text = replies.get({ person, language, view })
      if (text === undefined || !isServed(route, person)) return
      const ip = services.addressOf(req)
      const about: CallAbout = { method: 'GET', path: route.path, fields: {}, person, ip }
      if (view.wants(kernelHooks.calling, about) || view.wants(kernelHooks.called, about)) return
      services.noteUse(token, { ip, userAgent: headers['user-agent'] ?? '' })
      return { path: route.path, text }
    },
    identify(req) {
      const found = kept.has(req.url ?? '') && services.authenticate(req.headers.authorization)
      return found instanceof Promise ? found : undefined
    },
    begin: (route, reader) => (kept.get(route.path) as Replies).begin(reader),
    close() {
      for (const end of ends) end()
    },
  }
}
