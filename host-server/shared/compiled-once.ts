import { LRUCache } from 'lru-cache'

/** Of all plugins of a checkout, twice. */
const kept = new LRUCache<string, object>({ max: 4_000 })
let keeps = false

/**
 * From now on this process keeps what it compiles: for tests, which open site after site (measured: an eighth of what such a process does). The
 * process of one site would keep the code of every version that ever ran.
 */
export function keepCompiled(): void {
  keeps = true
}

/** @param keyOf everything that the result depends on; long, so it is put together only where something is kept */
export function compiledOnce<T extends object>(keyOf: () => string, compile: () => T): T {
  if (!keeps) return compile()
  const key = keyOf()
  const found = kept.get(key) as T | undefined
  if (found) return found
  const made = compile()
  kept.set(key, made)
  return made
}
