import { createContext } from 'react'

/** Where one is: an address and the history entry that shows it. */
export interface Location {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
  state: unknown
  /** Of the history entry; the same when one comes back to it. */
  key: string
}

/** What moves. The kernel's history is one. */
export interface Navigator {
  readonly location: Location
  push(to: string, state?: unknown): void
  replace(to: string, state?: unknown): void
  go(delta: number): void
}

/** Given by the kernel around the whole page; `location` is that of the page that stands. */
export const RouterContext = createContext<{ location: Location; navigator: Navigator } | null>(null)
/** Parameters of the page's route. Pages ask {@link useParams}. */
export const ParamsContext = createContext<Record<string, string>>({})
