import { useEffect, useRef } from 'react'

const typing = 'input, textarea, select, [contenteditable="true"], dialog'

/** `j` and `k` go to the next and previous row of a list; Enter opens it as any focused link. */
export function useRowKeys() {
  const box = useRef<HTMLOListElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.key !== 'j' && event.key !== 'k') || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(typing)) return
      const links = [...(box.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
      const at = links.indexOf(document.activeElement as HTMLElement)
      const next = links[event.key === 'j' ? at + 1 : Math.max(0, at - 1)]
      if (!next) return
      event.preventDefault()
      next.focus()
      next.scrollIntoView({ block: 'nearest' })
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return box
}
