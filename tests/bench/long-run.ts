import type { ChildProcess } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import type { Figure } from './figures.ts'
import type { LoadResult } from './load-worker.ts'
import { median } from './measure.ts'
import type { MixAddresses } from './mix-addresses.ts'
import { mixAddresses } from './mix-addresses.ts'
import { ask, start, startSiteWorker, stop } from './processes.ts'
import { anyTag, signIn } from './writing.ts'

const CONNECTIONS = 8
const SECONDS = 3
const WRITTEN_PER_SECOND = 5
const SWITCHED_EVERY_MS = 5000
/** A feature that pages show and other plugins do not need. */
const SWITCHED = 'reactions'
/** Nothing is compared with the first minutes: code and caches are cold, and V8 collects late. */
const COLD_MINUTES = 5
/** More than at the beginning, in per cent: what collects now and then moves by this much. */
const MOST_GROWTH = 10
/** Times as late as at the beginning. */
const MOST_LATER = 1.5
const MOST_HANDLES = 5
const KINDS = ['lists', 'details', 'searches', 'documents'] as const

interface Sample {
  minute: number
  rss: number
  handles: number
  failed: number
  p99: number[]
}

/**
 * The mix for many minutes, with a post written five times a second and a feature switched every five seconds: what grows, and what becomes slow.
 * @param dataDir a copy that may be written to
 * @throws when a post or a switch is refused
 */
export async function longRunFigures(dataDir: string, port: number, minutes: number): Promise<Figure[]> {
  const children: ChildProcess[] = []
  const launch = async (starting: ChildProcess | Promise<ChildProcess>): Promise<ChildProcess> => {
    const child = await starting
    children.push(child)
    return child
  }
  const url = `http://127.0.0.1:${port}`
  let isOver = false
  try {
    const site = await launch(startSiteWorker([dataDir, String(port)]))
    const load = await launch(start('load-worker.ts'))
    const writer = await launch(start('load-worker.ts'))
    const addresses = await mixAddresses(url)
    const written = { authorization: await signIn(url), tag: await anyTag(url) }
    const order = { url, paths: ['/answer/api/v1/experience'], connections: 1, seconds: SECONDS, perSecond: WRITTEN_PER_SECOND, written }
    const beside = [
      (async () => {
        while (!isOver) {
          const { failed, requests } = await ask<LoadResult>(writer, order)
          if (failed > 0) throw new Error(`${failed} of ${requests} posts were not written`)
        }
      })(),
      switching(url, written.authorization, () => isOver),
    ]
    const running = loop(site, load, { url, addresses, minutes })
    const samples = await Promise.race([running, ...beside.map((work) => work.then(() => running))])
    isOver = true
    await Promise.all(beside)
    return figuresOf(samples)
  } finally {
    isOver = true
    await stop(children)
  }
}

async function loop(
  site: ChildProcess,
  load: ChildProcess,
  { url, addresses, minutes }: { url: string; addresses: MixAddresses; minutes: number },
): Promise<Sample[]> {
  const began = performance.now()
  const samples: Sample[] = []
  while (performance.now() - began < minutes * 60_000) {
    const p99: number[] = []
    let failed = 0
    for (const kind of KINDS) {
      const result = await ask<LoadResult>(load, { url, paths: addresses[kind](), seconds: SECONDS, connections: CONNECTIONS })
      p99.push(result.p99)
      failed += result.failed
    }
    const { rss } = await ask<{ rss: number }>(site, {})
    samples.push({ minute: (performance.now() - began) / 60_000, rss: rss / 2 ** 20, handles: handlesOf(site), failed, p99 })
  }
  return samples
}

async function switching(url: string, authorization: string, isOver: () => boolean): Promise<void> {
  for (let isOn = false; !isOver(); isOn = !isOn) {
    const response = await fetch(`${url}/answer/admin/api/plugin/status`, {
      method: 'PUT',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ plugin_slug_name: SWITCHED, enabled: isOn }),
    })
    if (!response.ok) throw new Error(`${SWITCHED} could not be switched: ${await response.text()}`)
    await new Promise((resolve) => setTimeout(resolve, SWITCHED_EVERY_MS))
  }
}

/** Open files and connections of a process; 0 where the system does not tell. */
function handlesOf({ pid }: ChildProcess): number {
  const folder = `/proc/${pid}/fd`
  return existsSync(folder) ? readdirSync(folder).length : 0
}

/** The last fifth beside the first one that is warm. */
function figuresOf(samples: Sample[]): Figure[] {
  const last = samples.at(-1)?.minute ?? 0
  const cold = Math.min(COLD_MINUTES, last / 3)
  const share = (last - cold) / 5
  const first = samples.filter(({ minute }) => minute >= cold && minute <= cold + share)
  const end = samples.filter(({ minute }) => minute >= last - share)
  const grown = (of: (sample: Sample) => number) => (median(end.map(of)) / median(first.map(of)) - 1) * 100
  return [
    { name: 'long run: minutes', value: last, unit: '' },
    { name: 'long run: requests that failed', value: samples.reduce((sum, { failed }) => sum + failed, 0), unit: '', most: 0 },
    { name: 'long run: memory at the end', value: median(end.map(({ rss }) => rss)), unit: 'MB' },
    { name: 'long run: memory, growth', value: grown(({ rss }) => rss), unit: '%', most: MOST_GROWTH },
    {
      name: 'long run: files and connections, more than at the beginning',
      value: median(end.map(({ handles }) => handles)) - median(first.map(({ handles }) => handles)),
      unit: '',
      most: MOST_HANDLES,
    },
    ...KINDS.flatMap((kind, index): Figure[] => {
      const at = (some: Sample[]) => median(some.map(({ p99 }) => p99[index] as number))
      return [
        { name: `long run: p99 of ${kind} at the end`, value: at(end), unit: 'ms' },
        { name: `long run: p99 of ${kind}, times that at the beginning`, value: at(end) / at(first), unit: '', most: MOST_LATER },
      ]
    }),
  ]
}
