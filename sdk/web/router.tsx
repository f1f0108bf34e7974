import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { use, useCallback } from 'react'
import {
  createPath,
  createSearchParams,
  resolvePath,
  useLinkClickHandler,
  useLocation as useRouterLocation,
  useParams as useRouterParams,
  useSearchParams as useRouterSearchParams,
} from 'react-router-dom'
import { isAt } from './is-at.ts'
import type { Location } from './router-context.ts'
import { RouterContext } from './router-context.ts'

export type { Location } from './router-context.ts'

function useRouter() {
  const router = use(RouterContext)
  if (!router) throw new Error('A link or a hook of the router was used outside of the kernel')
  return router
}

export const useLocation = (): Location => useRouterLocation() as Location
/** Parameters of the page's route, decoded: `:name` by its name, the rest of the address that `*` took by `*`. */
export const useParams = (): Record<string, string | undefined> => useRouterParams()

interface NavigateOptions {
  /** The entry takes the place of the present one. */
  replace?: boolean
  state?: unknown
}
type Navigate = (to: string | number, options?: NavigateOptions) => void

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

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: string
  replace?: boolean
  state?: unknown
  ref?: Ref<HTMLAnchorElement>
}

/** Nobody follows a link on the server, and what prepares for it was half of drawing one. */
const useFollow: typeof useLinkClickHandler<HTMLAnchorElement> = typeof document === 'undefined' ? () => () => {} : useLinkClickHandler

/**
 * A link within the site: the page changes without loading a document. Everything that a plain link can do stays.
 * Made of the library's parts: its own link brings 2 KB that only its framework uses.
 */
export function Link({ to, replace, state, onClick, ...rest }: LinkProps) {
  const address = addressFrom(useLocation(), to)
  const isOurs = /^\/(?!\/)/.test(address)
  const href = isOurs ? resolved(address) : '/'
  const follow = useFollow(href, {
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

/**
 * What the library's hook would find for a full path, which looks at the routes first: that took longer than the rest of a link. What has no `.`, `..` or
 * empty parts to be resolved stays as it is.
 */
const resolved = (address: string): string => (/\/[./]|[?#]$|\?#/.test(address) ? createPath(resolvePath(address)) : address)

interface NavLinkProps extends LinkProps {
  /** Only the address itself counts as being there, not those below it. */
  end?: boolean
}

/** A link that says when one is there already (`aria-current`). */
export function NavLink({ end = false, ...rest }: NavLinkProps) {
  const location = useLocation()
  const isThere = isAt(location.pathname, addressFrom(location, rest.to), end)
  return <Link {...rest} aria-current={isThere ? 'page' : undefined} />
}
