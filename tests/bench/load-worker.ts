import autocannon from 'autocannon'

/** Posts are written instead of read, each another. */
export interface Written {
  authorization: string
  /** Name of a tag that is there. */
  tag: string
}

/** What the bench asks of its load process. */
export interface LoadOrder {
  url: string
  /** Paths, asked for in turn. */
  paths: string[]
  seconds: number
  /** Default 10. */
  connections?: number | undefined
  /** Taken of compression; default none. */
  encoding?: string | undefined
  written?: Written | undefined
  /** So many requests a second at most, of all connections. */
  perSecond?: number | undefined
}

/** Latencies in milliseconds. `failed`: refused, dropped, late or not a 2xx. */
export interface LoadResult {
  requests: number
  perSecond: number
  p50: number
  p99: number
  failed: number
}

const CONNECTIONS = 10
/** More addresses than a round of repeats has. */
const MANY = 100

/** Keep-alive load in a process of its own, so that it takes no time of the servers' event loops. One order at a time. */
process.on('message', async ({ url, paths, seconds, connections = CONNECTIONS, encoding, written, perSecond }: LoadOrder) => {
  const latencies: number[] = []
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding }
  // What was asked while this process still wrote requests has waited for it, and not for the server (measured: 600 ms for 8,000 addresses).
  let ready = performance.now()
  let last = ready
  let client = 0
  const options: autocannon.Options = {
    url,
    connections,
    duration: seconds,
    sampleInt: 20,
    ...(perSecond !== undefined && { overallRate: perSecond }),
    // Each connection begins elsewhere, or all would ask for the same at once. Of many addresses each has its part.
    setupClient: (connection) => {
      const from = Math.floor((client++ * paths.length) / connections)
      const own = paths.length > MANY ? Math.ceil(paths.length / connections) : paths.length
      const turned = [...paths.slice(from), ...paths.slice(0, from)].slice(0, own)
      connection.setRequests(turned.map((path) => (written ? postTo(path, written) : { path, headers })))
      ready = performance.now()
    },
  }
  const { non2xx, errors, timeouts } = await new Promise<autocannon.Result>((resolve, reject) => {
    const run = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)))
    run.on('response', (_client, _status, _bytes, milliseconds) => {
      const now = performance.now()
      if (now - milliseconds < ready) return
      latencies.push(milliseconds)
      last = now
    })
  })
  latencies.sort((a, b) => a - b)
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? Number.NaN
  const result: LoadResult = {
    requests: latencies.length,
    perSecond: latencies.length / ((last - ready) / 1000),
    p50: at(0.5),
    p99: at(0.99),
    failed: non2xx + errors + timeouts,
  }
  process.send?.(result)
})

let posts = 0
const TEXT = '第一次自己动手，过程比想象的长。先说结论：准备工作做好了，后面都不难。\n\n- 材料要多备一份\n- 每一步都拍照\n\n'.repeat(4)

function postTo(path: string, { authorization, tag }: Written): autocannon.Request {
  return {
    method: 'POST',
    path,
    headers: { authorization, 'content-type': 'application/json' },
    setupRequest: (request) => ({
      ...request,
      body: JSON.stringify({
        title: `第 ${++posts} 次尝试的经过 ${process.pid}`,
        content: `${TEXT}${posts}`,
        tags: [{ slug_name: tag, display_name: tag, original_text: '' }],
      }),
    }),
  }
}
process.once('disconnect', () => process.exit())
