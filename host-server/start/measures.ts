import { readFileSync } from 'node:fs'
import type { Measures, PluginAdmin } from '@stoa/sdk/administration'
import type { KernelData } from '../data/index.ts'
import type { Dispatcher } from '../http/dispatcher.ts'
import type { Pages } from '../pages/index.ts'
import type { Reads } from '../reads/index.ts'
import type { Measuring } from '../shared/measuring.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

interface Parts {
  data: KernelData
  reads: Reads
  pages: Pages | null
  admin: PluginAdmin
  measuring: Measuring
  dispatcher: Pick<Dispatcher, 'waiting'> | undefined
  now(): number
}

/** What plugins may know of how the site is. */
export function createMeasures(state: () => Parts): Measures {
  const startedAt = Math.floor(Date.now() / 1000 - process.uptime())
  return {
    listen: (listener) => state().measuring.listen(listener),
    async now() {
      const { data, reads, pages, admin, dispatcher, now } = state()
      const plugins = admin
        .list()
        .map(({ slug, state, failing, faults }) => ({ slug, state, failing, faults: faults.count, slow: faults.slow }))
      const { rss, heapUsed, heapTotal } = process.memoryUsage()
      const slugs = plugins.filter(({ state }) => state === 'on').map(({ slug }) => slug)
      return {
        startedAt,
        version,
        runtime: `Node.js ${process.versions.node}`,
        memory: { resident: rss, heapUsed, heapTotal },
        reads: reads.load(),
        rendering: pages?.rendering() ?? 0,
        callsWaiting: dispatcher?.waiting ?? 0,
        plugins,
        ...(await data.gauges(slugs, now())),
      }
    },
  }
}
