import { LRUCache } from 'lru-cache'

/** Shapes of addresses that are remembered; visitors can invent more. */
const MOST_SHAPES = 200
/** Calls of one shape. */
const MOST_CALLS = 20
const LONGEST = 500
const MOST_QUERY = 8
/**
 * A call is foreseen once two pages in a row have made it, and no more after two that have not: what only some pages make is asked for by those. One for
 * nothing costs more than one that is asked for while the page is drawn.
 */
const FORESEEN = 2
const MOST_SCORE = 4
const MISSED = 2
/** Parts of an address of fewer bytes are found in calls by chance; two Chinese characters are enough. */
const TELLING = 3

/** Where a value of a call's query comes from: a part of the page's address by its name, or nowhere else. */
type Value = { from: string } | { is: string }

interface Pattern {
  /** As it is: which call is made is nothing that whoever writes an address may say. */
  path: string
  query: [name: string, value: Value][]
}

interface Known {
  pattern: Pattern
  score: number
}

interface Address {
  shape: string
  /** Parts of the address by name: `/1` for the second part of the path, `?page` for a parameter. */
  values: Map<string, string>
}

/**
 * Foresees which calls a page makes, by what pages with addresses of the same shape have made: then they are answered together before the page is
 * drawn, and nothing of it waits halfway. A wrong guess costs a call that nobody needed; a page asks for the rest as before.
 */
export class CallForecast {
  readonly #shapes = new LRUCache<string, Map<string, Known>>({ max: MOST_SHAPES })

  /** @param path of a page, with its query @returns addresses of calls */
  of(path: string): string[] {
    const address = addressOf(path)
    const known = address && this.#shapes.get(address.shape)
    if (!known) return []
    return [...known.values()].filter(({ score }) => score >= FORESEEN).map(({ pattern }) => written(pattern, address.values))
  }

  /** @param calls that the page at `path` made */
  learn(path: string, calls: Iterable<string>): void {
    const address = addressOf(path)
    if (!address) return
    const known = this.#shapes.get(address.shape) ?? new Map<string, Known>()
    this.#shapes.set(address.shape, known)
    const made = new Map<string, Pattern>()
    for (const call of calls) {
      const pattern = patternOf(call, address.values)
      if (pattern && written(pattern, address.values) === call) made.set(JSON.stringify(pattern), pattern)
    }
    for (const [name, entry] of known) {
      entry.score = Math.min(MOST_SCORE, entry.score + (made.has(name) ? 1 : -MISSED))
      if (entry.score <= 0) known.delete(name)
    }
    for (const [name, pattern] of made) if (!known.has(name) && known.size < MOST_CALLS) known.set(name, { pattern, score: 1 })
  }
}

function addressOf(path: string): Address | undefined {
  if (path.length > LONGEST) return undefined
  const { pathname, searchParams } = new URL(path, 'http://site')
  const parts = pathname.split('/').slice(1)
  const query = [...searchParams].sort(([one], [other]) => (one < other ? -1 : 1))
  if (query.length > MOST_QUERY) return undefined
  const values = new Map<string, string>()
  try {
    for (const [index, part] of parts.entries()) if (index > 0) values.set(`/${index}`, decodeURIComponent(part))
  } catch {
    return undefined
  }
  for (const [name, value] of query) values.set(`?${name}`, value)
  return { shape: JSON.stringify([parts[0], parts.length, query.map(([name]) => name)]), values }
}

function patternOf(call: string, values: Map<string, string>): Pattern | undefined {
  if (call.length > LONGEST) return undefined
  const { pathname, searchParams } = new URL(call, 'http://site')
  const find = (text: string): Value => {
    if (Buffer.byteLength(text) >= TELLING) for (const [from, value] of values) if (value === text) return { from }
    return { is: text }
  }
  return {
    path: pathname,
    query: [...searchParams].map(([name, text]) => [name, values.get(`?${name}`) === text ? { from: `?${name}` } : find(text)]),
  }
}

function written({ path, query }: Pattern, values: Map<string, string>): string {
  const text = (value: Value) => ('is' in value ? value.is : (values.get(value.from) ?? ''))
  return query.length > 0 ? `${path}?${new URLSearchParams(query.map(([name, value]) => [name, text(value)]))}` : path
}
