import { atom } from 'jotai'
import { isRefusal } from './call.ts'
import { mapAtom, pluginRow } from './registry.ts'
import type { Store } from './store.ts'

/** Plugins that kept failing in this tab, `slug@generation` → last error: left out here until somebody tries again or other code comes. */
export const restingAtom = atom<ReadonlyMap<string, unknown>>(new Map<string, unknown>())

const MOST_FAULTS = 3
const WITHIN_MS = 60_000
/** The server is told so often per plugin and page load; it only counts. */
const MOST_REPORTS = 3
const MAX_MESSAGE = 300

export interface TabFaults {
  /** A plugin's code failed in this tab. One error counts once, and what the server refused is nobody's fault. */
  charge(slug: string, error: unknown): void
  tryAgain(slug: string): void
}

export const restingKey = (slug: string, generation: string): string => `${slug}@${generation}`

/** @param report tells the server; advice to the owner, nothing more */
export function createTabFaults(store: Store, report: (body: { slug: string; generation: string; message: string }) => void): TabFaults {
  const seen = new WeakSet<object>()
  const times = new Map<string, number[]>()
  const reports = new Map<string, number>()
  const generationOf = (slug: string) => {
    const map = store.get(mapAtom)
    return map ? pluginRow(map, slug)?.[1] : undefined
  }
  return {
    charge(slug, error) {
      const generation = generationOf(slug)
      if (generation === undefined || isRefusal(error)) return
      if (typeof error === 'object' && error !== null) {
        if (seen.has(error)) return
        seen.add(error)
      }
      const key = restingKey(slug, generation)
      const sent = reports.get(key) ?? 0
      if (sent < MOST_REPORTS) {
        reports.set(key, sent + 1)
        report({ slug, generation, message: String(error).slice(0, MAX_MESSAGE) })
      }
      const now = Date.now()
      const recent = [...(times.get(key) ?? []).filter((at) => now - at < WITHIN_MS), now]
      times.set(key, recent)
      if (recent.length >= MOST_FAULTS) store.set(restingAtom, new Map(store.get(restingAtom)).set(key, error))
    },
    tryAgain(slug) {
      const key = restingKey(slug, generationOf(slug) ?? '')
      times.delete(key)
      const rest = new Map(store.get(restingAtom))
      rest.delete(key)
      store.set(restingAtom, rest)
    },
  }
}

/** Plugin whose file stands first in a stack. */
export const slugOfStack = (stack: string): string | undefined => /\/static\/js\/([\w-]+)\//.exec(stack)?.[1]
