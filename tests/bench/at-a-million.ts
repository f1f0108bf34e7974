import type { ChildProcess } from 'node:child_process'
import { PAGE } from './bare-lists.ts'
import type { Case } from './cases.ts'
import type { Figure } from './figures.ts'
import type { LoadResult } from './load-worker.ts'
import { median } from './measure.ts'
import { ask, startServer } from './processes.ts'
import { seededSite } from './seeded-site.ts'

const SIZES = { small: 10_000, large: 1_000_000 }
const WARM_SECONDS = 1.5
const ROUND_SECONDS = 1
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

/**
 * The same lists on a site of 1,000,000 posts and on one of 10,000: p99 there as a multiple of p99 here. Both sites are seeded once, which
 * takes many minutes for the large one, and kept below `build/`.
 * @throws when a request fails
 */
export async function atAMillion(lists: Case[], { launch, load, port, rounds }: Needs): Promise<Figure[]> {
  const urls: Record<keyof typeof SIZES, string> = { small: `http://127.0.0.1:${port}`, large: `http://127.0.0.1:${port + 1}` }
  for (const [index, posts] of [SIZES.small, SIZES.large].entries()) {
    const { dataDir } = await seededSite(posts)
    await launch(startServer('site-worker.ts', [dataDir, String(port + index)]))
  }
  const run = async (size: keyof typeof SIZES, paths: string[], seconds: number): Promise<LoadResult> => {
    const result = await ask<LoadResult>(load, { url: urls[size], paths, seconds, connections: CONNECTIONS })
    if (result.failed > 0) throw new Error(`${result.failed} requests failed on the ${size} site`)
    return result
  }
  const figures: Figure[] = []
  for (const { name, ours } of [...lists, await tagList(urls.large)]) {
    for (const size of ['small', 'large'] as const) await run(size, ours, WARM_SECONDS)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const small = await run('small', ours, ROUND_SECONDS)
      ratios.push((await run('large', ours, ROUND_SECONDS)).p99 / small.p99)
    }
    figures.push({ name: `million: p99 of ${name}, times that of 10,000 posts`, value: median(ratios), unit: '', most: MOST })
  }
  return figures
}

/** The newest posts of the tag that most posts have. */
async function tagList(url: string): Promise<Pick<Case, 'name' | 'ours'>> {
  const reply = await fetch(`${url}/answer/api/v1/tags/page?page=1&page_size=1&query_cond=popular`)
  const { data } = (await reply.json()) as { data: { list: { slug_name: string }[] } }
  const tag = encodeURIComponent(data.list[0]?.slug_name ?? '')
  return { name: 'list of a tag', ours: [`/answer/api/v1/experience/page?page=1&page_size=${PAGE}&order=newest&tag=${tag}`] }
}
