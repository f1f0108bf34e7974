import { LRUCache } from 'lru-cache'
import type { InsideReply } from '../http/inside.ts'

/** Shapes of addresses that are remembered; visitors can invent more. */
const MOST_SHAPES = 200
/** Calls of one shape. */
const MOST_CALLS = 20
const LONGEST = 500
const MOST_QUERY = 8
const MOST_LATEST = 30
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
  /** Pages that made it. */
  made: number
  telling: Telling | undefined
}

/** What other replies say of a call that only some pages make; begins with a page that does not, and anew where nothing is left. */
interface Telling {
  /** Those that were true of all pages that made it and of none that did not: path of a call and member of its reply. */
  facts: Set<string>
  /** Pages of each kind since it began. */
  made: number
  missed: number
}

/** Replies that a page was given, by address. */
export type Given = ReadonlyMap<string, InsideReply>

/** Pages of each kind after which what tells is believed. */
const BELIEVED = 4
/** Pages that did not make a call, for each that did. */
const RARE = 20
/** Facts of a reply, and bytes of one that is looked into. */
const MOST_FACTS = 100
const LARGEST = 65_536

interface Address {
  shape: string
  /** Parts of the address by name: `/1` for the second part of the path, `?page` for a parameter. */
  values: Map<string, string>
  /** Calls of the page as patterns have them. */
  written: Map<Pattern, string>
}

/**
 * Foresees which calls a page makes, by what pages with addresses of the same shape have made: then they are answered together before the page is
 * drawn, and nothing of it waits halfway. A wrong guess costs a call that nobody needed; a page asks for the rest as before. What only some pages ask for
 * is foreseen by what other replies say, where one number or mark of them has told so far: pages of posts without answers ask for none.
 */
export class CallForecast {
  readonly #shapes = new LRUCache<string, Map<string, Known>>({ max: MOST_SHAPES })
  /** Each page is asked about three times. */
  readonly #latest = new LRUCache<string, { address: Address | undefined }>({ max: MOST_LATEST })

  /** @param path of a page, with its query @returns addresses of calls */
  of(path: string): string[] {
    return this.#among(path, (call) => call.score >= FORESEEN && believed(call) === undefined)
  }

  /** @param given replies to what was foreseen of the page @returns addresses of further calls, which these tell of */
  told(path: string, given: Given): string[] {
    const isTrue = factsOf(given)
    return this.#among(path, (call) => isTrue(believed(call) ?? '') === true)
  }

  #among(path: string, isWanted: (call: Known) => boolean): string[] {
    const address = this.#addressOf(path)
    const known = address && this.#shapes.get(address.shape)
    if (!known) return []
    return [...known.values()].filter(isWanted).map(({ pattern }) => writtenFor(address, pattern))
  }

  #addressOf(path: string): Address | undefined {
    const found = this.#latest.get(path) ?? { address: addressOf(path) }
    this.#latest.set(path, found)
    return found.address
  }

  /** @param calls that the page at `path` made @param given replies that it was given */
  learn(path: string, calls: Iterable<string>, given: Given = new Map()): void {
    const address = this.#addressOf(path)
    if (!address) return
    const known = this.#shapes.get(address.shape) ?? new Map<string, Known>()
    this.#shapes.set(address.shape, known)
    const asked = new Set(calls)
    const isTrue = factsOf(given)
    const foreseen = new Set<string>()
    for (const [name, entry] of known) {
      const call = writtenFor(address, entry.pattern)
      foreseen.add(call)
      const isMade = asked.has(call)
      entry.score = Math.max(0, Math.min(MOST_SCORE, entry.score + (isMade ? 1 : -MISSED)))
      if (isMade) entry.made++
      if (entry.telling || !isMade) entry.telling = narrowed(entry.telling ?? { facts: namesOf(given), made: 0, missed: 0 }, isMade, isTrue)
      if (entry.score === 0 && isRare(entry)) known.delete(name)
    }
    for (const call of asked) {
      if (known.size >= MOST_CALLS) return
      const pattern = foreseen.has(call) ? undefined : patternOf(call, address.values)
      if (pattern && writtenFor(address, pattern) === call)
        known.set(JSON.stringify(pattern), { pattern, score: 1, made: 1, telling: undefined })
    }
  }
}

/** The fact that tells whether the call is made, once it is believed. */
function believed({ telling }: Known): string | undefined {
  if (!telling || telling.made < BELIEVED || telling.missed < BELIEVED) return undefined
  return telling.facts.values().next().value
}

/** What hardly any page makes has no place: calls that name what no address tells are all of this kind. */
const isRare = ({ made, telling }: Known): boolean => made < 2 || !telling || telling.missed >= RARE * made

/** Keeps what has told of this page too. */
function narrowed(telling: Telling, isMade: boolean, isTrue: Facts): Telling | undefined {
  for (const fact of telling.facts) if (isTrue(fact) !== isMade) telling.facts.delete(fact)
  telling[isMade ? 'made' : 'missed']++
  return telling.facts.size > 0 ? telling : undefined
}

const namesOf = (given: Given): Set<string> =>
  new Set([...given].flatMap(([url, reply]) => [...insideOf(reply).keys()].map((name) => `${pathOf(url)} ${name}`)))

const pathOf = (url: string): string => url.split('?', 1)[0] as string

/** Looks a fact up: the path of a call, and a member of its reply. Undefined where there is none. */
type Facts = (fact: string) => boolean | undefined

function factsOf(given: Given): Facts {
  const replies = new Map([...given].map(([url, reply]) => [pathOf(url), reply]))
  return (fact) => {
    const [path = '', name = ''] = fact.split(' ', 2)
    const reply = replies.get(path)
    return reply && insideOf(reply).get(name)
  }
}

/** Many pages are given the same ones. */
const insides = new WeakMap<InsideReply, Map<string, boolean>>()

/** Which numbers, marks and lists of a reply are there: its own, and those of the objects in it. */
function insideOf(reply: InsideReply): Map<string, boolean> {
  const known = insides.get(reply)
  if (known) return known
  const found = new Map<string, boolean>()
  insides.set(reply, found)
  if (reply.status !== 200 || reply.body.length > LARGEST) return found
  const look = (value: unknown, before: string, depth: number) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return
    for (const [name, member] of Object.entries(value)) {
      if (found.size >= MOST_FACTS) return
      if (typeof member === 'boolean' || typeof member === 'number') found.set(before + name, Boolean(member))
      else if (Array.isArray(member)) found.set(before + name, member.length > 0)
      else if (depth > 0) look(member, `${before}${name}.`, depth - 1)
    }
  }
  look(dataOf(reply), '', 1)
  return found
}

/** What is no JSON tells nothing. */
function dataOf({ body }: InsideReply): unknown {
  try {
    return (JSON.parse(Buffer.from(body).toString()) as { data?: unknown } | null)?.data
  } catch {
    return undefined
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
  return { shape: JSON.stringify([parts[0], parts.length, query.map(([name]) => name)]), values, written: new Map() }
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

function writtenFor({ values, written }: Address, pattern: Pattern): string {
  const found = written.get(pattern)
  if (found !== undefined) return found
  const { path, query } = pattern
  const text = (value: Value) => ('is' in value ? value.is : (values.get(value.from) ?? ''))
  const call = query.length > 0 ? `${path}?${new URLSearchParams(query.map(([name, value]) => [name, text(value)]))}` : path
  written.set(pattern, call)
  return call
}
