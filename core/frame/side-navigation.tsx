import { isAt, useKernel } from '@stoa/sdk/kernel/web'
import { Icon } from '@stoa/sdk/ui/icon'
import type { NavigationItem } from '@stoa/sdk/web'
import { Link, useLocation } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import styles from './side-navigation.module.css'
import { useCommon } from './use-common.ts'

export interface SideNavigationProps {
  place: 'side' | 'admin'
  /** A column of its own on wide screens; without, it is only the drawer. */
  column: boolean
  open: boolean
  onClose(): void
}

/** A column from 1024 px, a drawer below. */
export function SideNavigation({ place, column, open, onClose }: SideNavigationProps) {
  const kernel = useKernel()
  const t = kernel.useText('core')
  const items = kernel.useNavigation(place)
  const all = [...items, ...kernel.useNavigation('person')]
  const { pathname } = useLocation()
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const drawer = box.current
    if (!open || !drawer) return
    drawer.querySelector('a')?.focus()
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
      if (event.key !== 'Tab') return
      const links = [...drawer.querySelectorAll('a')]
      const [edge, next] = event.shiftKey ? [links[0], links.at(-1)] : [links.at(-1), links[0]]
      if (document.activeElement !== edge && drawer.contains(document.activeElement)) return
      event.preventDefault()
      next?.focus()
    }
    const wide = matchMedia('(min-width: 64rem)')
    addEventListener('keydown', onKey)
    wide.addEventListener('change', onClose)
    return () => {
      removeEventListener('keydown', onKey)
      wide.removeEventListener('change', onClose)
      // Unless it has gone elsewhere, such as to the title of the next page.
      if (document.activeElement === document.body || drawer.contains(document.activeElement))
        document.querySelector<HTMLElement>(`[aria-controls=${drawer.id}]`)?.focus()
    }
  }, [open, onClose])
  // A column that is longer than the window shows where one is.
  useEffect(() => {
    const column = box.current
    const current = column?.querySelector<HTMLElement>('[aria-current]')
    if (!column || !current) return
    const [top, bottom] = [current.offsetTop, current.offsetTop + current.offsetHeight]
    if (top < column.scrollTop || bottom > column.scrollTop + column.clientHeight) column.scrollTop = top - column.clientHeight / 2
  }, [pathname, items.length])
  const isHere = (item: NavigationItem) => isAt(pathname, item.path, item.path === '/' || leadsToOthers(item, all))
  const inside = useCommon(items, items.map((item) => (isHere(item) ? '1' : '0')).join(''), () =>
    groupsOf(items).map(([group, members]) => (
      <div key={group} className={styles.group}>
        {group && <p className={styles.heading}>{group}</p>}
        <ul>
          {members.map((item) => (
            <li key={item.path}>
              <Link to={item.path} aria-current={isHere(item) ? 'page' : undefined} className={styles.item}>
                {item.icon && <Icon name={item.icon as never} size={16} />}
                <span>{item.label}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    )),
  )
  return (
    <>
      {open && <div className={styles.veil} onClick={onClose} aria-hidden="true" />}
      <nav
        ref={box}
        id="navigation"
        className={styles.navigation}
        data-open={open || undefined}
        data-column={column || undefined}
        aria-label={t(`frame.${place}`)}
        {...inside}
      />
    </>
  )
}

/** Then being on one of those is not being here. */
const leadsToOthers = ({ path }: NavigationItem, items: NavigationItem[]): boolean =>
  items.some((other) => other.path.startsWith(`${path}/`))

function groupsOf(items: NavigationItem[]): [string, NavigationItem[]][] {
  const groups = new Map<string, NavigationItem[]>()
  for (const item of items) groups.set(item.group, [...(groups.get(item.group) ?? []), item])
  return [...groups]
}
