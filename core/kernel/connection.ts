import { atom } from 'jotai'
import type { Store } from './store.ts'

/** True while something that a page needs waits for the network. */
export const offlineAtom = atom(false)

const AGAIN_MS = 5000

/** Any answer will do: the network is there. */
const isThere = () =>
  fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(AGAIN_MS) }).then(
    () => true,
    () => false,
  )

const back = () =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(go, AGAIN_MS)
    addEventListener('online', go)
    function go() {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
  })

/**
 * Reading waits for the network instead of failing: the page that stands is kept, and the next one comes when the network is back.
 * @returns wraps what asks; a failure that is not the network's own stays one
 */
export function createPatience(store: () => Store | undefined): <A extends unknown[], R>(ask: (...about: A) => Promise<R>) => typeof ask {
  let waiting: Promise<boolean> | undefined
  /** @returns whether it was the network */
  async function wait(): Promise<boolean> {
    if (navigator.onLine && (await isThere())) return false
    store()?.set(offlineAtom, true)
    do await back()
    while (!(await isThere()))
    store()?.set(offlineAtom, false)
    return true
  }
  return (ask) =>
    async (...about) => {
      for (;;) {
        try {
          return await ask(...about)
        } catch (error) {
          waiting ??= wait().finally(() => {
            waiting = undefined
          })
          if (!(await waiting)) throw error
        }
      }
    }
}
