import { useSyncExternalStore } from 'react'

const never = () => () => {}

/** False on the server and while the server's HTML is taken over, true after. */
export const useHydrated: () => boolean =
  typeof document === 'undefined'
    ? () => false
    : () =>
        useSyncExternalStore(
          never,
          () => true,
          () => false,
        )
