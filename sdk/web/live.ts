import type { LiveToken, NavigationPlace } from '@stoa/sdk'
import { useEffect, useRef } from 'react'
import { useKernel } from './kernel.ts'

/**
 * Hears what the server pushes to open tabs while the component is mounted; the latest function counts. What is pushed comes at most once and may
 * be missed: it says that something is new, and the call is asked again for what that is.
 * @param topic what of it; undefined while there is nothing to listen to
 */
export function useLive<P>(token: LiveToken<P>, topic: string | undefined, fn: (payload: P) => void): void {
  const { listen } = useKernel()
  const latest = useRef(fn)
  latest.current = fn
  const { id } = token
  useEffect(() => (topic === undefined ? undefined : listen(id, topic, (payload) => latest.current(payload as P))), [listen, id, topic])
}

/** The set of plugins that is on; another `epoch` after each switch. */
export const usePlugins = () => useKernel().usePlugins()

/** What active plugins put into a menu. */
export const useNavigation = (place: NavigationPlace) => useKernel().useNavigation(place)
