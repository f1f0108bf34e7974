import type { CallToken } from '@stoa/sdk'
import type { PageModule, PageRequest, SiteState } from '@stoa/sdk/web'
import type { PrimitiveAtom } from 'jotai'
import { atom } from 'jotai'
import { startTransition } from 'react'
import type { PageContent, PageFailure } from '../../sdk/pages/page-state.ts'
import type { Transport } from './call.ts'
import { addressOf, call, isApiError, pathOf } from './call.ts'
import type { Loader } from './loader.ts'
import type { Route } from './registry.ts'
import type { Store } from './store.ts'
import type { Texts } from './texts.ts'
import type { Writes } from './writes.ts'

/** Content of one history entry. */
export interface PageResource {
  content: PrimitiveAtom<PageContent | null>
  /** What the server rendered with; the page may be taken over after its content was loaded again. */
  rendered?: PageContent
  slug: string
  /** Resolves when module, texts and first content are there; never rejects. */
  ready: Promise<void>
  settled: boolean
  /** Where `load` wants to go instead. */
  redirect?: string
  /** Why the code could not be had; named in the error page. */
  broken?: unknown
  reload(): Promise<void>
}

export interface PageLoader {
  /** The resource of a history entry, started when it is new. */
  open(entry: { key: string; pathname: string; search: string }, route: Route, params: Record<string, string>): PageResource
  /** Asks for what a page will show, before anybody goes there. Once shown, the server is told. */
  ahead(entry: { pathname: string; search: string }, route: Route, params: Record<string, string>): void
  /** Entry of the first view, with the content of the document. */
  seed(key: string, content: PageContent): void
  /** Everything but the entry's own is forgotten, that one is loaded again: the person changed, or what is on. */
  refresh(key: string): Promise<void>
}

class Redirect {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }
}
class NotFound {}

const KEPT_ENTRIES = 12
/** What was fetched ahead is old after this time. */
const AHEAD_MS = 20_000

export interface PageLoaderParts {
  store: Store
  loader: Loader
  texts: Texts
  transport: Transport
  writes: Writes
  token(): string | undefined
  language(): string
  site(): SiteState
  /** Whether the plugin of a page is on. */
  isOn(slug: string): boolean
  /** A page whose content was asked for ahead is shown. */
  seen(path: string): void
  /** 401 while a page loads. */
  signedOut(): void
}

