import type { RefObject } from 'react'
import { useEffect } from 'react'

/** Text and preview beside each other show the same part: whichever is scrolled takes the other along. */
export function useScrollTogether(panes: RefObject<HTMLElement | null>, isOn: boolean): void {
  useEffect(() => {
    const box = panes.current
    if (!box || !isOn) return undefined
    /** Moved by us: its event is an echo. */
    let led: Element | undefined
    const follow = ({ target }: Event) => {
      if (!(target instanceof HTMLElement)) return
      if (target === led) {
        led = undefined
        return
      }
      const other = box.querySelector<HTMLElement>(target.matches('textarea') ? 'section' : 'textarea')
      const [from, to] = [target.scrollHeight - target.clientHeight, other ? other.scrollHeight - other.clientHeight : 0]
      if (!other || from <= 0 || to <= 0 || !target.matches('textarea, section')) return
      const top = Math.round((target.scrollTop / from) * to)
      if (top === Math.round(other.scrollTop)) return
      led = other
      other.scrollTop = top
    }
    // Scroll events of elements do not bubble.
    box.addEventListener('scroll', follow, { capture: true, passive: true })
    return () => box.removeEventListener('scroll', follow, { capture: true })
  }, [panes, isOn])
}
