import type { SiteMeasures } from '@stoa/sdk/administration'
import type { Registry } from 'prom-client'
import { Gauge } from 'prom-client'

/** How the site is now, as gauges: made anew each time, so that what is gone leaves nothing behind. */
export function fillGauges(registry: Registry, now: SiteMeasures): void {
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge<L>({ name: `stoa_${name}`, help, labelNames, registers: [registry] })

  gauge('info', 'What runs here', 'version', 'runtime', 'database').set(
    { version: now.version, runtime: now.runtime, database: `${now.database.dialect} ${now.database.version}` },
    1,
  )
  gauge('start_time_seconds', 'When the process started, in unix seconds').set(now.startedAt)
  gauge('database_bytes', 'Size of the database').set(now.database.bytes)
  const memory = gauge('memory_bytes', 'Memory of the process', 'kind')
  memory.set({ kind: 'resident' }, now.memory.resident)
  memory.set({ kind: 'heap_used' }, now.memory.heapUsed)
  memory.set({ kind: 'heap_total' }, now.memory.heapTotal)

  gauge('rendering', 'Pages that are being drawn or wait for it').set(now.rendering)
  gauge('calls_waiting', 'Calls that wait until others are answered').set(now.callsWaiting)
  const workers = gauge('read_workers', 'Threads that read, by lane', 'lane')
  const waiting = gauge('reads_waiting', 'Reads that run or wait, by lane', 'lane')
  for (const { lane, ...load } of now.reads) {
    workers.set({ lane }, load.workers)
    waiting.set({ lane }, load.waiting)
  }

  gauge('events_waiting', 'Deliveries of events that are still to come').set(now.events.waiting)
  gauge('events_lag_seconds', 'Age of the oldest event that somebody has not seen').set(now.events.seconds)
  const jobs = gauge('jobs', 'Jobs by state', 'state')
  for (const state of ['due', 'running', 'dead'] as const) jobs.set({ state }, now.jobs[state])
  gauge('jobs_lag_seconds', 'For how long the first job has been due').set(now.jobs.seconds)

  const on = gauge('plugin_on', 'Whether a plugin runs', 'plugin')
  const failing = gauge('plugin_failing', 'Whether what others get of a plugin fails again and again', 'plugin')
  const faults = gauge('plugin_faults_total', 'Faults of a plugin since the process started', 'plugin')
  for (const plugin of now.plugins) {
    on.set({ plugin: plugin.slug }, Number(plugin.state === 'on'))
    failing.set({ plugin: plugin.slug }, Number(plugin.failing))
    faults.set({ plugin: plugin.slug }, plugin.faults)
  }
}
