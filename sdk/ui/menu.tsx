import { Link } from '@stoa/sdk/web'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import buttonStyles from './button.module.css'
import { classNames } from './class-names.ts'
import type { IconName } from './icon.tsx'
import { Icon } from './icon.tsx'
import styles from './menu.module.css'

export interface MenuAction {
  label: string
  icon?: IconName
  /** A link … */
  to?: string
  /** … or something to do. */
  onSelect?(): void
  tone?: 'danger'
  disabled?: boolean
  /** Given: one of several choices, and whether it is the one. */
  checked?: boolean
}

export type MenuItem = MenuAction | 'separator'

interface MenuProps {
  /** Name of the button, and of the menu. Entries that are no links are drawn when somebody comes near it. */
  label: string
  items: readonly MenuItem[]
  /** Entries of other plugins, behind the rest: each draws {@link MenuEntry}. */
  more?: ReactNode
  /** Default `more` when there is no content of its own. */
  icon?: IconName
  /** What the button shows instead of an icon alone: text, a picture. */
  children?: ReactNode
  variant?: 'secondary' | 'quiet'
  size?: 'small' | 'medium'
  /** Which edges meet; default `end`. */
  align?: 'start' | 'end'
  className?: string
}

/** A button with a menu of actions: arrows, Home, End, first letters, Esc. Lies in the top layer; light dismiss is the browser's. */
export function Menu({ label, items, more, icon, children, variant = 'quiet', size = 'medium', align = 'end', className }: MenuProps) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const last = useRef(false)
  const [isNear, setNear] = useState(false)
  // Most menus of a page are never opened. Links work before there are scripts, and without entries of its own it is only there if others have some.
  const isOfOthers = items.length === 0
  const isDrawn = isNear || isOfOthers || items.some((item) => item !== 'separator' && item.to !== undefined)
  const draw = () => setNear(true)
  useEffect(() => {
    if (list.current?.matches(':popover-open')) setNear(true)
  }, [])
  const entries = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
  const close = () => list.current?.hidePopover()

  const onButtonKey = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    last.current = event.key === 'ArrowUp'
    list.current?.showPopover({ source: button.current ?? undefined })
  }
  const onListKey = (event: KeyboardEvent) => {
    if (event.key === 'Tab') return close()
    const all = entries()
    const now = all.indexOf(document.activeElement as HTMLElement)
    const next = target(event.key, all, now)
    if (!next) return
    event.preventDefault()
    next.focus()
  }

  return (
    <div className={classNames(styles.menu, className)} data-others={isOfOthers || undefined}>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className={classNames(
          buttonStyles.button,
          buttonStyles[variant],
          size === 'small' && buttonStyles.small,
          !children && buttonStyles.iconOnly,
        )}
        title={children ? undefined : label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-controls={id}
        onKeyDown={onButtonKey}
        onPointerEnter={draw}
        onFocus={draw}
      >
        {icon || !children ? <Icon name={icon ?? 'more'} size={children ? 16 : 18} /> : null}
        {children}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        tabIndex={-1}
        className={classNames(styles.list, align === 'start' ? styles.start : styles.end)}
        onKeyDown={onListKey}
        onBeforeToggle={(event) => {
          if (event.newState !== 'open') return
          draw()
          place(button.current, list.current, align)
        }}
        onToggle={(event) => {
          setOpen(event.newState === 'open')
          if (event.newState !== 'open') return
          const all = entries()
          ;(last.current ? all.at(-1) : all[0])?.focus()
          last.current = false
        }}
      >
        {isDrawn &&
          items.map((item, index) =>
            item === 'separator' ? <hr key={index} className={styles.separator} /> : <MenuEntry key={item.label} {...item} />,
          )}
        {isDrawn && more}
      </div>
    </div>
  )
}

/** One entry of a menu that it is drawn in; it closes the menu when it is chosen. */
export function MenuEntry(item: MenuAction) {
  const close = ({ currentTarget }: { currentTarget: Element }) => currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
  const about = {
    role: item.checked === undefined ? 'menuitem' : 'menuitemradio',
    'aria-checked': item.checked,
    'aria-disabled': item.disabled || undefined,
    'data-item': '',
    tabIndex: -1,
    className: classNames(styles.item, item.tone === 'danger' && styles.danger),
  }
  const content = (
    <>
      {item.icon && <Icon name={item.icon} />}
      <span>{item.label}</span>
      {item.checked && <Icon name="check" className={styles.check} />}
    </>
  )
  if (item.to !== undefined && !item.disabled)
    return (
      <Link {...about} to={item.to} onClick={close}>
        {content}
      </Link>
    )
  const select = (event: MouseEvent) => {
    if (item.disabled) return
    close(event)
    item.onSelect?.()
  }
  return (
    <button type="button" {...about} onClick={select}>
      {content}
    </button>
  )
}

/** The entry a key leads to. */
function target(key: string, all: HTMLElement[], now: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return all[(now + 1) % all.length]
  if (key === 'ArrowUp') return all[(now - 1 + all.length) % all.length]
  if (key === 'Home') return all[0]
  if (key === 'End') return all.at(-1)
  if (key.length !== 1 || key === ' ') return undefined
  const after = [...all.slice(now + 1), ...all.slice(0, now + 1)]
  return after.find((entry) => entry.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

/** Browsers without anchor positioning get the place from us. */
function place(button: HTMLElement | null, list: HTMLElement | null, align: 'start' | 'end'): void {
  if (!button || !list || CSS.supports('position-area', 'block-end')) return
  const { left, right, bottom } = button.getBoundingClientRect()
  list.style.top = `${bottom + 4}px`
  if (align === 'start') list.style.left = `${left}px`
  else list.style.right = `${document.documentElement.clientWidth - right}px`
}
