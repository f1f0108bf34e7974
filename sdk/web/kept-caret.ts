import type { RefObject } from 'react'
import { useLayoutEffect } from 'react'

interface Caret {
  isFocused: boolean
  start: number
  end: number
  scrollTop: number
}

/** Left by fields that go, for those that take their place within the same update. */
const left = new Map<string, Caret>()

/**
 * A field for writing takes the place of another one with the same id, such as an editor that has just been loaded or switched on, without
 * the writer noticing: focus, selection and scroll stay.
 */
export function useKeptCaret(field: RefObject<HTMLTextAreaElement | null>, id: string | undefined): void {
  useLayoutEffect(() => {
    const element = field.current
    if (!element || id === undefined) return
    const caret = left.get(id)
    if (caret) {
      element.setSelectionRange(caret.start, caret.end)
      element.scrollTop = caret.scrollTop
      if (caret.isFocused) element.focus({ preventScroll: true })
    }
    return () => {
      const { selectionStart: start, selectionEnd: end, scrollTop } = element
      left.set(id, { isFocused: document.activeElement === element, start, end, scrollTop })
      queueMicrotask(() => left.delete(id))
    }
  }, [field, id])
}