export function createPageLoader(parts: PageLoaderParts): PageLoader {
  const resources = new Map<string, PageResource>()
  const seeds = new Map<string, PageContent>()
  /** By address and plugin. */
  const early = new Map<string, { resource: PageResource; until: number }>()

  /** What was fetched ahead for the address, unless it is old or came to nothing. */
  function taken(entry: { pathname: string; search: string }, route: Route): PageResource | undefined {
    const path = entry.pathname + entry.search
    const found = early.get(`${path} ${route.slug}`)
    early.clear()
    if (!found || found.until < Date.now() || found.resource.broken !== undefined) return undefined
    if (found.resource.settled && parts.store.get(found.resource.content)?.failure) return undefined
    parts.seen(path)
    return found.resource
  }

  function open(entry: { key: string; pathname: string; search: string }, route: Route, params: Record<string, string>): PageResource {
    const id = `${entry.key} ${entry.pathname}${entry.search} ${route.slug}`
    const there = resources.get(id)
    if (there) {
      resources.delete(id)
      resources.set(id, there)
      return there
    }
    const seed = seeds.get(entry.key)
    const resource = (seed ? undefined : taken(entry, route)) ?? start(entry, route, params, seed)
    seeds.delete(entry.key)
    resources.set(id, resource)
    if (resources.size > KEPT_ENTRIES) resources.delete(resources.keys().next().value as string)
    return resource
  }

  function start(
    entry: { pathname: string; search: string },
    route: Route,
    params: Record<string, string>,
    seed: PageContent | undefined,
    isAhead = false,
  ): PageResource {
    const key = entry.pathname + entry.search
    const content = atom<PageContent | null>(null) as PrimitiveAtom<PageContent | null>
    const resource: PageResource = { content, slug: route.slug, ready: Promise.resolve(), settled: false, reload: () => run(true) }

    async function run(keepOld: boolean): Promise<void> {
      const module = (await parts.loader.load(route.slug, route.generation, route.module)) as unknown as PageModule
      let next: PageContent
      try {
        const data = module.load ? await module.load(requestOf(entry, params, isAhead && !keepOld)) : undefined
        next = { key, data }
      } catch (error) {
        if (error instanceof Redirect) {
          resource.redirect = error.path
          next = { key }
        } else {
          const failure = failureOf(error)
          if (isApiError(error) && error.code === 401 && !isAhead) parts.signedOut()
          if (keepOld && failure.status === 500) throw error
          next = { key, failure }
        }
      }
      if (keepOld) startTransition(() => parts.store.set(content, next))
      else parts.store.set(content, next)
    }

    if (seed && parts.loader.peek(route.slug, route.generation, route.module)) {
      parts.store.set(content, seed)
      resource.rendered = seed
      resource.settled = true
      return resource
    }
    const texts = parts.texts.ensureWhole(route.slug, parts.language())
    resource.ready = Promise.all([run(false), texts]).then(
      () => {
        resource.settled = true
      },
      (error) => {
        resource.broken = error
        resource.settled = true
      },
    )
    return resource
  }

  function requestOf(entry: { pathname: string; search: string }, params: Record<string, string>, isAhead: boolean): PageRequest {
    return {
      params,
      query: new URLSearchParams(entry.search),
      language: parts.language(),
      site: parts.site(),
      async get<T>(
        what: string | CallToken,
        options: {
          query?: Record<string, string | number | boolean | undefined>
          params?: Record<string, unknown>
          allow404?: boolean
        } = {},
      ) {
        try {
          return (await call(parts.transport, {
            method: 'GET',
            url: addressOf(pathOf(what, options.params), options.query),
            language: parts.language(),
            token: parts.token(),
            ...(isAhead && { headers: { Purpose: 'prefetch' } }),
          })) as T
        } catch (error) {
          if (options.allow404 && isApiError(error) && error.code === 404) throw new NotFound()
          throw error
        }
      },
      redirect(path: string): never {
        throw new Redirect(path)
      },
      notFound(): never {
        throw new NotFound()
      },
    }
  }

  return {
    open,
    ahead(entry, route, params) {
      const id = `${entry.pathname}${entry.search} ${route.slug}`
      if ((early.get(id)?.until ?? 0) > Date.now()) return
      // Only what was pointed at last: who runs along a list asks for little more than they read.
      early.clear()
      early.set(id, { resource: start(entry, route, params, undefined, true), until: Date.now() + AHEAD_MS })
    },
    seed: (key, content) => void seeds.set(key, content),
    async refresh(key) {
      early.clear()
      const kept = [...resources].filter(([id]) => id.startsWith(`${key} `))
      resources.clear()
      for (const [id, resource] of kept) resources.set(id, resource)
      // What is shown stays when the new content cannot be had; a page whose plugin is off would only ask in vain.
      const asking = kept.filter(([, { slug }]) => parts.isOn(slug))
      await Promise.all(asking.map(([, resource]) => parts.writes.after(resource.reload).catch(() => {})))
    },
  }
}

/** A page that cannot be loaded is 403, 404 or 50X; an address the server calls malformed is one that does not exist. */
export function failureOf(error: unknown): PageFailure {
  if (error instanceof NotFound) return { status: 404 }
  if (isApiError(error)) {
    if (error.code === 401) return { status: 403 }
    if (error.code === 403) return { status: 403, message: error.msg }
    if (error.code === 404 || error.code === 400) return { status: 404 }
  }
  return { status: 500 }
}
