import type { ServiceToken } from '@stoa/sdk'
import type { Provided } from '@stoa/sdk/server'
import { scope } from './scope.ts'
import type { View } from './view.ts'

// biome-ignore lint/suspicious/noExplicitAny: services have any shape
type Any = any

/** The view that counts now: that of the running request, else the current one. */
export type ViewNow = () => View

/** Calls through to the provider of the view, charged to it. The object stays the same over every swap. */
function entering(find: () => Provided<unknown>): Any {
  return new Proxy(Object.create(null), {
    get(_, member) {
      if (member === 'then') return undefined
      const { slug, service } = find()
      const value = (service as Any)[member]
      return typeof value === 'function' ? (...args: unknown[]) => scope.as(slug, () => value.apply(service, args)) : value
    },
    has: (_, member) => member in (find().service as object),
  })
}

const wrapped = new WeakMap<object, Any>()

function wrap(provided: Provided<unknown>): Any {
  const key = provided.service as object
  let proxy = wrapped.get(key)
  if (!proxy) {
    proxy = entering(() => provided)
    wrapped.set(key, proxy)
  }
  return proxy
}

const listed = (view: View, id: string, slug: string) =>
  view.services(id, slug).map((provided) => ({ slug: provided.slug, service: wrap(provided) }))

/** What `activate` of a plugin gets for a needed token. */
export function needed(token: ServiceToken<unknown>, now: ViewNow, slug: string): Any {
  if (token.cardinality !== 'one') return new Proxy([], { get: (_, member) => Reflect.get(listed(now(), token.id, slug), member) })
  return entering(() => {
    const provided = now().services(token.id, slug)[0]
    if (!provided) throw new Error(`No active plugin provides ${token.id}`)
    return provided
  })
}

/** What `activate` of a plugin gets for a wanted token: `current` follows every switch. */
export function wanted(token: ServiceToken<unknown>, now: ViewNow, slug: string): { readonly current: Any } {
  return {
    get current() {
      const view = now()
      if (token.cardinality !== 'one') return listed(view, token.id, slug)
      const provided = view.services(token.id, slug)[0]
      return provided && wrap(provided)
    },
  }
}
