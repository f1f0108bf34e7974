import { useCallback, useEffect, useRef, useState } from 'react'

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
  /** @param lifetimeMs null keeps it for good */
  set(key: string, value: unknown, lifetimeMs: number | null = SEVEN_DAYS): void {
    const entry: Entry = { v: value, until: lifetimeMs === null ? null : Date.now() + lifetimeMs }
    try {
      box()?.setItem(PREFIX + key, JSON.stringify(entry))
    } catch {
      // Full or forbidden: the site works without.
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

export interface Draft<T> {
  /** What an earlier visit left, until it is restored or cleared. Undefined on the server and at first render. */
  stored: { value: T; savedAt: number } | undefined
  /** Time of the last save in unix milliseconds, for "saved at …". */
  savedAt: number | undefined
  /** Forgets what is stored, after sending or on demand. */
  clear(): void
}

interface StoredDraft<T> {
  value: T
  savedAt: number
}

/** How long nobody types before a draft is saved. Source: specification, section 9. */
const DEBOUNCE_MS = 3000

/**
 * Keeps what somebody writes: saved after 3 s without a change, and at once when the page is hidden or left.
 * @param key unique per form, e.g. `answer:10010000000000001`
 * @param isEmpty true: there is nothing worth keeping, a stored draft is removed
 */
export function useDraft<T>(key: string, value: T, isEmpty: (value: T) => boolean): Draft<T> {
  const name = `draft:${key}`
  const [stored, setStored] = useState<StoredDraft<T>>()
  const [savedAt, setSavedAt] = useState<number>()
  const text = JSON.stringify(value)
  const latest = useRef({ value, text, isEmpty })
  latest.current = { value, text, isEmpty }
  const saved = useRef(text)

  useEffect(() => {
    setStored(localStore.get<StoredDraft<T>>(name))
    setSavedAt(undefined)
    saved.current = latest.current.text
  }, [name])

  const save = useCallback(() => {
    const now = latest.current
    if (now.text === saved.current) return
    saved.current = now.text
    if (now.isEmpty(now.value)) {
      localStore.remove(name)
      setSavedAt(undefined)
      return
    }
    const at = Date.now()
    localStore.set(name, { value: now.value, savedAt: at })
    setSavedAt(at)
  }, [name])

  useEffect(() => {
    const timer = setTimeout(save, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, save])

  useEffect(() => {
    const onHide = () => save()
    addEventListener('pagehide', onHide)
    document.addEventListener('visibilitychange', onHide)
    return () => {
      removeEventListener('pagehide', onHide)
      document.removeEventListener('visibilitychange', onHide)
      save()
    }
  }, [save])

  const clear = useCallback(() => {
    localStore.remove(name)
    saved.current = latest.current.text
    setStored(undefined)
    setSavedAt(undefined)
  }, [name])

  return { stored, savedAt, clear }
}
