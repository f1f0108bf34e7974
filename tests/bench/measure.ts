import type { ChildProcess } from 'node:child_process'
import { isDeepStrictEqual } from 'node:util'
import type { Case } from './cases.ts'
import type { LoadResult, Written } from './load-worker.ts'
import { ask } from './processes.ts'

/** One line of the table, measured. */
export interface Measured {
  name: string
  bare: number
  ours: number
  /** Median of the rounds' ratios, which noise that hits both sides alike leaves alone. */
  ratio: number
  /** Microseconds of CPU time per request, all threads: what others do on the machine changes them little. */
  bareCpu: number
  oursCpu: number
  p50: number
  p99: number
  failed: number
  budget: number | undefined
  /** Budget: milliseconds in which all but a hundredth are answered. */
  latest?: number | undefined
}

export interface Side {
  url: string
  process: ChildProcess
}

export interface Sides {
  ours: Side
  bare: Side
  load: ChildProcess
}

interface Round extends LoadResult {
  /** Microseconds of CPU time per request. */
  cpu: number
}

/** The site has more code to compile than the bare server. */
const WARM_SECONDS = { bare: 0.3, ours: 1 }

/**
 * For what runs much of the site. A site runs for weeks, while pages and posts of its first ten seconds cost twice as much as later ones (measured:
 * 170, 320, 350, 400 … 460 pages a second; 336, 570 posts).
 */
export const WARM_LONG = 8
const ROUND_SECONDS = 0.4

/** Measures a case. @throws when the sides do not reply with the same */
export async function measure(one: Case, sides: Sides, rounds: number): Promise<Measured> {
  await compare(one, sides)
  const measured = await measureRounds(one.name, { ours: { paths: one.ours }, bare: { paths: one.bare } }, sides, rounds, one.budget)
  await compare(one, sides)
  return measured
}

interface Load {
  /** Paths, asked for in turn; made anew for each round where they must not repeat. */
  paths: string[] | (() => string[])
  written?: Written
  /** Of a round; where a request takes long, a short one says little. */
  seconds?: number
  /** Seconds of the same before what counts. */
  warm?: number | undefined
  connections?: number
  encoding?: string | undefined
}

/** Loads both sides in rounds: bare, ours, bare, ours … */
export async function measureRounds(
  name: string,
  one: Record<'ours' | 'bare', Load>,
  sides: Sides,
  rounds: number,
  budget: number | undefined,
): Promise<Measured> {
  const warm = [
    await run(one, sides, 'bare', one.bare.warm ?? WARM_SECONDS.bare),
    await run(one, sides, 'ours', one.ours.warm ?? WARM_SECONDS.ours),
  ]
  const bare: Round[] = []
  const ours: Round[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(await run(one, sides, 'bare', one.bare.seconds ?? ROUND_SECONDS))
    ours.push(await run(one, sides, 'ours', one.ours.seconds ?? ROUND_SECONDS))
  }
  return {
    name,
    bare: median(bare.map(({ perSecond }) => perSecond)),
    ours: median(ours.map(({ perSecond }) => perSecond)),
    ratio: median(ours.map(({ perSecond }, round) => perSecond / (bare[round] as Round).perSecond)),
    bareCpu: median(bare.map(({ cpu }) => cpu)),
    oursCpu: median(ours.map(({ cpu }) => cpu)),
    p50: median(ours.map(({ p50 }) => p50)),
    p99: median(ours.map(({ p99 }) => p99)),
    failed: [...warm, ...bare, ...ours].reduce((sum, { failed }) => sum + failed, 0),
    budget,
  }
}

async function run(one: Record<'ours' | 'bare', Load>, sides: Sides, side: 'bare' | 'ours', seconds: number): Promise<Round> {
  const usage = async () => {
    const { user, system } = await ask<NodeJS.CpuUsage>(sides[side].process, {})
    return user + system
  }
  const { paths, written, connections, encoding } = one[side]
  const order = { url: sides[side].url, paths: typeof paths === 'function' ? paths() : paths, written, connections, encoding, seconds }
  const before = await usage()
  const result = await ask<LoadResult>(sides.load, order)
  return { ...result, cpu: ((await usage()) - before) / result.requests }
}

export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}

/** A ratio says nothing when one side does less. @throws when the replies differ */
export async function compare({ name, ours, bare, isSame }: Case, sides: Pick<Sides, 'ours' | 'bare'>): Promise<void> {
  if (!isSame) return
  for (const [index, path] of ours.entries()) {
    const [a, b] = await Promise.all([reply(sides.ours.url + path), reply(sides.bare.url + bare[index])])
    if (!isDeepStrictEqual(a, b)) throw new Error(`${name}: the replies of ${path} and ${bare[index]} differ: ${difference(a, b)}`)
  }
}

/** Without what the site counts while it is read, and shows before it is written. */
async function reply(url: string): Promise<unknown> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url} is answered with ${response.status}`)
  return JSON.parse(await response.text(), (member, value) => (member === 'view_count' ? undefined : value))
}

/** Where two values part, and how. */
function difference(a: unknown, b: unknown, at = ''): string {
  const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  if (isTree(a) && isTree(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      if (!isDeepStrictEqual(a[key], b[key])) return difference(a[key], b[key], `${at}.${key}`)
    }
  }
  return `${at} is ${JSON.stringify(a)}, bare ${JSON.stringify(b)}`
}
