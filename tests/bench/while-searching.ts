import type { ChildProcess } from 'node:child_process'
import type { Case } from './cases.ts'
import type { Figure } from './figures.ts'
import type { LoadOrder, LoadResult } from './load-worker.ts'
import { median } from './measure.ts'
import { ask } from './processes.ts'

const WARM_SECONDS = 1
const ROUND_SECONDS = 1
const CONNECTIONS = 4
/** How much later than alone the slowest hundredth may answer while others search. */
const MOST = 2

/**
 * How much searching slows other calls: their p99 beside a search load, as a multiple of their p99 alone.
 * @param loads two load processes
 * @throws when a request fails
 */
export async function whileSearching(
  url: string,
  others: Case[],
  searches: Case[],
  loads: [ChildProcess, ChildProcess],
  rounds: number,
): Promise<Figure[]> {
  const [load, searcher] = loads
  const paths = searches.flatMap(({ ours }) => ours)
  const run = async (child: ChildProcess, order: Pick<LoadOrder, 'paths' | 'seconds'>): Promise<LoadResult> => {
    const result = await ask<LoadResult>(child, { url, connections: CONNECTIONS, ...order })
    if (result.failed > 0) throw new Error(`${result.failed} requests failed while searching`)
    return result
  }
  await run(searcher, { paths, seconds: WARM_SECONDS })
  const figures: Figure[] = []
  for (const { name, ours } of others) {
    await run(load, { paths: ours, seconds: WARM_SECONDS })
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const alone = await run(load, { paths: ours, seconds: ROUND_SECONDS })
      // The search load lasts a little longer, so that none of the others is measured without it.
      const searching = run(searcher, { paths, seconds: ROUND_SECONDS * 1.2 })
      const beside = await run(load, { paths: ours, seconds: ROUND_SECONDS })
      await searching
      ratios.push(beside.p99 / alone.p99)
    }
    figures.push({ name: `while searching: p99 of ${name}, times alone`, value: median(ratios), unit: '', most: MOST })
  }
  return figures
}
