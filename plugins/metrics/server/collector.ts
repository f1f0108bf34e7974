import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Measures } from '@stoa/sdk/administration'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { fillGauges } from './gauges.ts'

const REQUESTS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const STATEMENTS = [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 1]
const NANOSECONDS = 1e9
/** Milliseconds between two looks at how late the main thread is; they are part of what is measured. */
const LOOKS = 20

export interface Collector {
  /** Content type of the text. */
  type: string
  text(): Promise<string>
  end(): void
}

/** Counts from now on what the kernel measures. Labels have few values, whatever visitors ask for. */
export function createCollector(measures: Measures): Collector {
  const registry = new Registry()
  const registers = [registry]
  const requests = new Counter({
    name: 'stoa_requests_total',
    help: 'Requests that were answered',
    labelNames: ['plugin', 'method', 'route', 'status'],
    registers,
  })
  const seconds = new Histogram({
    name: 'stoa_request_seconds',
    help: 'From the arrival of a request to the end of its reply',
    labelNames: ['plugin', 'method', 'route'],
    buckets: REQUESTS,
    registers,
  })
  const renders = new Histogram({
    name: 'stoa_render_seconds',
    help: 'Pages drawn on the server, waiting included',
    labelNames: ['outcome'],
    buckets: REQUESTS,
    registers,
  })
  const reads = new Histogram({
    name: 'stoa_read_seconds',
    help: 'Reads by lane, waiting included',
    labelNames: ['lane'],
    buckets: REQUESTS,
    registers,
  })
  const statements = new Histogram({
    name: 'stoa_statement_seconds',
    help: 'Statements of the main process',
    labelNames: ['outcome'],
    buckets: STATEMENTS,
    registers,
  })
  const delay = new Gauge({
    name: 'stoa_event_loop_delay_seconds',
    help: 'How late the main thread was, since the last time somebody looked',
    labelNames: ['quantile'],
    registers,
  })
  const loop = monitorEventLoopDelay({ resolution: LOOKS })
  loop.enable()

  const stop = measures.listen({
    request({ slug: plugin, method, route, status, ms }) {
      requests.inc({ plugin, method, route, status: `${Math.floor(status / 100)}xx` })
      seconds.observe({ plugin, method, route }, ms / 1000)
    },
    statement: (ms, failed) => statements.observe({ outcome: failed ? 'failed' : 'done' }, ms / 1000),
    read: (lane, ms) => reads.observe({ lane }, ms / 1000),
    render: (ms, failed) => renders.observe({ outcome: failed ? 'failed' : 'done' }, ms / 1000),
  })

  return {
    type: registry.contentType,
    async text() {
      for (const quantile of [50, 99])
        delay.set({ quantile: String(quantile / 100) }, Math.max(0, loop.percentile(quantile) / NANOSECONDS - LOOKS / 1000))
      loop.reset()
      const now = new Registry()
      fillGauges(now, await measures.now())
      return `${await registry.metrics()}\n${await now.metrics()}`
    },
    end() {
      stop()
      loop.disable()
    },
  }
}
