import type { ChildProcess } from 'node:child_process'
import type { Figure } from './figures.ts'
import type { LoadOrder, LoadResult } from './load-worker.ts'
import { median } from './measure.ts'
import type { MixAddresses } from './mix-addresses.ts'
import { ask } from './processes.ts'

const WARM_SECONDS = 4
const ROUND_SECONDS = 2
/** Of the others and of the searches, each. */
const CONNECTIONS = 4
/** How much later than alone the slowest hundredth may answer while others search. */
const MOST = 2
const OTHERS = { lists: 'lists', details: 'details', documents: 'post pages (HTML)' } as const

/**
 * How much searching for words that nobody has searched before slows other calls: their p99 beside a search load, as a multiple of their p99 alone.
 * @param loads two load processes
 * @throws when a request fails
 */
export async function whileSearching(
  name: string,
  url: string,
  addresses: MixAddresses,
  loads: [ChildProcess, ChildProcess],
  rounds: number,
): Promise<Figure[]> {
  const [load, searcher] = loads
  const run = async (child: ChildProcess, order: Pick<LoadOrder, 'paths' | 'seconds'>): Promise<LoadResult> => {
    const result = await ask<LoadResult>(child, { url, connections: CONNECTIONS, ...order })
    if (result.failed > 0) throw new Error(`${result.failed} requests failed while searching`)
    return result
  }
  const search = (seconds: number) => run(searcher, { paths: addresses.searches(), seconds })
  await search(WARM_SECONDS)
  const figures: Figure[] = []
  for (const [other, text] of Object.entries(OTHERS) as [keyof typeof OTHERS, string][]) {
    const read = (seconds: number) => run(load, { paths: addresses[other](), seconds })
    await read(WARM_SECONDS)
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const alone = await read(ROUND_SECONDS)
      // The search load lasts a little longer, so that none of the others is measured without it.
      const searching = search(ROUND_SECONDS * 1.2)
      const beside = await read(ROUND_SECONDS)
      await searching
      ratios.push(beside.p99 / alone.p99)
    }
    figures.push({ name: `${name}: p99 of ${text}, times alone`, value: median(ratios), unit: '', most: MOST })
  }
  return figures
}
