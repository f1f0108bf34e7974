/** A pattern of a route, ready to be tried. */
interface Pattern {
  test: RegExp
  names: string[]
  /** Higher is more special: it is tried first. */
  score: number
}

const patterns = new Map<string, Pattern>()

/** `/tags/:tag/info`, `/files/*`: segments in `:` take any one segment, `*` at the end takes the rest. Case does not count, nor a slash at the end. */
function patternOf(path: string): Pattern {
  let pattern = patterns.get(path)
  if (!pattern) {
    const names: string[] = []
    let score = 0
    const source = path
      .split('/')
      .filter(Boolean)
      .map((segment) => {
        score += segment === '*' ? -1 : segment.startsWith(':') ? 4 : 11
        if (segment !== '*' && !segment.startsWith(':')) return `/${segment.replace(/[\\.*+^${}|()[\]]/g, '\\$&')}`
        names.push(segment === '*' ? '*' : segment.slice(1))
        return segment === '*' ? '(?:/(.*))?' : '/([^/]+)'
      })
      .join('')
    pattern = { test: new RegExp(`^${source}/*$`, 'i'), names, score }
    patterns.set(path, pattern)
  }
  return pattern
}

/** Decoded segment by segment; a slash within one stays apart from those between them. */
function decode(pathname: string): string {
  try {
    return pathname
      .split('/')
      .map((segment) => decodeURIComponent(segment).replace(/\//g, '%2F'))
      .join('/')
  } catch {
    return pathname
  }
}

/** The most special of the paths that an address fits, with what it has for their parameters. Of equals, the first. */
export function matchPath<T extends { path: string }>(
  candidates: readonly T[],
  pathname: string,
): { candidate: T; params: Record<string, string> } | null {
  const decoded = decode(pathname)
  let best: { candidate: T; pattern: Pattern; found: RegExpExecArray } | undefined
  for (const candidate of candidates) {
    const pattern = patternOf(candidate.path)
    if (best && pattern.score <= best.pattern.score) continue
    const found = pattern.test.exec(decoded)
    if (found) best = { candidate, pattern, found }
  }
  if (!best) return null
  const { candidate, pattern, found } = best
  return {
    candidate,
    params: Object.fromEntries(pattern.names.map((name, index) => [name, (found[index + 1] ?? '').replace(/%2F/g, '/')])),
  }
}
