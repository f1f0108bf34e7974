import type { Figure } from './figures.ts'
import type { LoadResult } from './load-worker.ts'
import type { Side, Sides } from './measure.ts'
import { ask } from './processes.ts'
import type { Switched } from './site-worker.ts'

const SWITCHES = 1000
/** The first switches and reads fill caches that stay. */
const WARM = 100
const ROUND_SECONDS = 1

/** A plugin goes off and on while lists and details are read over connections that stay open. */
export async function switchFigures({ ours, load }: Pick<Sides, 'load'> & { ours: Side }, paths: string[]): Promise<Figure[]> {
  async function whileReading(switches: number) {
    let isDone = false
    const switching = ask<Switched>(ours.process, { switches }).finally(() => {
      isDone = true
    })
    switching.catch(() => undefined)
    let [failed, requests] = [0, 0]
    while (!isDone) {
      const result = await ask<LoadResult>(load, { url: ours.url, paths, seconds: ROUND_SECONDS })
      failed += result.failed
      requests += result.requests
    }
    return { ...(await switching), failed, requests }
  }
  await whileReading(WARM)
  const { before, after, ms, failed, requests } = await whileReading(SWITCHES)
  if (requests === 0) throw new Error('Nothing was read while plugins were switched')
  return [
    { name: `failed of ${requests} reads during ${SWITCHES} switches`, value: failed, unit: '', most: 0 },
    { name: `heap growth over ${SWITCHES} switches`, value: (after / before - 1) * 100, unit: '%', most: 10 },
    { name: 'one switch', value: ms / SWITCHES, unit: 'ms' },
  ]
}
