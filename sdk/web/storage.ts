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

/** What could not be stored lives as long as the page, so that logging in, a draft that its plugin left and a choice work where nothing is stored. */
const inPage = new Map<string, string>()

function read(key: string): string | null {
  try {
    return inPage.get(key) ?? box()?.getItem(PREFIX + key) ?? null
  } catch {
    return null
  }
}

/**
 * The browser's storage with an expiry per entry. Where storage is missing, full or forbidden, as in browsers inside other apps, entries are
 * kept until the page goes. Source: specification, section 9 (entries expire after 7 days by default).
 */
export const localStore = {
  get<T>(key: string): T | undefined {
    const text = read(key)
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
   * @returns whether it is stored, and outlives the page
   */
  set(key: string, value: unknown, lifetimeMs: number | null = SEVEN_DAYS): boolean {
    const entry: Entry = { v: value, until: lifetimeMs === null ? null : Date.now() + lifetimeMs }
    const text = JSON.stringify(entry)
    try {
      const storage = box()
      if (storage) {
        storage.setItem(PREFIX + key, text)
        inPage.delete(key)
        return true
      }
    } catch {
      // Full or forbidden.
    }
    // A server draws for many people: nothing of one may stay there.
    if (typeof document !== 'undefined') inPage.set(key, text)
    return false
  },
  remove(key: string): void {
    inPage.delete(key)
    try {
      box()?.removeItem(PREFIX + key)
    } catch {
      // As above.
    }
  },
}
