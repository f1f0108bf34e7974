/** A request that was answered. Every text here has few values, whoever asks for what. */
export interface MeasuredRequest {
  /** Whose call it is; `kernel` for pages and files. */
  slug: string
  method: string
  /** Pattern of the call, such as `/answer/api/v1/badge/:id`, or `page`, `file`, `upload`. Empty for what was refused before a call was found. */
  route: string
  status: number
  ms: number
}

/** Hears of what is measured; each is called on the main thread, often, and must not throw. */
export interface MeasureListener {
  request?(request: MeasuredRequest): void
  /** A statement of the main process; those of read workers count with their reads. */
  statement?(ms: number, failed: boolean): void
  /** A read, waiting for its turn included. */
  read?(lane: 'short' | 'slow', ms: number): void
  /** A page was rendered, waiting included. */
  render?(ms: number, failed: boolean): void
}

/** How the site is now. */
export interface SiteMeasures {
  /** Unix seconds. */
  startedAt: number
  version: string
  /** Of the runtime. */
  runtime: string
  database: { dialect: 'sqlite' | 'postgres'; version: string; bytes: number }
  /** Bytes. */
  memory: { resident: number; heapUsed: number; heapTotal: number }
  /** Reads that run or wait, by lane, and threads for them; on PostgreSQL there are no threads. */
  reads: { lane: 'short' | 'slow'; workers: number; waiting: number }[]
  /** Pages that are being rendered or wait for it. */
  rendering: number
  /** Calls that wait until others are answered: more than a few are asked at once. */
  callsWaiting: number
  /** Events that somebody has not seen yet, and the age of the oldest. */
  events: { waiting: number; seconds: number }
  /** Jobs that are due, that run, and that were given up; and for how long the first has been due. */
  jobs: { due: number; running: number; dead: number; seconds: number }
  plugins: { slug: string; state: string; failing: boolean; faults: number; slow: number }[]
}

/** Where time goes. While nobody listens nothing is measured. */
export interface Measures {
  /** Administrators get a `Server-Timing` header meanwhile. @returns what ends it */
  listen(listener: MeasureListener): () => void
  now(): Promise<SiteMeasures>
}
