import type { Address, Move } from '@stoa/sdk/web'
import { webHooks } from '@stoa/sdk/web'
import type { AppHistory } from '../router/history.ts'
import type { Taps } from './taps.ts'

/** So many taps may send each other on before the page is shown after all. */
const MOST_REDIRECTS = 5

const addressOf = ({ pathname, search, hash }: Address): Address => ({ pathname, search, hash })

/** Asks the taps of plugins before the page is left. Without taps that match, a move is made at once, as ever. */
export function guardMoves(history: AppHistory, taps: Taps): void {
  let redirects = 0
  let present = new AbortController()
  history.gate = (next, how) => {
    // Somebody goes elsewhere while the move before is still being thought about.
    present.abort()
    const mine = new AbortController()
    present = mine
    const move: Move = { to: addressOf(next), from: addressOf(history.location), how: how.toLowerCase() as Move['how'] }
    const asking = taps.run(webHooks.beforeNavigate, move, {
      subject: { path: next.pathname },
      signal: mine.signal,
      accept: checkedDecision,
    })
    if (!asking) {
      redirects = 0
      return true
    }
    return asking.then((decision) => {
      if (mine.signal.aborted) return false
      if (typeof decision === 'object' && decision.redirect !== next.pathname + next.search) {
        if (redirects < MOST_REDIRECTS) {
          redirects++
          history[how === 'REPLACE' ? 'replace' : 'push'](decision.redirect)
          return false
        }
        console.error(`Plugins keep sending on from ${next.pathname}; it is shown as it is`)
      }
      redirects = 0
      return decision !== 'hold'
    })
  }
}

/** @throws when a tap returned something else, or an address that is not of this site */
export function checkedDecision(result: unknown): unknown {
  if (result === 'hold') return result
  const to = (result as { redirect?: unknown } | null)?.redirect
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to))
    throw new TypeError('A tap of kernel.beforeNavigate returns "hold" or a path of this site to redirect to')
  return { redirect: to }
}
