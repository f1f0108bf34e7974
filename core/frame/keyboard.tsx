import type { ReactNode } from 'react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useCore } from '../kernel/core.ts'

const KeyList = lazy(() => import('./key-list.tsx'))

/** Time within which `g` and `h` count as one. */
const SEQUENCE_MS = 1000

/** Listens to the site's keys; gives the list of them while it is open. */
export function useKeyboard(): ReactNode {
  const core = useCore()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    let lastG = 0
    const onKey = (event: KeyboardEvent) => {
      if (sends(event)) return
      if (
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTaken(event.target) ||
        // Nothing leads into a site that is being set up.
        core.history.location.pathname === core.place('install') ||
        document.querySelector('dialog[open]')
      )
        return
      const act = actionOf(event.key, Date.now() - lastG < SEQUENCE_MS)
      lastG = event.key === 'g' ? Date.now() : 0
      if (!act) return
      event.preventDefault()
      act()
    }
    const actionOf = (key: string, afterG: boolean): (() => void) | undefined => {
      if (key === 'h' && afterG) return () => core.goPlace('home', false)
      if (key === '/') return focusFinder
      if (key === 'c' && core.place('ask') !== undefined) return () => core.goPlace('ask', false)
      if (key === '?') return () => setOpen(true)
      if (key === 'j' || key === 'k') return moveTo(key === 'j' ? 1 : -1)
      return pressOf(key)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [core])
  if (!open) return null
  return (
    <Suspense fallback={null}>
      <KeyList onClose={() => setOpen(false)} />
    </Suspense>
  )
}

/** Enter with Ctrl or ⌘ sends what is being written, as its button does. */
function sends(event: KeyboardEvent): boolean {
  const { target } = event
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented || !(target instanceof HTMLTextAreaElement))
    return false
  // In a dialog the button stands outside of its form.
  const button = [...(target.form?.elements ?? [])].find((one): one is HTMLButtonElement => one.matches('button[type=submit]'))
  button?.click()
  return Boolean(button)
}

/** Somebody types, or an open menu has the keys. */
function isTaken(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.closest('input,textarea,select,[popover]') !== null)
}

/** What `j` and `k` go through: the rows of a list, a post and its answers. */
const STOP = 'main [data-stop]'
const stops = () => [...document.querySelectorAll<HTMLElement>(STOP)]
const stopHere = () => document.activeElement?.closest<HTMLElement>(STOP)

function moveTo(step: 1 | -1): (() => void) | undefined {
  const all = stops()
  const here = stopHere()
  const next = all[Math.max(0, (here ? all.indexOf(here) : -1) + step)]
  return (
    next &&
    (() => {
      next.focus({ preventScroll: true })
      next.scrollIntoView({ block: 'nearest' })
    })
  )
}

/** A button says by `aria-keyshortcuts` which letter presses it while its stop has the focus; without a focus, it is the first one in view. */
function pressOf(key: string): (() => void) | undefined {
  if (!/^[a-z]$/.test(key)) return undefined
  const stop = stopHere() ?? stops().find((one) => one.getBoundingClientRect().bottom > innerHeight / 3)
  const button = stop?.querySelector<HTMLElement>(`[aria-keyshortcuts=${key}]`)
  return button ? () => button.click() : undefined
}

/** Where the header has no room for a field, a link to one says by `aria-keyshortcuts` that it stands for it. */
const FINDERS = 'header [role=search] input, header input[type=search], header a[aria-keyshortcuts="/"]'

function focusFinder(): void {
  const finder = [...document.querySelectorAll<HTMLElement>(FINDERS)].find((one) => one.checkVisibility())
  if (finder?.matches('a')) finder.click()
  else finder?.focus()
}
