import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { createContext, use, useCallback } from 'react'
import {
  createSearchParams,
  useHref,
  useLinkClickHandler,
  useLocation as useRouterLocation,
  useParams as useRouterParams,
  useSearchParams as useRouterSearchParams,
} from 'react-router-dom'

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

function useRouter() {
  const router = use(RouterContext)
  if (!router) throw new Error('A link or a hook of the router was used outside of the kernel')
  return router
}

export const useLocation = (): Location => useRouterLocation() as Location
/** Parameters of the page's route, decoded: `:name` by its name, the rest of the address that `*` took by `*`. */
export const useParams = (): Record<string, string | undefined> => useRouterParams()

export interface NavigateOptions {
  /** The entry takes the place of the present one. */
  replace?: boolean
  state?: unknown
}
export type Navigate = (to: string | number, options?: NavigateOptions) => void

/**
 * Goes to an address, or so many entries back (-1) or on. The same function as long as the page lives, and it counts from where one is
 * when it is called: the library's own is another one at each address.
 */
export function useNavigate(): Navigate {
  const { navigator } = useRouter()
  return useCallback(
    (to, { replace = false, state } = {}) => {
      if (typeof to === 'number') navigator.go(to)
      else navigator[replace ? 'replace' : 'push'](addressFrom(navigator.location, to), state)
    },
    [navigator],
  )
}

/** The query of the address, and a function that goes to the same page with another one. */
export function useSearchParams(): [URLSearchParams, (next: URLSearchParams | Record<string, string>, options?: NavigateOptions) => void] {
  const [query] = useRouterSearchParams()
  const navigate = useNavigate()
  return [query, useCallback((next, options) => navigate(`?${createSearchParams(next)}`, options), [navigate])]
}

/** `to` as a full path; what does not start with a slash counts from where one is, as it does in HTML, and not from the route. */
function addressFrom({ pathname, search }: Location, to: string): string {
  if (to.startsWith('/')) return to
  const url = new URL(to, `http://site${pathname}${search}`)
  return url.host === 'site' ? url.pathname + url.search + url.hash : to
}

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string
  replace?: boolean
  state?: unknown
  ref?: Ref<HTMLAnchorElement>
}

/**
 * A link within the site: the page changes without loading a document. Everything that a plain link can do stays.
 * Made of the library's parts: its own link brings 2 KB that only its framework uses.
 */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const address = addressFrom(useLocation(), to)
  const isOurs = /^\/(?!\/)/.test(address)
  const href = useHref(isOurs ? address : '/')
  const follow = useLinkClickHandler<HTMLAnchorElement>(href, {
    state,
    ...(rest.target !== undefined && { target: rest.target }),
    ...(replace !== undefined && { replace }),
  })
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (isOurs && !event.defaultPrevented) follow(event)
  }
  return <a {...rest} href={isOurs ? href : address} onClick={click} />
}

export interface NavLinkProps extends LinkProps {
  /** Only the address itself counts as being there, not those below it. */
  end?: boolean
}

/** A link that says when one is there already (`aria-current`). */
export function NavLink({ end = false, ...rest }: NavLinkProps) {
  const location = useLocation()
  const here = location.pathname.toLowerCase()
  const [there = ''] = addressFrom(location, rest.to).toLowerCase().split(/[?#]/)
  const isThere = here === there || (!end && here.startsWith(there.endsWith('/') ? there : `${there}/`))
  return <Link {...rest} aria-current={isThere ? 'page' : undefined} />
}
