import type { LiveToken, NavigationPlace } from '@stoa/sdk'
import { useEffect, useRef } from 'react'
import { useKernel } from './kernel.ts'

/**
 * Hears what the server pushes to open tabs while the component is mounted; the latest function counts. What is pushed comes at most once and may
 * be missed: it says that something is new, and the call is asked again for what that is.
 * @param topic what of it; undefined while there is nothing to listen to
 * @param onBegin hearing has begun, a moment after mounting, or begun anew after a break: what was pushed before was missed, so this is when
 * whoever shows a state asks for it. Called without hearing too: at once where a browser has no event streams, and when none opens for two seconds.
 */
export function useLive<P>(token: LiveToken<P>, topic: string | undefined, fn: (payload: P) => void, onBegin?: () => void): void {
  const { listen } = useKernel()
  const latest = useRef({ fn, onBegin })
  latest.current = { fn, onBegin }
  const { id } = token
  useEffect(() => {
    if (topic === undefined) return undefined
    const heard = (payload: unknown) => latest.current.fn(payload as P)
    return listen(id, topic, heard, () => latest.current.onBegin?.())
  }, [listen, id, topic])
}

/** The set of plugins that is on; another `epoch` after each switch. */
export const usePlugins = () => useKernel().usePlugins()

/** What active plugins put into a menu. */
export const useNavigation = (place: NavigationPlace) => useKernel().useNavigation(place)
