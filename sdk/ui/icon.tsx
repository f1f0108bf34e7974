import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import styles from './icon.module.css'
import type { IconName } from './icon-set.ts'

export type { IconName }

type Draw = (name: string) => string
let draw: Draw | undefined
let loading: Promise<void> | undefined
const waiting = new Set<() => void>()

/** Fetches the drawings. The first view comes without: its icons stand in the HTML already. The server calls this before it renders. */
export function loadIcons(): Promise<void> {
  loading ??= import(/* webpackChunkName: "icons" */ './icon-set.ts').then(
    ({ drawingOf }) => {
      draw = drawingOf
      for (const tell of waiting) tell()
    },
    () => {
      loading = undefined
    },
  )
  return loading
}

function subscribe(tell: () => void): () => void {
  waiting.add(tell)
  return () => waiting.delete(tell)
}
const drawn = (): Draw | undefined => draw

interface IconProps {
  /** Others than these, as a plugin's manifest may have, become a circle. */
  name: IconName | (string & {})
  size?: 14 | 16 | 18 | 20 | 24 | 32
  /** Name for screen readers where the icon stands alone; without one it is decoration. */
  label?: string
  className?: string
}

/** One icon of the set, in the colour of the text. Keeps its place until it is drawn. */
export function Icon({ name, size = 16, label, className }: IconProps) {
  const known = useSyncExternalStore(subscribe, drawn, drawn)
  const box = useRef<SVGSVGElement>(null)
  // The same object for the same drawing: with another one React would empty what the server drew.
  const html = useMemo(() => ({ __html: known?.(name) ?? '' }), [known, name])
  useEffect(() => {
    if (html.__html === '' && !box.current?.firstChild) void loadIcons()
  }, [html])
  const about = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <svg
      ref={box}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      className={className ? `${styles.icon} ${className}` : styles.icon}
      suppressHydrationWarning
      dangerouslySetInnerHTML={html}
      {...about}
    />
  )
}
