import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { PAGE } from './bare-lists.ts'
import type { Case } from './cases.ts'
import type { Figure } from './figures.ts'
import type { LoadResult } from './load-worker.ts'
import { median } from './measure.ts'
import { ask, startSiteWorker } from './processes.ts'
import { openPosts, seededSite } from './seeded-site.ts'

const SIZES = { small: 10_000, large: 1_000_000 }
type Size = keyof typeof SIZES
const ORDERS = ['newest', 'active', 'hot', 'score', 'unanswered']
/** Narrowed to a window of days, most lists are short. */
const PAGES: Record<string, number[]> = { 'all posts': [1, 2, 3, 4, 5], 'a person': [1] }
const FEW_PAGES = [1, 2]
/** Details are read of so many posts, spread over all. */
const DETAILS = 200
const WARM_SECONDS = 1
const ROUND_SECONDS = 0.5
/** A single round says little of a hundredth. */
const LEAST_ROUNDS = 7
const CONNECTIONS = 4
/** How much later the slowest hundredth may answer on the large site. */
const MOST = 2

interface Needs {
  launch(starting: Promise<ChildProcess>): Promise<ChildProcess>
  load: ChildProcess
  /** The first free of two ports. */
  port: number
  rounds: number
}

interface Round extends LoadResult {
  /** Microseconds of CPU time per request, all threads: what others do on the machine changes them little. */
  cpu: number
}

/** Paths on either site. */
interface Compared {
  name: string
  paths: Record<Size, string[]>
  most?: number
}

/**
 * The same lists on a site of 1,000,000 posts and on one of 10,000: p99 there as a multiple of p99 here. Both sites are seeded once, which
 * takes a quarter of an hour for the large one, and kept below `build/`. Details and searches are told for their own sake.
 * @param searches of a site of any size: words are the same on both
 * @throws when a request fails
 */
export async function atAMillion(searches: Case[], { launch, load, port, rounds }: Needs): Promise<Figure[]> {
  const urls: Record<Size, string> = { small: `http://127.0.0.1:${port}`, large: `http://127.0.0.1:${port + 1}` }
  const dirs: Record<Size, string> = { small: '', large: '' }
  const sites: Partial<Record<Size, ChildProcess>> = {}
  for (const size of ['small', 'large'] as const) {
    dirs[size] = (await seededSite(SIZES[size])).dataDir
    sites[size] = await launch(startSiteWorker([dirs[size], new URL(urls[size]).port]))
  }
  const used = async (size: Size) => {
    const { user, system } = await ask<NodeJS.CpuUsage>(sites[size] as ChildProcess, {})
    return user + system
  }
  const run = async (size: Size, { name, paths }: Compared, seconds: number): Promise<Round> => {
    const before = await used(size)
    const result = await ask<LoadResult>(load, { url: urls[size], paths: paths[size], seconds, connections: CONNECTIONS })
    if (result.failed > 0) throw new Error(`${result.failed} requests failed on the ${size} site: ${name}`)
    return { ...result, cpu: ((await used(size)) - before) / result.requests }
  }
  const figures: Figure[] = []
  const searched = searches.map(({ name, ours }): Compared => ({ name, paths: { small: ours, large: ours } }))
  for (const one of [...lists(dirs), ...pagesOf(dirs), ...searched]) {
    for (const size of ['small', 'large'] as const) await run(size, one, WARM_SECONDS)
    const taken: Record<Size, Round[]> = { small: [], large: [] }
    for (let round = 0; round < Math.max(LEAST_ROUNDS, rounds); round++) {
      for (const size of ['small', 'large'] as const) taken[size].push(await run(size, one, ROUND_SECONDS))
    }
    const ratio = median(taken.large.map(({ p99 }, round) => p99 / (taken.small[round] as Round).p99))
    const of = (key: 'p99' | 'cpu', digits: number) =>
      [taken.small, taken.large].map((rounds) => median(rounds.map((round) => round[key])).toFixed(digits)).join(' → ')
    const figure = { name: `million: ${one.name}, p99 ${of('p99', 1)} ms, cpu ${of('cpu', 0)} µs`, value: ratio, unit: '' } as const
    figures.push(one.most === undefined ? figure : { ...figure, most: one.most })
  }
  return figures
}

const pathOf = (query: Record<string, string | number>): string =>
  `/answer/api/v1/experience/page?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`

/** Every public order: of all posts, of the tag in the middle of all tags, of the one with most posts, and of a person who wrote a page or two. */
function lists(dirs: Record<Size, string>): Compared[] {
  const narrowings: Record<Size, Record<string, Record<string, string>>> = {
    small: narrowingsOf(dirs.small),
    large: narrowingsOf(dirs.large),
  }
  return Object.keys(narrowings.small).flatMap((narrowing) =>
    ORDERS.map((order) => {
      const paths = (size: Size) =>
        (PAGES[narrowing] ?? FEW_PAGES).map((page) => pathOf({ page, page_size: PAGE, order, ...narrowings[size][narrowing] }))
      return { name: `list of ${narrowing}, ${order}`, paths: { small: paths('small'), large: paths('large') }, most: MOST }
    }),
  )
}

function narrowingsOf(dataDir: string): Record<string, Record<string, string>> {
  const db = new Database(join(dataDir, 'stoa.db'), { readonly: true })
  try {
    const tags = db
      .prepare<[], string>('select slug from tags__tag where experience_count > 0 order by experience_count desc, id')
      .pluck()
      .all()
    const person = db
      .prepare<[], string>('select username from accounts__profile where experience_count between 25 and 30 order by id limit 1')
      .pluck()
      .get()
    return {
      'all posts': {},
      'a tag in the middle': { tag: tags[Math.floor(tags.length / 2)] ?? '' },
      'the largest tag': { tag: tags[0] ?? '' },
      'a person': { username: person ?? '' },
    }
  } finally {
    db.close()
  }
}

function pagesOf(dirs: Record<Size, string>): Compared[] {
  const ids = (size: Size) => openPosts(dirs[size], DETAILS).map((n) => String(10_010_000_000_000_000n + BigInt(n)))
  const both = (path: (id: string) => string) => ({ small: ids('small').map(path), large: ids('large').map(path) })
  return [
    { name: 'detail', paths: both((id) => `/answer/api/v1/experience/info?id=${id}`) },
    { name: 'detail page (HTML)', paths: both((id) => `/experiences/${id}`) },
  ]
}
