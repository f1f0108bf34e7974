import type { Location } from '@stoa/sdk/web'
import { RouterContext } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { createContext, use, useEffect, useLayoutEffect, useMemo, useRef, useState, useTransition } from 'react'
import { useCore } from '../kernel/core.ts'
import { errorAtom } from '../kernel/feedback.ts'
import type { NavigationType } from './history.ts'
import { keepScroll, restoreScroll } from './scroll.ts'

const Pending = createContext(false)
/** True while the next page is on its way and the present one still stands. */
export const usePending = (): boolean => use(Pending)

/** Feeds our history to react-router. A navigation is a transition: the frame and the old page stand until the new one is complete. */
export function AppRouter({ children }: { children: ReactNode }) {
  const core = useCore()
  const { history } = core
  const [{ location, action }, setView] = useState<{ location: Location; action: NavigationType }>({
    location: history.location,
    action: history.action,
  })
  const [pending, startTransition] = useTransition()

  useEffect(() => {
    const show = () => {
      keepScroll()
      core.store.set(errorAtom, null)
      startTransition(() => setView({ location: history.location, action: history.action }))
    }
    if (history.location !== location) show()
    return history.listen(show)
    // The effect belongs to the history, not to each location.
  }, [core, history])

  useArrival(location, action)

  const router = useMemo(() => ({ location, navigator: history }), [location, history])
  return (
    <RouterContext value={router}>
      <Pending value={pending}>{children}</Pending>
    </RouterContext>
  )
}

/** After a new page stands: scroll and focus. */
function useArrival(location: Location, action: NavigationType): void {
  const previous = useRef<Location | null>(null)
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = location
    if (!before) {
      if (action === 'POP') restoreScroll(location, false)
      return
    }
    if (before.pathname === location.pathname && before.search === location.search && !location.hash) return
    restoreScroll(location, action !== 'POP')
    if (before.pathname !== location.pathname) focusTitle()
  }, [location, action])
}

/** Says to screen readers where one is now, and starts the tab order there. */
function focusTitle(): void {
  const main = document.querySelector('main')
  const target = main?.querySelector<HTMLElement>('h1') ?? main
  const isTaken = document.activeElement !== main && main?.contains(document.activeElement)
  if (!target || isTaken) return
  if (!target.hasAttribute('tabindex')) target.tabIndex = -1
  target.focus({ preventScroll: true })
}
