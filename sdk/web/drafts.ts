import { useCallback, useEffect, useRef, useState } from 'react'
import { useLogin } from './hooks.ts'
import { localStore } from './storage.ts'

export interface Draft<T> {
  /** What an earlier visit left, until it is cleared. Undefined on the server and at first render. */
  stored: { value: T; savedAt: number } | undefined
  /** What was stored has been put back into the form. */
  isRestored: boolean
  /** Another text for the same form that waits beside this one, such as that of another tab. */
  other: { value: T; savedAt: number } | undefined
  /** Puts the other one into the form; what stands there waits in its place. */
  takeOther(): void
  /** Time of the last save in unix milliseconds, for "saved at …". */
  savedAt: number | undefined
  /** Whatever is typed is stored when the page is left: nobody has to be asked before. False where the browser stores nothing. */
  isKept: boolean
  /** Forgets what is stored, after sending or on demand. */
  clear(): void
}

/** One text for a form. Each form that is open stores one of its own. */
interface Copy<T> {
  value: T
  savedAt: number
  /** Which open form wrote it. */
  by?: string
  /** Whose text it began with, and replaces. */
  from?: string | undefined
}

/** How long nobody types before a draft is saved. Source: specification, section 9. */
const DEBOUNCE_MS = 3000
const MOST_COPIES = 3

const newId = (): string => Math.random().toString(36).slice(2)

/** Newest first. */
function copiesOf<T>(name: string): Copy<T>[] {
  return localStore.get<Copy<T>[]>(name) ?? []
}

/** Whether this browser stores anything. */
function isStoring(): boolean {
  const isStored = localStore.set('draft', true)
  localStore.remove('draft')
  return isStored
}

/** Where drafts of a form are stored: each person of a browser has their own. Undefined until it is known who one is. */
function useName(key: string): string | undefined {
  const { person, known } = useLogin()
  return known ? `draft:${person?.id ?? ''}:${key}` : undefined
}

/** Whether a draft waits for this form. */
export function useHasDraft(key: string): boolean {
  const name = useName(key)
  const [has, setHas] = useState(false)
  useEffect(() => setHas(name !== undefined && copiesOf(name).length > 0), [name])
  return has
}

/**
 * Keeps what somebody writes: saved after 3 s without a change, and at once when the page is hidden or left.
 * @param key unique per form, e.g. `answer:10010000000000001`
 * @param isEmpty true: there is nothing worth keeping, a stored draft is removed
 * @param restore puts a stored draft into the form, once, while nothing was typed; without it the form offers `stored` itself
 */
export function useDraft<T>(key: string, value: T, isEmpty: (value: T) => boolean, restore?: (value: T) => void): Draft<T> {
  const name = useName(key)
  const text = JSON.stringify(value)
  const latest = useRef({ value, text, isEmpty, restore })
  latest.current = { value, text, isEmpty, restore }
  const [shown, setShown] = useState<Pick<Draft<T>, 'stored' | 'isRestored' | 'other' | 'savedAt' | 'isKept'>>({
    stored: undefined,
    isRestored: false,
    other: undefined,
    savedAt: undefined,
    isKept: false,
  })
  const show = (part: Partial<typeof shown>) => setShown((now) => ({ ...now, ...part }))
  /** This form, and the copy its text began with. */
  const own = useRef<{ id: string; from?: string | undefined; first: string; saved: string; wasSaved: boolean }>({
    id: newId(),
    first: text,
    saved: text,
    wasSaved: false,
  })

  const begin = useCallback((copy: Copy<T>) => {
    const { restore } = latest.current
    Object.assign(own.current, { from: copy.by ?? '', saved: restore ? JSON.stringify(copy.value) : latest.current.text })
    restore?.(copy.value)
  }, [])

  const others = useCallback(
    (where: string) => copiesOf<T>(where).filter(({ by = '' }) => by !== own.current.id && by !== own.current.from),
    [],
  )

  const save = useCallback(() => {
    if (name === undefined) return
    const { current } = own
    const { value: present, text: presentText, isEmpty: isNothing } = latest.current
    // Another tab went on from this text and has replaced it; here it stands as it was.
    const isReplaced =
      current.wasSaved &&
      copiesOf<T>(name).every(({ by }) => by !== current.id) &&
      copiesOf<T>(name).some(({ from }) => from === current.id)
    if (presentText === current.saved && !isReplaced) return
    current.saved = presentText
    const rest = others(name)
    current.wasSaved = !isNothing(present)
    if (!current.wasSaved) {
      if (rest.length === 0) localStore.remove(name)
      else localStore.set(name, rest)
      return show({ savedAt: undefined })
    }
    const savedAt = Date.now()
    const copy: Copy<T> = { value: present, savedAt, by: current.id, from: current.from }
    const isKept = localStore.set(name, [copy, ...rest].slice(0, MOST_COPIES))
    show({ isKept, savedAt: isKept ? savedAt : undefined })
  }, [name, others])

  useEffect(() => {
    const { current } = own
    current.saved = latest.current.text
    if (name === undefined) return
    const [newest, next] = copiesOf<T>(name)
    const isTouched = latest.current.text !== current.first
    if (newest && !isTouched) begin(newest)
    show({
      stored: newest,
      isRestored: newest !== undefined && !isTouched && latest.current.restore !== undefined,
      other: newest && isTouched ? newest : next,
      savedAt: undefined,
      isKept: isStoring(),
    })
  }, [name, begin])

  useEffect(() => {
    const timer = setTimeout(save, DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, save])

  useEffect(() => {
    addEventListener('pagehide', save)
    document.addEventListener('visibilitychange', save)
    return () => {
      removeEventListener('pagehide', save)
      document.removeEventListener('visibilitychange', save)
      save()
    }
  }, [save])

  const clear = useCallback(() => {
    if (name === undefined) return
    const rest = others(name)
    if (rest.length === 0) localStore.remove(name)
    else localStore.set(name, rest)
    Object.assign(own.current, { from: undefined, saved: latest.current.text, wasSaved: false })
    show({ stored: undefined, isRestored: false, other: rest[0], savedAt: undefined })
  }, [name, others])

  const takeOther = () => {
    if (!shown.other || name === undefined) return
    save()
    const mine = copiesOf<T>(name).find(({ by }) => by === own.current.id || by === own.current.from)
    own.current = { ...own.current, id: newId(), wasSaved: false }
    begin(shown.other)
    show({ other: mine, isRestored: true, savedAt: undefined })
  }

  return { ...shown, clear, takeOther }
}
