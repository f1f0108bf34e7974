import type { IncomingMessage, ServerResponse } from 'node:http'
import type { KernelData } from '../data/index.ts'

/** Asked by whoever starts the process again when it does not answer, and by whoever sends people to it. */
const HEALTH_PATHS = ['/healthz', '/readyz']

const PATIENCE_MS = 2_000
const KEPT_MS = 1_000

/** `starting`: the unattended setup is not done, so nobody could log in; `draining`: it takes no new work. */
export type Phase = 'starting' | 'serving' | 'draining'

export interface Health {
  phase: Phase
  /** Answers these two paths, and every other one while the site starts. @returns true when the reply is sent */
  handle(path: string, req: IncomingMessage, res: ServerResponse): boolean
}

/** `/healthz`: the process answers, whatever becomes of the database. `/readyz`: the database answers too, and there is time to finish what is begun. */
export function createHealth({ database }: Pick<KernelData, 'database'>): Health {
  let asking: Promise<boolean> | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let last = false

  /** One question at a time: a database that is away would collect them. */
  function isDatabaseThere(): Promise<boolean> {
    if (asking) return asking
    if (performance.now() - askedAt < KEPT_MS) return Promise.resolve(last)
    asking = database
      .outside(() => database.changes())
      .then(
        () => true,
        () => false,
      )
      .then((isThere) => {
        asking = undefined
        askedAt = performance.now()
        last = isThere
        return isThere
      })
    return asking
  }

  async function ready(res: ServerResponse): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(resolve, PATIENCE_MS, false)
    const isThere = await Promise.race([isDatabaseThere(), late])
    clearTimeout(timer)
    say(res, isThere && health.phase === 'serving', isThere ? health.phase : 'the database does not answer')
  }

  const health: Health = {
    phase: 'serving',
    handle(path, req, res) {
      if (health.phase !== 'starting' && !HEALTH_PATHS.includes(path)) return false
      req.resume()
      if (health.phase === 'starting') say(res, false, 'starting')
      else if (path === '/healthz') say(res, true, 'ok')
      else if (health.phase === 'draining') say(res, false, 'draining')
      else void ready(res)
      return true
    },
  }
  return health
}

function say(res: ServerResponse, isWell: boolean, word: string): void {
  const text = word === 'serving' ? 'ok' : word
  res.writeHead(isWell ? 200 : 503, {
    'content-type': 'text/plain',
    'content-length': text.length,
    'cache-control': 'no-store',
    ...(!isWell && { 'retry-after': '1' }),
  })
  res.end(text)
}
