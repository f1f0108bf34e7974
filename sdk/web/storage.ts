const PREFIX = 'stoa:'
const SEVEN_DAYS = 7 * 24 * 60 * 60 * 1000

interface Entry {
  v: unknown
  until: number | null
}

function box(): Storage | null {
  try {
    return typeof localStorage === 'undefined' ? null : localStorage
  } catch {
    return null
  }
}

/**
 * The browser's storage with an expiry per entry. Says nothing and keeps nothing where storage is missing, full or forbidden.
 * Source: specification, section 9 (entries expire after 7 days by default).
 */
export const localStore = {
  get<T>(key: string): T | undefined {
    const text = box()?.getItem(PREFIX + key)
    if (!text) return undefined
    try {
      const entry = JSON.parse(text) as Entry
      if (entry.until !== null && entry.until < Date.now()) {
        localStore.remove(key)
        return undefined
      }
      return entry.v as T
    } catch {
      return undefined
    }
  },
  /**
   * @param lifetimeMs null keeps it for good
   * @returns whether it is stored
   */
  set(key: string, value: unknown, lifetimeMs: number | null = SEVEN_DAYS): boolean {
    const entry: Entry = { v: value, until: lifetimeMs === null ? null : Date.now() + lifetimeMs }
    try {
      const storage = box()
      storage?.setItem(PREFIX + key, JSON.stringify(entry))
      return storage !== null
    } catch {
      // Full or forbidden: the site works without.
      return false
    }
  },
  remove(key: string): void {
    try {
      box()?.removeItem(PREFIX + key)
    } catch {
      // As above.
    }
  },
}
