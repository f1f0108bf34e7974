import { RouterContext } from '@stoa/sdk/kernel/web'
import type { Location } from '@stoa/sdk/web'
import type { ReactNode } from 'react'
import { createContext, use, useEffect, useLayoutEffect, useMemo, useRef, useState, useTransition } from 'react'
import type { Navigator, To } from 'react-router-dom'
import { createPath, NavigationType, Router } from 'react-router-dom'
import { useCore } from '../kernel/core.ts'
import { errorAtom } from '../kernel/feedback.ts'
import type { AppHistory } from './history.ts'
import { useNavigated } from './navigated.ts'
import { markPressed } from './pressed.ts'
import { keepScroll, restoreScroll } from './scroll.ts'

const Pending = createContext(false)
/** True while the next page is on its way and the present one still stands. */
export const usePending = (): boolean => use(Pending)

/** The router over our history. A navigation is a transition: the frame and the old page stand until the new one is complete. */
export function AppRouter({ children }: { children: ReactNode }) {
  const core = useCore()
  const { history } = core
  const [{ location, action }, setView] = useState<Pick<AppHistory, 'location' | 'action'>>({
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

  useEffect(() => (pending ? markPressed() : undefined), [pending])
  useArrival(location, action)
  useNavigated(location, action)

  const navigator = useMemo(() => navigatorOver(history), [history])
  const router = useMemo(() => ({ location, navigator: history }), [location, history])
  return (
    <Router navigator={navigator} location={location} navigationType={action} static={core.isServer}>
      <RouterContext value={router}>
        <Pending value={pending}>{children}</Pending>
      </RouterContext>
    </Router>
  )
}

const addressOf = (to: To): string => (typeof to === 'string' ? to : createPath(to))

/** Our history as the router's links use it. It holds pages back and loads documents, which the router's own does only as a data router. */
const navigatorOver = (history: AppHistory): Navigator => ({
  createHref: addressOf,
  push: (to, state) => history.push(addressOf(to), state),
  replace: (to, state) => history.replace(addressOf(to), state),
  go: history.go,
})

/** After a new page stands: scroll and focus. */
function useArrival(location: Location, action: AppHistory['action']): void {
  const previous = useRef<Location | null>(null)
  useLayoutEffect(() => {
    const before = previous.current
    previous.current = location
    if (!before) {
      if (action === NavigationType.Pop) restoreScroll(location, false)
      return
    }
    if (before.pathname === location.pathname && before.search === location.search && !location.hash) return
    restoreScroll(location, action !== NavigationType.Pop)
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
