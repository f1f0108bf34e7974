import { Link, useLocation } from '@stoa/sdk/web'
import type { KeyboardEvent, ReactNode } from 'react'
import { useEffect, useId, useRef } from 'react'
import { classNames } from './class-names.ts'
import { Count } from './number.tsx'
import styles from './tabs.module.css'

export interface Tab {
  id: string
  label: ReactNode
  count?: number
  panel: ReactNode
}

interface TabsProps {
  /** Name of the group. */
  label: string
  tabs: readonly Tab[]
  value: string
  onChange(id: string): void
  className?: string
}

/** Where the row is longer than the screen, the chosen tab is brought into sight. */
function useInSight<T extends HTMLElement>(chosen: unknown) {
  const row = useRef<T>(null)
  useEffect(() => {
    const { current: box } = row
    const tab = box?.querySelector<HTMLElement>('[aria-current], [aria-selected="true"]')
    if (box && tab && chosen !== undefined) box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2
  }, [chosen])
  return row
}

/** Parts of one page behind tabs: arrows move and choose, Home and End go to the ends. Only the chosen panel is there. */
export function Tabs({ label, tabs, value, onChange, className }: TabsProps) {
  const id = useId()
  const chosen = tabs.find((tab) => tab.id === value) ?? tabs[0]
  const row = useInSight<HTMLDivElement>(chosen?.id)
  const onKey = (event: KeyboardEvent<HTMLDivElement>) => {
    const now = tabs.findIndex((tab) => tab.id === chosen?.id)
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[event.key]
    const next = to === undefined ? undefined : tabs[to % tabs.length]
    if (!next) return
    event.preventDefault()
    onChange(next.id)
    document.getElementById(`${id}-${next.id}`)?.focus()
  }
  return (
    <div className={className}>
      <div ref={row} role="tablist" aria-label={label} className={styles.tabs} data-sideways="" onKeyDown={onKey}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === chosen?.id}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === chosen?.id ? 0 : -1}
            className={styles.tab}
            onClick={() => onChange(tab.id)}
          >
            {tab.label}
            {tab.count !== undefined && <Count value={tab.count} className={styles.count} />}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen?.id}`} className={styles.panel}>
        {chosen?.panel}
      </div>
    </div>
  )
}

interface TabLink {
  to: string
  label: ReactNode
  count?: number
  /** Default: whether the path (and the query, where `to` has one) is the present one. */
  current?: boolean
}

/** Tabs that are addresses, such as the orders of a list: a navigation with links, works without JavaScript. */
export function TabLinks({ label, items, className }: { label: string; items: readonly TabLink[]; className?: string }) {
  const { pathname, search } = useLocation()
  const row = useInSight<HTMLElement>(pathname + search)
  return (
    <nav ref={row} aria-label={label} className={classNames(styles.tabs, className)} data-sideways="">
      {items.map((item) => {
        const current = item.current ?? (item.to === pathname || item.to === pathname + search)
        return (
          <Link key={item.to} to={item.to} className={styles.tab} aria-current={current ? 'page' : undefined}>
            {item.label}
            {item.count !== undefined && <Count value={item.count} className={styles.count} />}
          </Link>
        )
      })}
    </nav>
  )
}
