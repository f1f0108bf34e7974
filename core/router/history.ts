import type { Navigator } from '@stoa/sdk/kernel/web'
import type { Location } from '@stoa/sdk/web'
import { NavigationType } from 'react-router-dom'
import { isReserved } from '../../sdk/pages/reserved-paths.ts'

/** Asked before an address is left for another path or query; answers whether to go. A later move makes the answer for an earlier one void. */
export type Gate = (next: Location, how: NavigationType) => true | Promise<boolean>

export interface AppHistory extends Navigator {
  /** How the present entry came about. */
  readonly action: NavigationType
  listen(fn: () => void): () => void
  /** Only one gate; undefined opens it. */
  gate: Gate | undefined
  /** True: the next navigation loads a fresh document. */
  stale: boolean
}

const newKey = (): string => Math.random().toString(36).slice(2, 10)

function makeLocation(path: string, state: unknown, key: string): Location {
  const [, pathname = '', search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(path) ?? []
  return { pathname: decodable(pathname || '/'), search: search === '?' ? '' : search, hash: hash === '#' ? '' : hash, state, key }
}

/** The router complains at each address that cannot be decoded, and on a server anybody can ask for those. */
function decodable(pathname: string): string {
  try {
    decodeURIComponent(pathname)
    return pathname
  } catch {
    return pathname.replaceAll('%', '%25')
  }
}

/** The one address a server renders; going elsewhere is noted. */
export function createStaticHistory(path: string): AppHistory {
  return {
    location: makeLocation(path, null, 'first'),
    action: NavigationType.Pop,
    gate: undefined,
    stale: false,
    go() {},
    push() {},
    replace() {},
    listen: () => () => {},
  }
}

interface Entry {
  key: string
  index: number
  user: unknown
}

/** The browser's history with a gate for leaving, which the router's own lacks outside of its data mode. */
export function createBrowserHistory(): AppHistory {
  const listeners = new Set<() => void>()
  const here = () => location.pathname + location.search + location.hash
  const entry = history.state as Entry | null
  let index = entry?.index ?? 0
  /** Told of pops that are ours, one each. */
  const own: (() => void)[] = []
  /** While the browser moves on our behalf: until it has, it would count moves from elsewhere. */
  let moving: Promise<void> | undefined
  if (!entry) history.replaceState({ key: 'first', index, user: null } satisfies Entry, '')
  let current = makeLocation(here(), entry?.user ?? null, entry?.key ?? 'first')
  let action = NavigationType.Pop

  const settle = (next: Location, how: typeof action) => {
    current = next
    action = how
    for (const tell of listeners) tell()
  }

  let lastMove = 0
  /** Runs `go` at once, or after the gate said yes. @returns false when it has to wait */
  const pass = (next: Location, how: NavigationType, go: () => void): boolean => {
    const mine = ++lastMove
    const isHere = next.pathname === current.pathname && next.search === current.search
    const answer = isHere ? true : (self.gate?.(next, how) ?? true)
    if (answer === true) go()
    else void answer.then((yes) => yes && mine === lastMove && go())
    return answer === true
  }

  const goQuietly = (delta: number): Promise<void> => {
    const mine = new Promise<void>((resolve) => {
      own.push(resolve)
      history.go(delta)
    }).then(() => {
      if (moving === mine) moving = undefined
    })
    moving = mine
    return mine
  }

  const move = (path: string, state: unknown, replace: boolean): void => {
    if (moving) return void moving.then(() => move(path, state, replace))
    const next = makeLocation(path, state ?? null, newKey())
    pass(next, replace ? NavigationType.Replace : NavigationType.Push, () => {
      if (isReserved(next.pathname) || (self.stale && next.pathname !== current.pathname)) {
        location[replace ? 'replace' : 'assign'](path)
        return
      }
      const row: Entry = { key: next.key, index: replace ? index : index + 1, user: next.state }
      history[replace ? 'replaceState' : 'pushState'](row, '', path)
      index = row.index
      settle(next, replace ? NavigationType.Replace : NavigationType.Push)
    })
  }

  /** A link within the page has made an entry of its own: the same page, so the same key. Elsewhere the entry is a stranger's. */
  const adopt = (): Entry | null => {
    if (location.pathname !== current.pathname || location.search !== current.search) return null
    const row: Entry = { key: current.key, index: index + 1, user: null }
    history.replaceState(row, '')
    return row
  }

  addEventListener('popstate', (event) => {
    const isOwn = own.shift()
    if (isOwn) return isOwn()
    const row = (event.state as Entry | null) ?? adopt()
    const next = makeLocation(here(), row?.user ?? null, row?.key ?? newKey())
    const target = row?.index ?? index + 1
    const delta = target - index
    const arrive = () => {
      index = target
      settle(next, NavigationType.Pop)
    }
    let returned: Promise<void> | undefined
    const goes = pass(next, NavigationType.Pop, () => {
      if (!returned) return arrive()
      void returned.then(() => {
        void goQuietly(delta)
        arrive()
      })
    })
    if (goes) return
    // The browser has moved already: back to where we were while it is asked.
    returned = goQuietly(-delta)
  })

  const self: AppHistory = {
    get location() {
      return current
    },
    get action() {
      return action
    },
    gate: undefined,
    stale: false,
    go: (delta) => history.go(delta),
    push: (to, state) => move(to, state, false),
    replace: (to, state) => move(to, state, true),
    listen(fn) {
      listeners.add(fn)
      return () => listeners.delete(fn)
    },
  }
  return self
}
