/** Where a login leads, if that is a path of this site. */
export function nextOf(query: URLSearchParams): string | undefined {
  const next = query.get('next') ?? ''
  return /^\/(?![/\\])/.test(next) ? next : undefined
}

/** The page of the second step of a login, which leads there. */
export const stepPath = (next: string | undefined): string =>
  `/users/login/second-step${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`
