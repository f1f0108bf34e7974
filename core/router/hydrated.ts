import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and while the server's HTML is taken over, true after. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
