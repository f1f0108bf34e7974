import type { HttpServices } from './instance.ts'

/** Seconds within which the same body by the same person is refused. */
const WINDOW_SECONDS = 300

/** Remembers bodies that were posted a short while ago. */
export function createDuplicates(now: () => number): HttpServices['duplicates'] {
  const seen = new Map<string, number>()
  const clean = () => {
    for (const [key, at] of seen) {
      if (at > now() - WINDOW_SECONDS) return
      seen.delete(key)
    }
  }
  return {
    take(key) {
      clean()
      if (seen.has(key)) return false
      seen.set(key, now())
      return true
    },
    forget: (key) => void seen.delete(key),
  }
}
