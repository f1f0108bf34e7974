import type { RefObject } from 'react'
import { useLayoutEffect, useState } from 'react'

/** Below this, text and preview beside each other would both be too narrow to read. */
const BESIDE_PX = 640
const WIDE_SCREEN = '(width >= 1024px)'

/** Whether the preview stands beside the text: on wide screens, where the place is wide enough for two. */
export function useBeside(box: RefObject<HTMLElement | null>): boolean {
  const [isBeside, setBeside] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return undefined
    const screen = matchMedia(WIDE_SCREEN)
    const look = () => setBeside(screen.matches && element.clientWidth >= BESIDE_PX)
    look()
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box])
  return isBeside
}
