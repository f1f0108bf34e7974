import type { Location, Move } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import { useEffect, useRef } from 'react'
import type { NavigationType } from 'react-router-dom'
import { useCore } from '../kernel/core.ts'

const addressOf = ({ pathname, search, hash }: Location) => ({ pathname, search, hash })

/** Tells plugins that the page of an address stands. */
export function useNavigated(location: Location, action: NavigationType): void {
  const { taps } = useCore()
  const previous = useRef<Location | null>(null)
  useEffect(() => {
    const from = previous.current
    previous.current = location
    const move: Move = { to: addressOf(location), how: 'document' }
    if (from) Object.assign(move, { from: addressOf(from), how: action.toLowerCase() })
    taps.tell(webHooks.navigated, move, { path: location.pathname })
  }, [location, action, taps])
}
